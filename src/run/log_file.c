#include "src/run/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/xalloc.h"

#define FIO_BUCKETS  1856u
#define BUFFER_BYTES (64u << 10)

static const struct {
	const char *suffix;
	size_t prefix; /* field of job_spec */
} kinds[LOG_KINDS] = {
	[LOG_BW] = {"bw", offsetof(struct job_spec, write_bw_log)},
	[LOG_IOPS] = {"iops", offsetof(struct job_spec, write_iops_log)},
	[LOG_LAT] = {"lat", offsetof(struct job_spec, write_lat_log)},
	[LOG_SLAT] = {"slat", offsetof(struct job_spec, write_lat_log)},
	[LOG_CLAT] = {"clat", offsetof(struct job_spec, write_lat_log)},
	[LOG_HIST] = {"clat_hist", offsetof(struct job_spec, write_hist_log)},
};

static const char *prefix_of(const struct job_spec *js, enum log_kind kind)
{
	return *(char *const *)(const void *)((const char *)js + kinds[kind].prefix);
}

bool log_wanted(const struct job_spec *js, enum log_kind kind)
{
	if (!prefix_of(js, kind))
		return false;
	switch (kind) {
	case LOG_LAT:
		return !js->disable_lat && !js->gtod_reduce;
	case LOG_SLAT:
		return !js->disable_slat && !js->gtod_reduce;
	case LOG_CLAT:
	case LOG_HIST:
		return !js->disable_clat && !js->gtod_reduce;
	default:
		return true;
	}
}

char *log_path(const struct job_spec *js, enum log_kind kind, bool simulated, unsigned job_number)
{
	const char *prefix = prefix_of(js, kind), *badge = simulated ? ".sim" : "";

	if (!*prefix)
		prefix = js->name;
	if (!js->per_job_logs)
		return xasprintf("%s_%s%s.log", prefix, kinds[kind].suffix, badge);
	return xasprintf("%s_%s%s.%u.log", prefix, kinds[kind].suffix, badge, job_number);
}

static FILE *open_regular(const char *path, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
	struct stat st;
	FILE *f;

	if (fd < 0) {
		err_set(e, errno, "log %s: %s", path, strerror(errno));
		return NULL;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		err_set(e, EINVAL, "log %s: not a regular file; it is left alone", path);
		close(fd);
		return NULL;
	}
	f = ftruncate(fd, 0) == 0 ? fdopen(fd, "w") : NULL;
	if (!f) {
		err_set(e, errno, "log %s: %s", path, strerror(errno));
		close(fd);
		return NULL;
	}
	setvbuf(f, NULL, _IOFBF, BUFFER_BYTES);
	return f;
}

struct log_file *log_file_get(struct log_files *all, const char *path, struct err *e)
{
	struct log_file *file;
	FILE *f;

	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->v[i]->path, path) == 0)
			return all->v[i];
	f = open_regular(path, e);
	if (!f)
		return NULL;
	file = xcalloc(1, sizeof(*file));
	file->path = xstrdup(path);
	file->f = f;
	all->v = xrealloc(all->v, (all->n + 1) * sizeof(struct log_file *));
	all->v[all->n++] = file;
	return file;
}

void log_files_flush(struct log_files *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (!all->v[i]->failed && fflush(all->v[i]->f))
			all->v[i]->failed = true;
}

int log_files_close(struct log_files *all, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct log_file *file = all->v[i];
		bool bad = file->failed || ferror(file->f);

		errno = 0;
		if (fclose(file->f) || bad)
			rc = err_set(e, errno ? errno : EIO,
				     "log %s: not all of it could be written", file->path);
		free(file->path);
		free(file);
	}
	free(all->v);
	*all = (struct log_files){0};
	return rc;
}

/* The order of fio: time, value, direction, block size, [offset,] priority (always 0 here). */
void log_write_row(struct log_file *file, const struct job_spec *js, const struct log_row *r)
{
	if (file->failed)
		return;
	fprintf(file->f, "%" PRIu64 ", %" PRIu64 ", %u, %u", r->t_ms, r->value, (unsigned)r->op,
		r->bs);
	if (js->log_offset)
		fprintf(file->f, ", %" PRIu64, r->offset);
	fputs(", 0\n", file->f);
	file->failed = ferror(file->f);
}

void log_write_sum(struct log_file *file, const struct log_row *r)
{
	if (file->failed)
		return;
	fprintf(file->f, "%" PRIu64 ", %" PRIu64 ", %u, 0, 0\n", r->t_ms, r->value,
		(unsigned)r->op);
	file->failed = ferror(file->f);
}

void log_write_hist(struct log_file *file, const struct job_spec *js, const struct log_row *r,
		    const struct hist *h)
{
	unsigned shift = js->log_hist_coarseness, columns = FIO_BUCKETS >> shift;
	uint64_t *sum;

	if (file->failed)
		return;
	sum = xcalloc(columns, sizeof(*sum));
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		unsigned column = (i < FIO_BUCKETS ? i : FIO_BUCKETS - 1) >> shift;

		sum[column < columns ? column : columns - 1] += h->n[i];
	}
	fprintf(file->f, "%" PRIu64 ", %u, %u", r->t_ms, (unsigned)r->op, r->bs);
	for (unsigned i = 0; i < columns; i++)
		fprintf(file->f, ", %" PRIu64, sum[i]);
	fputc('\n', file->f);
	free(sum);
	file->failed = ferror(file->f);
}
