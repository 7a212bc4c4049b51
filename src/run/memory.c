#include "src/run/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"

/* linux/mman.h: log2 of the page size in the flags; shmget() has it in the same bits. */
#define HUGE_SHIFT 26
/* What lockmem leaves to everybody else, as fio does. */
#define LEFT_BYTES (128ull << 20)

static const char *word_of(enum mem_kind kind)
{
	static const char *const words[] = {
		[MEM_MALLOC] = "malloc",     [MEM_MMAP] = "mmap", [MEM_MMAPSHARED] = "mmapshared",
		[MEM_MMAPHUGE] = "mmaphuge", [MEM_SHM] = "shm",   [MEM_SHMHUGE] = "shmhuge",
	};

	return words[kind];
}

static bool is_huge(enum mem_kind kind)
{
	return kind == MEM_MMAPHUGE || kind == MEM_SHMHUGE;
}

static void *map(int flags, size_t bytes)
{
	void *p;

	/* cppcheck-suppress invalidFunctionArg ; anonymous memory has no descriptor */
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	return p;
}

/* Marked for removal at once: it goes with the last who has it, however that ends. */
static void *attach(int flags, size_t bytes)
{
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600 | flags), code;
	void *p;

	if (id < 0)
		return NULL;
	p = shmat(id, NULL, 0);
	code = errno;
	shmctl(id, IPC_RMID, NULL);
	errno = code;
	if (p == (void *)-1)
		return NULL;
	return p;
}

static void *take(enum mem_kind kind, uint64_t page, size_t bytes)
{
	int huge = (int)((unsigned)__builtin_ctzll(page) << HUGE_SHIFT);

	switch (kind) {
	case MEM_MALLOC:
	case MEM_MMAP:
		return buf_alloc(bytes);
	case MEM_MMAPSHARED:
		return map(MAP_SHARED, bytes);
	case MEM_MMAPHUGE:
		return map(MAP_PRIVATE | MAP_HUGETLB | huge, bytes);
	case MEM_SHM:
		return attach(0, bytes);
	case MEM_SHMHUGE:
		return attach(SHM_HUGETLB | huge, bytes);
	}
	return NULL;
}

static int refuse_huge(const struct job_spec *s, size_t bytes, int code, struct err *e)
{
	char page[32], nr[32] = "unknown";
	uint64_t pages = (bytes + s->hugepage_bytes - 1) / s->hugepage_bytes;

	fs_read_small("", "/proc/sys/vm/nr_hugepages", nr, sizeof(nr));
	units_fmt_size_exact(page, sizeof(page), s->hugepage_bytes);
	if (code == EINVAL)
		return err_set(e, code,
			       "mem=%s: this kernel has no pages of hugepage-size=%s; see "
			       "/sys/kernel/mm/hugepages",
			       word_of(s->mem), page);
	return err_set(e, code,
		       "mem=%s: needs %llu free huge pages of %s, which are not to be had "
		       "(%s); vm.nr_hugepages is %s, set it to more",
		       word_of(s->mem), (unsigned long long)pages, page, strerror(code), nr);
}

int memory_take(struct memory *m, const struct job_spec *s, size_t bytes, struct err *e)
{
	enum mem_kind kind = (enum mem_kind)s->mem;
	uint64_t page = s->hugepage_bytes;
	char need[32];

	*m = (struct memory){.kind = kind, .bytes = bytes ? bytes : 1};
	if (is_huge(kind) && (page & (page - 1)))
		return err_set(e, EINVAL, "hugepage-size=%llu is not a power of two",
			       (unsigned long long)page);
	if (is_huge(kind))
		m->bytes = (m->bytes + page - 1) / page * page;
	m->p = take(kind, page, m->bytes);
	if (m->p)
		return 0;
	if (is_huge(kind))
		return refuse_huge(s, m->bytes, errno, e);
	units_fmt_bytes(need, sizeof(need), (double)m->bytes, false);
	return err_set(e, ENOMEM, "mem=%s: %s are not to be had: %s", word_of(kind), need,
		       strerror(errno));
}

void memory_give(struct memory *m)
{
	if (m->p && (m->kind == MEM_SHM || m->kind == MEM_SHMHUGE))
		shmdt(m->p);
	else if (m->p)
		munmap(m->p, m->bytes);
	*m = (struct memory){0};
}

/* 0: not known. */
static uint64_t available_bytes(const char *fsroot)
{
	static const char key[] = "MemAvailable:";
	struct strbuf text = {0};
	uint64_t kib = 0;
	const char *at;

	if (fs_read_all(fsroot, "/proc/meminfo", &text) == 0) {
		at = strstr(strbuf_str(&text), key);
		kib = at ? strtoull(at + sizeof(key) - 1, NULL, 10) : 0;
	}
	strbuf_fini(&text);
	return kib << 10;
}

int memory_check_lock(const struct job_spec *s, const char *fsroot, struct err *e)
{
	uint64_t available = s->lockmem_bytes ? available_bytes(fsroot) : 0;
	uint64_t want = s->lockmem_bytes * s->numjobs;
	char need[32], have[32];

	if (!available || (want < available && available - want >= LEFT_BYTES))
		return 0;
	units_fmt_bytes(need, sizeof(need), (double)want, false);
	units_fmt_bytes(have, sizeof(have), (double)available, false);
	return err_set(
		e, ENOMEM,
		"%s: lockmem: %s for %u clones; %s are available, of which 128 MiB must stay",
		s->name, need, s->numjobs, have);
}

static int refuse_lock(const struct job_spec *s, int code, struct err *e)
{
	struct rlimit lim = {0};
	char want[32], may[32] = "all";

	getrlimit(RLIMIT_MEMLOCK, &lim);
	units_fmt_bytes(want, sizeof(want), (double)s->lockmem_bytes, false);
	if (lim.rlim_cur != RLIM_INFINITY)
		units_fmt_bytes(may, sizeof(may), (double)lim.rlim_cur, false);
	return err_set(
		e, code,
		"lockmem: locking %s for each of %u clones: %s; %s may be locked (ulimit -l)", want,
		s->numjobs, strerror(code), may);
}

int memory_lock(struct memory *m, const struct job_spec *s, struct err *e)
{
	*m = (struct memory){.kind = MEM_MMAP, .bytes = s->lockmem_bytes};
	if (!m->bytes)
		return 0;
	m->p = map(MAP_PRIVATE | MAP_NORESERVE, m->bytes);
	if (!m->p || mlock(m->p, m->bytes) < 0) {
		int code = errno;

		memory_give(m);
		return refuse_lock(s, code, e);
	}
	return 0;
}
