/* run/memory: what buffers are made of (mem=, hugepage-size=), and memory that is only locked. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/memory.h"
#include "tests/unit/run_rig.h"

TestSuite(memory, .init = run_rig_setup, .fini = run_rig_cleanup);

static struct job_spec spec_of(enum mem_kind kind)
{
	struct job_spec s;

	job_spec_init(&s);
	s.name = NULL;
	s.mem = kind;
	return s;
}

Test(memory, every_kind_is_zeroed_and_given_back)
{
	static const enum mem_kind kinds[] = {MEM_MALLOC, MEM_MMAP, MEM_MMAPSHARED, MEM_SHM};
	static const uint8_t zeroes[4096];

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct job_spec s = spec_of(kinds[i]);
		struct memory m;
		struct err e = {0};

		cr_assert_eq(memory_take(&m, &s, 100000, &e), 0, "kind %u: %s", i, e.msg);
		cr_expect_eq((uintptr_t)m.p % 4096, 0);
		cr_expect_eq(memcmp(m.p, zeroes, sizeof(zeroes)), 0);
		memset(m.p, 1, 100000);
		memory_give(&m);
		cr_expect_null(m.p);
		memory_give(&m);
		job_spec_fini(&s);
	}
}

/* Whole pages, or one line that says what to set. */
Test(memory, huge_pages_or_the_name_of_the_setting)
{
	static const enum mem_kind kinds[] = {MEM_MMAPHUGE, MEM_SHMHUGE};

	for (unsigned i = 0; i < 2; i++) {
		struct job_spec s = spec_of(kinds[i]);
		struct memory m;
		struct err e = {0};

		if (memory_take(&m, &s, 1, &e) == 0)
			cr_expect_eq(m.bytes, s.hugepage_bytes);
		else
			cr_expect(strstr(e.msg, "vm.nr_hugepages"), "%s", e.msg);
		memory_give(&m);
		cr_expect_lt(memory_take(&m, &s, 1ull << 44, &e), 0, "16 TiB of huge pages");
		cr_expect(strstr(e.msg, "8388608 free huge pages of 2m"), "%s", e.msg);
		s.hugepage_bytes = 3 << 20;
		cr_expect_lt(memory_take(&m, &s, 1, &e), 0);
		cr_expect(strstr(e.msg, "power of two"), "%s", e.msg);
		s.hugepage_bytes = 1 << 16;
		cr_expect_lt(memory_take(&m, &s, 1, &e), 0);
		cr_expect(strstr(e.msg, "hugepage-size=64k"), "%s", e.msg);
		job_spec_fini(&s);
	}
}

Test(memory, more_than_there_is_is_refused)
{
	struct job_spec s = spec_of(MEM_SHM);
	struct memory m;
	struct err e = {0};

	cr_expect_lt(memory_take(&m, &s, 1ull << 62, &e), 0);
	cr_expect(strstr(e.msg, "mem=shm: ") && !m.p, "%s", e.msg);
	job_spec_fini(&s);
}

Test(memory, io_works_in_all_of_it)
{
	static const char *const words[] = {"malloc", "mmap", "mmapshared", "shm"};
	char line[256];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(line, sizeof(line),
			 "--name=t --filename=%%s --rw=randrw --size=256k --ioengine=io_uring "
			 "--fixedbufs=1 --iodepth=8 --mem=%s --iomem_align=512",
			 words[i]);
		cr_expect_eq(ops_of(line, IO_READ) + ops_of(line, IO_WRITE), 64, "%s", words[i]);
	}
	expect_refused("--name=t --ioengine=null --size=4k --mem=cudamalloc", "no such word");
}

Test(memory, lockmem_names_the_limit)
{
	const struct rlimit none = {0};
	bool has_limit;
	struct job_spec s = spec_of(MEM_MALLOC);
	struct memory m;
	struct err e = {0};

	s.lockmem_bytes = 1 << 20;
	cr_expect_eq(memory_lock(&m, &s, &e), 0, "%s", e.msg);
	memory_give(&m);
	/* Only without the privilege there is a limit; a test's process is its own. */
	cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	/* A sanitizer that cannot have locked memory says yes to everything. */
	has_limit = mlock(&s, sizeof(s)) < 0;
	if (has_limit) {
		cr_expect_lt(memory_lock(&m, &s, &e), 0);
		cr_expect(strstr(e.msg, "lockmem") && strstr(e.msg, "ulimit -l"), "%s", e.msg);
		cr_expect_null(m.p);
	}
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
	job_spec_fini(&s);
	if (!has_limit)
		cr_skip("mlock() has no limit here");
}

/* It would take the machine down before mlock() says no. */
Test(memory, lockmem_beyond_what_is_available_is_refused_before_the_start)
{
	struct job_spec s = spec_of(MEM_MALLOC);
	struct err e = {0};
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc", run_dir);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/meminfo", run_dir);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs("MemTotal:       4000000 kB\nMemAvailable:   1048576 kB\n", f);
	fclose(f);
	s.name = (char[]){"t"};
	s.numjobs = 4;
	s.lockmem_bytes = 200ull << 20;
	cr_expect_eq(memory_check_lock(&s, run_dir, &e), 0, "%s", e.msg);
	s.lockmem_bytes = 230ull << 20;
	cr_expect_lt(memory_check_lock(&s, run_dir, &e), 0);
	cr_expect(strstr(e.msg, "lockmem: 920 MiB for 4 clones; 1 GiB"), "%s", e.msg);
	s.name = NULL;
	job_spec_fini(&s);
}
