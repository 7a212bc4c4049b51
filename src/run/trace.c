#include "src/run/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/xalloc.h"

#define BUFFER_BYTES (64u << 10)

/* Open */

/* The log must be one already, or empty: what else is there belongs to somebody. */
static int check_old(int fd, const char *path, bool *cut, struct err *e)
{
	char head[sizeof(IOLOG_HEADER)] = "", last = '\n';
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(e, errno, "write_iolog=%.200s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(e, EINVAL,
			       "write_iolog=%.200s: not a regular file; it is left alone", path);
	if (st.st_size == 0)
		return 0;
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    memcmp(head, IOLOG_HEADER "\n", sizeof(head)) != 0)
		return err_set(
			e, EINVAL,
			"write_iolog=%.200s: is there and does not begin with '%s'; nothing is "
			"appended to it",
			path, IOLOG_HEADER);
	if (pread(fd, &last, 1, st.st_size - 1) != 1)
		return err_set(e, EIO, "write_iolog=%.200s: cannot be read", path);
	*cut = last != '\n';
	return 0;
}

static FILE *open_log(const char *path, struct err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
	bool cut = false;
	FILE *f;

	if (fd < 0) {
		err_set(e, errno, "write_iolog=%.200s: %s", path, strerror(errno));
		return NULL;
	}
	f = check_old(fd, path, &cut, e) ? NULL : fdopen(fd, "a");
	if (!f) {
		if (!e->code)
			err_set(e, errno, "write_iolog=%.200s: %s", path, strerror(errno));
		close(fd);
		return NULL;
	}
	setvbuf(f, NULL, _IOFBF, BUFFER_BYTES);
	/* An earlier run was killed within a line. */
	fprintf(f, "%s%s\n", cut ? "\n" : "", IOLOG_HEADER);
	return f;
}

static struct trace_log *get_log(struct traces *all, const char *path, uint64_t now_ns,
				 struct err *e)
{
	struct trace_log *log;
	FILE *f;

	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->v[i].path, path) == 0)
			return &all->v[i];
	f = open_log(path, e);
	if (!f)
		return NULL;
	all->v = xrealloc(all->v, (all->n + 1) * sizeof(*all->v));
	log = &all->v[all->n++];
	*log = (struct trace_log){.path = xstrdup(path), .f = f, .begun_ns = now_ns};
	return log;
}

/* Names of a job without files are those that fio would give them. */
static char *name_of(const struct plan *p, unsigned k, unsigned f)
{
	if (p->iolog)
		return xstrdup(p->iolog->files[f]->path);
	if (p->device)
		return xstrdup(p->device_name);
	if (p->n_targets)
		return xstrdup(p->targets[p->shared_files ? f : k * p->n_files + f].path);
	return xasprintf("%s.%u.%u", p->spec->name, plan_clone_number(p, k), f);
}

static uint64_t us_of(const struct trace_log *log, uint64_t t_ns)
{
	return t_ns > log->begun_ns ? (t_ns - log->begun_ns) / NSEC_PER_USEC : 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct trace_file *)a)->path, ((const struct trace_file *)b)->path);
}

/* The file of this name, added when it is new; path is taken over. */
static struct trace_file *get_file(struct trace_log *log, char *path, uint64_t now_ns)
{
	struct trace_file key = {.path = path}, **found, *f;

	found = tfind(&key, &log->by_name, compare_names);
	if (found) {
		free(path);
		return *found;
	}
	f = xcalloc(1, sizeof(*f));
	f->path = path;
	*(log->last ? &log->last->next : &log->first) = f;
	log->last = f;
	tsearch(f, &log->by_name, compare_names);
	fprintf(log->f, "%" PRIu64 " %s add\n", us_of(log, now_ns), path);
	return f;
}

static void add_job(struct trace_log *log, struct lane *l, unsigned k, uint64_t now_ns)
{
	const struct plan *p = &l->plan;
	struct trace_job *j;

	log->jobs = xrealloc(log->jobs, (log->n_jobs + 1) * sizeof(*log->jobs));
	j = &log->jobs[log->n_jobs++];
	*j = (struct trace_job){.lane = l, .index = k};
	j->files = xcalloc(p->n_files, sizeof(struct trace_file *));
	for (unsigned f = 0; f < p->n_files; f++)
		j->files[f] = get_file(log, name_of(p, k, f), now_ns);
}

static int add_lane(struct traces *all, struct lane *l, uint64_t now_ns, struct err *e)
{
	const struct job_spec *s = l->plan.spec;
	struct trace_log *log;

	if (!s->write_iolog)
		return 0;
	log = get_log(all, s->write_iolog, now_ns, e);
	if (!log)
		return -e->code;
	for (unsigned k = 0; k < s->numjobs; k++)
		add_job(log, l, k, now_ns);
	return 0;
}

int traces_open(struct traces *all, struct lane *const *lanes, size_t n_lanes, uint64_t now_ns,
		struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < n_lanes && rc == 0; i++)
		rc = add_lane(all, lanes[i], now_ns, e);
	return rc;
}

/* Lines */

static struct trace_ring *ring_of(struct trace_job *j)
{
	if (j->ring)
		return j->ring;
	pthread_mutex_lock(&j->lane->lock);
	if (j->index < j->lane->n_slots)
		j->ring = j->lane->workers[j->index]->trace;
	pthread_mutex_unlock(&j->lane->lock);
	return j->ring;
}

static void write_record(struct trace_log *log, const struct trace_job *j,
			 const struct trace_record *r)
{
	static const char *const kinds[] = {
		[IO_READ] = "read",    [IO_WRITE] = "write",          [IO_TRIM] = "trim",
		[IOLOG_SYNC] = "sync", [IOLOG_DATASYNC] = "datasync",
	};
	struct trace_file *f = j->files[r->file];
	uint64_t us = us_of(log, r->issue_ns);

	if (!f->open)
		fprintf(log->f, "%" PRIu64 " %s open\n", us, f->path);
	f->open = true;
	fprintf(log->f, "%" PRIu64 " %s %s %" PRIu64 " %u\n", us, f->path, kinds[r->kind],
		r->offset, r->len);
	log->failed = ferror(log->f);
}

/* The oldest record of all clones, if it is older than until_ns. */
static bool write_oldest(struct trace_log *log, uint64_t until_ns)
{
	const struct trace_record *oldest = NULL;
	struct trace_ring *from = NULL;
	const struct trace_job *of = NULL;

	for (size_t i = 0; i < log->n_jobs; i++) {
		struct trace_ring *ring = ring_of(&log->jobs[i]);
		const struct trace_record *r = ring ? trace_ring_peek(ring) : NULL;

		if (!r || r->issue_ns >= until_ns || (oldest && r->issue_ns >= oldest->issue_ns))
			continue;
		oldest = r;
		from = ring;
		of = &log->jobs[i];
	}
	if (!oldest)
		return false;
	if (!log->failed)
		write_record(log, of, oldest);
	trace_ring_pop(from);
	return true;
}

void traces_drain(struct traces *all, uint64_t until_ns)
{
	for (size_t i = 0; i < all->n; i++)
		while (write_oldest(&all->v[i], until_ns))
			;
}

void traces_flush(struct traces *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (!all->v[i].failed && fflush(all->v[i].f))
			all->v[i].failed = true;
}

/* Close */

static uint64_t dropped_of(struct trace_log *log)
{
	uint64_t n = 0;

	for (size_t i = 0; i < log->n_jobs; i++) {
		const struct trace_ring *ring = ring_of(&log->jobs[i]);

		if (ring)
			n += atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	}
	return n;
}

static void close_files(struct trace_log *log, uint64_t now_ns)
{
	struct trace_file *next;

	for (struct trace_file *f = log->first; f; f = next) {
		next = f->next;
		if (f->open)
			fprintf(log->f, "%" PRIu64 " %s close\n", us_of(log, now_ns), f->path);
		tdelete(f, &log->by_name, compare_names);
		free(f->path);
		free(f);
	}
}

static int close_log(struct trace_log *log, uint64_t now_ns, struct err *e)
{
	uint64_t dropped = dropped_of(log);
	bool bad;

	close_files(log, now_ns);
	bad = log->failed || ferror(log->f);
	errno = 0;
	if (fclose(log->f) || bad)
		err_set(e, errno ? errno : EIO,
			"write_iolog=%.200s: not all of it could be written", log->path);
	else if (dropped)
		err_set(e, EOVERFLOW,
			"write_iolog=%.200s: its disk was too slow, %" PRIu64
			" I/Os are missing in it",
			log->path, dropped);
	free(log->path);
	for (size_t i = 0; i < log->n_jobs; i++)
		free(log->jobs[i].files);
	free(log->jobs);
	return -e->code;
}

int traces_close(struct traces *all, uint64_t now_ns, struct err *e)
{
	int rc = 0;

	traces_drain(all, UINT64_MAX);
	for (size_t i = 0; i < all->n; i++) {
		struct err why = {0};

		if (close_log(&all->v[i], now_ns, &why) && rc == 0) {
			*e = why;
			rc = -why.code;
		}
	}
	free(all->v);
	*all = (struct traces){0};
	return rc;
}
