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

static int make_file(struct target *t, const struct target_env *env, struct err *e)
{
	int fd, rc;

	if (env->readonly) /* it was there when the run was admitted */
		return err_set(e, EROFS,
			       "%s: is not there any more, and --readonly forbids to make it",
			       t->path);
	rc = make_folder(t->path, e);
	if (rc)
		return rc;
	fd = ownfile_create(t->path, 0, e);
	if (fd >= 0)
		t->created = t->ours = true;
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

static bool wants_data(const struct target *t)
{
	return t->reads || t->how.fill;
}

/*
 * From where on it must be filled. Of our own file nothing but data may be read, so from its first hole
 * (unwritten extents count as holes); of somebody else's nothing that is there is touched.
 */
static uint64_t fill_from(const struct target *t, int fd, uint64_t size)
{
	off_t hole;

	if (!wants_data(t) || !t->ours || size == 0)
		return size;
	hole = lseek(fd, 0, SEEK_HOLE);
	return hole < 0 || (uint64_t)hole > size ? size : (uint64_t)hole;
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

/* Fills the file up; fd may be written. */
static int complete(struct target *t, int fd, struct layout_progress *p, struct err *e)
{
	struct stat st;
	uint64_t from;
	int rc;

	if (fstat(fd, &st) < 0)
		return err_set(e, errno, "%s: %s", t->path, strerror(errno));
	from = fill_from(t, fd, (uint64_t)st.st_size);
	if (from >= t->need_bytes || t->how.empty)
		return 0;
	rc = wants_data(t) ? fill(t, fd, from, p, e) : reserve(t, fd, from, p, e);
	if (rc == 0 && !t->how.no_fsync && fsync(fd) < 0)
		rc = no_space(t, errno, t->need_bytes, e);
	if (rc)
		take_back(t, fd, (uint64_t)st.st_size);
	return rc;
}

/* What the run will find: identity, size, alignment. */
static int look_again(struct target *t, int fd, const char *fsroot, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(e, errno, "%s: %s", t->path, strerror(errno));
	t->dev = st.st_dev;
	t->ino = st.st_ino;
	t->ours = ownfile_is_ours(fd, t->path);
	return fileinfo_get(fd, fsroot, &t->info, e);
}

static int layout_new(struct target *t, const struct target_env *env, struct layout_progress *p,
		      struct err *e)
{
	int fd = make_file(t, env, e), rc;

	if (fd < 0)
		return fd;
	rc = complete(t, fd, p, e);
	if (rc == 0)
		rc = ownfile_seal(fd, t->path, e);
	if (rc == 0)
		rc = look_again(t, fd, env->fsroot, e);
	close(fd);
	return rc;
}

static int complete_held(struct target *t, const struct target_env *env, struct layout_progress *p,
			 struct err *e)
{
	int rc = t->hold ? 0 : target_agree(t, env, e);

	if (rc == 0)
		rc = hold_take(t->hold, env->fsroot, e);
	return rc ? rc : complete(t, t->hold->fd, p, e);
}

/* It was there at the start, or an earlier job of this run has made it meanwhile. */
static int layout_existing(struct target *t, const struct target_env *env,
			   struct layout_progress *p, struct err *e)
{
	int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), rc = 0;
	struct stat st;

	if (fd < 0)
		return err_set(e, errno, "%s: %s", t->path, strerror(errno));
	if (t->info.kind == TARGET_MISSING)
		rc = look_again(t, fd, env->fsroot, e);
	if (rc == 0 && fstat(fd, &st) < 0)
		rc = err_set(e, errno, "%s: %s", t->path, strerror(errno));
	if (rc == 0 && fill_from(t, fd, (uint64_t)st.st_size) < t->need_bytes) {
		rc = complete_held(t, env, p, e);
		if (rc == 0)
			rc = look_again(t, fd, env->fsroot, e);
	}
	close(fd);
	return rc;
}

int target_layout(struct target *t, const struct target_env *env, struct layout_progress *p,
		  struct err *e)
{
	struct stat st;
	int rc;

	if (t->info.kind != TARGET_FILE && t->info.kind != TARGET_MISSING)
		return 0;
	if (stat(t->path, &st) < 0 && errno == ENOENT)
		rc = layout_new(t, env, p, e);
	else
		rc = layout_existing(t, env, p, e);
	if (rc == 0 && t->writes && !t->hold)
		rc = target_agree(t, env, e);
	return rc;
}
