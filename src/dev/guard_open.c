/* Consent, and what it opens. The only place of iodeck that opens a target for writing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/guard.h"
#include "src/dev/guard_report.h"

#define EXTRA_FLAGS (O_DIRECT | O_SYNC | O_DSYNC | O_NOATIME | O_NONBLOCK)

struct write_grant {
	bool is_block,
		is_number; /* is_number false: null, zero, full: nothing to compare but rdev */
	uint32_t major, minor;
	uint64_t ino, born_ns, diskseq;
	char name[128];
};

/* --- consent --- */

void guard_id_of(const struct guard_report *r, struct guard_id *id)
{
	*id = (struct guard_id){
		.is_block = r->is_block,
		.major = r->major,
		.minor = r->minor,
		.ino = r->is_block ? 0 : r->ino,
		.born_ns = r->is_block ? 0 : r->born_ns,
		.diskseq = r->is_block ? r->diskseq : 0,
	};
}

bool guard_id_equal(const struct guard_id *a, const struct guard_id *b)
{
	return a->is_block == b->is_block && a->major == b->major && a->minor == b->minor &&
	       a->ino == b->ino && a->born_ns == b->born_ns && a->diskseq == b->diskseq;
}

int guard_id_of_fd(int fd, const char *path, struct guard_id *id, struct err *e)
{
	struct stat st;
	bool is_block;

	if (fstat(fd, &st))
		return err_set(e, errno, "%s: %s", path, strerror(errno));
	is_block = S_ISBLK(st.st_mode);
	*id = (struct guard_id){
		.is_block = is_block,
		.major = major(is_block ? st.st_rdev : st.st_dev),
		.minor = minor(is_block ? st.st_rdev : st.st_dev),
		.ino = is_block ? 0 : st.st_ino,
		.born_ns = is_block ? 0 : guard_born_ns(fd),
		.diskseq = is_block ? guard_diskseq(fd) : 0,
	};
	return 0;
}

static int check_kind(int fd, const char *path, bool is_block, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_set(e, errno, "%s: %s", path, strerror(errno));
	if (is_block && !S_ISBLK(st.st_mode))
		return err_set(e, ENOTBLK, "%s: is not a block device", path);
	if (!is_block && !S_ISREG(st.st_mode))
		return err_set(e, EINVAL, "%s: is not a regular file", path);
	return 0;
}

int guard_id_find(const char *path, bool is_block, struct guard_id *id, struct err *e)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (is_block ? 0 : O_NOFOLLOW)), rc;

	if (fd < 0 && errno == ELOOP)
		return err_set(e, ELOOP, "%s: is a symbolic link; name the file itself", path);
	if (fd < 0)
		return err_set(e, errno, "%s: %s", path, strerror(errno));
	rc = check_kind(fd, path, is_block, e);
	if (rc == 0)
		rc = guard_id_of_fd(fd, path, id, e);
	close(fd);
	return rc;
}

static bool names_target(const char *path, const struct guard_report *r)
{
	struct stat st;

	if (r->is_block)
		return stat(path, &st) == 0 && S_ISBLK(st.st_mode) &&
		       st.st_rdev == makedev(r->major, r->minor);
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_dev == makedev(r->major, r->minor) && st.st_ino == r->ino;
}

static bool has_consent(const struct guard_report *r, const struct guard_consent *c)
{
	const char *const *list = r->is_block ? c->destroy : c->overwrite;
	size_t n = r->is_block ? c->n_destroy : c->n_overwrite;
	struct guard_id id;

	guard_id_of(r, &id);
	for (size_t i = 0; i < c->n_agreed; i++)
		if (guard_id_equal(&c->agreed[i], &id))
			return true;

	if (c->typed && r->phrase[0] && strcmp(c->typed, r->phrase) == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (names_target(list[i], r))
			return true;
	return false;
}

static int no_consent(const struct guard_report *r, struct err *e)
{
	char text[320];

	guard_text(r, text, sizeof(text));
	return err_set(
		e, EPERM,
		"%s: %s; allow it with --allow-%s (each time: consent ends with the program)",
		r->name, text, r->is_block ? "destroy=DEVICE" : "overwrite=FILE");
}

struct write_grant *guard_grant(const struct guard_report *r, const struct guard_consent *consent,
				struct err *e)
{
	struct write_grant *g;
	char text[400];

	if (r->verdict == GUARD_REFUSE) {
		guard_text(r, text, sizeof(text));
		err_set(e, EBUSY, "%s: refused: %s", r->name, text[0] ? text : "not inspected");
		return NULL;
	}
	if (!r->for_writing) {
		err_set(e, EPERM, "%s: was not looked at for writing", r->name);
		return NULL;
	}
	if (r->verdict != GUARD_ALLOW && !(consent && has_consent(r, consent))) {
		no_consent(r, e);
		return NULL;
	}
	g = xcalloc(1, sizeof(*g));
	g->is_block = r->is_block;
	g->major = r->major;
	g->minor = r->minor;
	g->ino = r->ino;
	g->born_ns = r->born_ns;
	g->diskseq = r->diskseq;
	memcpy(g->name, r->name, sizeof(g->name));
	return g;
}

void guard_grant_free(struct write_grant *g)
{
	free(g);
}

/* --- opening --- */

/* Is fd what the grant is for? */
static int check_identity(const struct write_grant *g, int fd, struct err *e)
{
	struct stat st;
	bool same;

	if (fstat(fd, &st))
		return err_set(e, errno, "%s: cannot be looked at: %s", g->name, strerror(errno));
	if (g->is_block)
		same = S_ISBLK(st.st_mode) && st.st_rdev == makedev(g->major, g->minor) &&
		       guard_diskseq(fd) == g->diskseq;
	else
		same = !S_ISBLK(st.st_mode) && st.st_dev == makedev(g->major, g->minor) &&
		       st.st_ino == g->ino && guard_born_ns(fd) == g->born_ns;
	if (!same)
		return err_set(e, ENODEV, "%s: is not what was agreed to any more: %s", g->name,
			       g->is_block ? "another device has its number or name"
					   : "another file has its name");
	return 0;
}

int guard_recheck(const struct write_grant *g, int fd, const char *fsroot, struct err *e)
{
	struct guard_report r = {.verdict = GUARD_ALLOW};
	char text[400];
	int rc = check_identity(g, fd, e);

	if (rc)
		return rc;
	memcpy(r.name, g->name, sizeof(r.name));
	if (g->is_block)
		guard_judge_number(fsroot, g->major, g->minor, &r);
	else
		guard_judge_backing(fsroot, makedev(g->major, g->minor), g->ino, &r);
	if (r.verdict != GUARD_REFUSE)
		return 0;
	guard_text(&r, text, sizeof(text));
	return err_set(e,
		       guard_has_reason(&r, GUARD_GONE) || guard_has_reason(&r, GUARD_EMPTY)
			       ? ENODEV
			       : EBUSY,
		       "%s: %s", g->name, text);
}

static int open_failed(const struct write_grant *g, const char *path, int code, struct err *e)
{
	if (code == EBUSY && g->is_block)
		return err_set(e, code,
			       "%s: is claimed exclusively by something else "
			       "(mounted, swap, RAID, LVM or another program)",
			       path);
	if (code == ELOOP)
		return err_set(e, code, "%s: is a symbolic link; name the file itself", path);
	return err_set(e, code, "%s: cannot be opened for writing: %s", path, strerror(code));
}

int guard_open(const struct write_grant *g, const char *path, const char *fsroot, int extra_flags,
	       struct err *e)
{
	int flags = O_RDWR | O_CLOEXEC | (extra_flags & EXTRA_FLAGS);
	int fd = open(path, flags | (g->is_block ? O_EXCL : O_NOFOLLOW));
	int rc;

	if (fd < 0)
		return open_failed(g, path, errno, e);
	rc = guard_recheck(g, fd, fsroot, e);
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

int guard_reopen(const struct write_grant *g, int held_fd, int extra_flags, struct err *e)
{
	char path[40];
	int fd, rc;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", held_fd);
	fd = open(path, O_RDWR | O_CLOEXEC | (extra_flags & EXTRA_FLAGS));
	if (fd < 0)
		return open_failed(g, g->name, errno, e);
	rc = check_identity(g, fd, e);
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}
