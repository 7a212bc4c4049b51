/* Making and filling the files that are ours, before a job starts. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/rng.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"
#include "src/run/target.h"
#include "src/spec/job_spec.h"

#define CHUNK_BYTES (1u << 20)

static int make_folder(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int rc;

	if (!slash || slash == path)
		return 0;
	folder = xasprintf("%.*s", (int)(slash - path), path);
	rc = fs_mkdirs(folder);
	if (rc)
		err_set(e, -rc, "%s: %s", folder, strerror(-rc));
	free(folder);
	return rc;
}

static int make_file(struct target *t, struct err *e)
{
	int fd, rc = make_folder(t->path, e);

	if (rc)
		return rc;
	fd = open(t->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_set(e, errno, "%s: cannot make it: %s", t->path, strerror(errno));
	rc = ownfile_mark(fd, t->path, e);
	if (rc) {
		/* Nothing but an empty file that we made a moment ago. */
		unlink(t->path);
		close(fd);
		return rc;
	}
	t->created = t->ours = true;
	return fd;
}

static int open_own(struct target *t, struct err *e)
{
	int fd = open(t->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return err_set(e, errno, "%s: %s", t->path, strerror(errno));
	if (!ownfile_is_ours(fd, t->path)) {
		close(fd);
		return err_set(e, EPERM, "%s: was not made by iodeck; not filled", t->path);
	}
	return fd;
}

static int no_space(const struct target *t, int code, uint64_t at, struct err *e)
{
	char done[32];

	units_fmt_bytes(done, sizeof(done), (double)at, false);
	return err_set(e, code, "%s: laying out the file stopped at %s: %s", t->path, done,
		       strerror(code));
}

/* A new word in every sector: no two chunks are alike, whatever a device deduplicates. */
static void restamp(uint8_t *buf, struct rng *rng)
{
	for (uint64_t i = 0; i < CHUNK_BYTES; i += 512) {
		uint64_t word = rng_next(rng);

		memcpy(buf + i, &word, sizeof(word));
	}
}

/* Random data from `from` to the needed length: holes would be read at the speed of memory. */
static int fill(struct target *t, int fd, uint64_t from, struct layout_progress *p, struct err *e)
{
	uint8_t *buf = buf_alloc(CHUNK_BYTES);
	struct rng rng;
	int rc = 0;

	if (!buf)
		return err_set(e, ENOMEM, "no memory to lay out %s", t->path);
	rng_seed(&rng, rng_mix64((uint64_t)t->ino ^ clock_mono_ns()));
	rng_fill(&rng, buf, CHUNK_BYTES);
	for (uint64_t at = from; at < t->need_bytes && rc == 0;) {
		uint64_t left = t->need_bytes - at;
		ssize_t n;

		restamp(buf, &rng);
		n = pwrite(fd, buf, left < CHUNK_BYTES ? left : CHUNK_BYTES, (off_t)at);
		if (n < 0 && errno != EINTR)
			rc = no_space(t, errno, at, e);
		if (n <= 0)
			continue;
		/* Start write-back now, so that the final fsync is short and the bar honest. */
		sync_file_range(fd, (off_t)at, n, SYNC_FILE_RANGE_WRITE);
		at += (uint64_t)n;
		atomic_fetch_add(&p->done, (uint64_t)n);
		if (atomic_load(p->cancel))
			rc = err_set(e, ECANCELED, "laying out %s was cancelled", t->path);
	}
	buf_free(buf, CHUNK_BYTES);
	return rc;
}

static int set_length(const struct target *t, int fd)
{
	return ftruncate(fd, (off_t)t->need_bytes) < 0 ? errno : 0;
}

/* 0 or the errno; a file system that cannot reserve gets the length only. */
static int reserve_space(const struct target *t, int fd, int mode, uint64_t from)
{
	off_t len = (off_t)(t->need_bytes - from);

	if (fallocate(fd, mode, (off_t)from, len) == 0)
		return 0;
	return errno == EOPNOTSUPP ? set_length(t, fd) : errno;
}

/* Space for a job that only writes. */
static int reserve(struct target *t, int fd, uint64_t from, struct layout_progress *p,
		   struct err *e)
{
	uint64_t len = t->need_bytes - from;
	int code = 0;

	switch ((enum fallocate_mode)t->how.fallocate) {
	case FALLOC_NATIVE:
		code = reserve_space(t, fd, 0, from);
		break;
	case FALLOC_KEEP:
		code = reserve_space(t, fd, FALLOC_FL_KEEP_SIZE, from);
		break;
	case FALLOC_POSIX:
		code = posix_fallocate(fd, (off_t)from, (off_t)len);
		break;
	case FALLOC_TRUNCATE:
		code = set_length(t, fd);
		break;
	case FALLOC_NONE: /* grows as it is written */
		break;
	}
	if (code)
		return no_space(t, code, from, e);
	atomic_fetch_add(&p->done, len);
	return 0;
}

/* Where the file stops holding data: its end, or its first hole (unwritten extents count as holes). */
static uint64_t data_end(int fd, uint64_t size)
{
	off_t hole = size ? lseek(fd, 0, SEEK_HOLE) : 0;

	return hole < 0 || (uint64_t)hole > size ? size : (uint64_t)hole;
}

static bool wants_data(const struct target *t)
{
	return t->reads || t->how.fill;
}

static void take_back(struct target *t, int fd, uint64_t old_size)
{
	if (t->created) {
		ownfile_unlink(fd, t->path, NULL);
		t->created = false;
	} else if (ftruncate(fd, (off_t)old_size) < 0) {
		return; /* it is ours and stays longer than before: no data of anybody is lost */
	}
}

int target_layout(struct target *t, struct layout_progress *p, struct err *e)
{
	struct stat st;
	uint64_t from;
	int fd, rc = 0;

	if (t->info.kind != TARGET_FILE && t->info.kind != TARGET_MISSING)
		return 0;
	/* An earlier job of the same run may have made it meanwhile. */
	fd = stat(t->path, &st) < 0 && errno == ENOENT ? make_file(t, e) : -1;
	if (fd == -1 && !t->ours && t->info.kind == TARGET_FILE)
		return 0; /* admitted as it is: long enough, only read */
	if (fd == -1)
		fd = open_own(t, e);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		rc = err_set(e, errno, "%s: %s", t->path, strerror(errno));
	from = wants_data(t) ? data_end(fd, (uint64_t)st.st_size) : (uint64_t)st.st_size;
	if (rc == 0 && from < t->need_bytes && !t->how.empty) {
		rc = wants_data(t) ? fill(t, fd, from, p, e) : reserve(t, fd, from, p, e);
		if (rc == 0 && !t->how.no_fsync && fsync(fd) < 0)
			rc = no_space(t, errno, t->need_bytes, e);
		if (rc)
			take_back(t, fd, (uint64_t)st.st_size);
	}
	if (rc == 0 && fstat(fd, &st) == 0) {
		t->ours = true;
		t->dev = st.st_dev;
		t->ino = st.st_ino;
		rc = fileinfo_get(fd, "", &t->info, e);
	}
	close(fd);
	return rc;
}
