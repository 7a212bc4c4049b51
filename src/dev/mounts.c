#include "src/dev/mounts.h"

#include <ctype.h>
#include <errno.h>
#include <libmount/libmount.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/sysfs.h"

static const char *const system_targets[] = {"/", "/boot", "/boot/efi", "/efi"};

/*
 * The block device that a source column or a swap line names; in a fixture by sysfs alone. Only paths
 * below /dev are looked at: others may hang (a dead NFS server).
 */
static int source_devno(const char *fsroot, const char *source, uint32_t *major, uint32_t *minor)
{
	struct stat st;

	if (!source || strncmp(source, "/dev/", 5))
		return -ENODEV;
	/* A name of another namespace may be missing here; the kernel's own names still work. */
	if (!sysfs_is_real(fsroot) || stat(source, &st))
		return sysfs_find_name(fsroot, source, major, minor);
	if (!S_ISBLK(st.st_mode))
		return -ENODEV;
	*major = major(st.st_rdev);
	*minor = minor(st.st_rdev);
	return 0;
}

/* The same mount point is in every namespace that shares or copied it. A later one may be `system`. */
static bool have_row(struct mounts *m, uint32_t major, uint32_t minor, const char *target,
		     bool is_system)
{
	for (size_t i = 0; i < m->n; i++) {
		struct mount_row *row = &m->v[i];

		if (row->major != major || row->minor != minor || strcmp(row->target, target))
			continue;
		row->is_system = row->is_system || is_system;
		return true;
	}
	return false;
}

static bool is_system_target(const char *target)
{
	for (size_t i = 0; i < sizeof(system_targets) / sizeof(*system_targets); i++)
		if (strcmp(target, system_targets[i]) == 0)
			return true;
	return false;
}

static void add_row(struct mounts *m, uint32_t major, uint32_t minor, const char *target,
		    const char *fstype, bool is_system)
{
	if (have_row(m, major, minor, target, is_system))
		return;
	if (m->n == m->cap) {
		m->cap = m->cap ? 2 * m->cap : 32;
		m->v = xrealloc(m->v, m->cap * sizeof(*m->v));
	}
	m->v[m->n++] = (struct mount_row){
		.major = major,
		.minor = minor,
		.target = xstrdup(target),
		.fstype = xstrdup(fstype ? fstype : ""),
		.is_system = is_system,
	};
}

static void add_mount(struct mounts *m, const char *fsroot, struct libmnt_fs *fs, bool system_ns)
{
	const char *target = mnt_fs_get_target(fs), *source = mnt_fs_get_source(fs);
	dev_t dev = mnt_fs_get_devno(fs);
	uint32_t major = major(dev), minor = minor(dev);
	char *copy, *save, *one;

	if (!target)
		return;
	if (major != 0) {
		add_row(m, major, minor, target, mnt_fs_get_fstype(fs),
			system_ns && is_system_target(target));
		return;
	}
	/* An anonymous number: what the source names. bcachefs joins its members with ':'. */
	if (!source || strncmp(source, "/dev/", 5))
		return; /* "server:/dev/sda" is not ours */
	copy = xstrdup(source);
	for (one = strtok_r(copy, ":", &save); one; one = strtok_r(NULL, ":", &save))
		if (source_devno(fsroot, one, &major, &minor) == 0)
			add_row(m, major, minor, target, mnt_fs_get_fstype(fs),
				system_ns && is_system_target(target));
	free(copy);
}

/* One mountinfo file. */
static int load_table(struct mounts *m, const char *fsroot, const char *file, bool system_ns)
{
	struct libmnt_table *tb = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char path[PATH_MAX];
	int rc = sysfs_path(path, sizeof(path), fsroot, "%s", file);

	if (!tb || !it)
		rc = -ENOMEM;
	if (rc >= 0)
		rc = access(path, R_OK) ? -errno : mnt_table_parse_file(tb, path);
	while (rc == 0 && mnt_table_next_fs(tb, it, &fs) == 0)
		add_mount(m, fsroot, fs, system_ns);
	mnt_free_iter(it);
	mnt_unref_table(tb);
	return rc;
}

/* --- every mount namespace --- */

struct ns_scan {
	struct mounts *m;
	const char *fsroot;
	char (*seen)[64]; /* "mnt:[4026531841]" */
	size_t n_seen;
};

static bool ns_is_new(struct ns_scan *s, const char *pid)
{
	char ns[64];

	if (sysfs_link_base(s->fsroot, ns, sizeof(ns), "/proc/%s/ns/mnt", pid) <= 0)
		return false;
	for (size_t i = 0; i < s->n_seen; i++)
		if (strcmp(s->seen[i], ns) == 0)
			return false;
	s->seen = xrealloc(s->seen, (s->n_seen + 1) * sizeof(*s->seen));
	strcpy(s->seen[s->n_seen++], ns);
	return true;
}

static int scan_pid(void *arg, const char *entry)
{
	struct ns_scan *s = arg;
	char file[PATH_MAX];

	if (!isdigit((unsigned char)entry[0]) || !ns_is_new(s, entry))
		return 0;
	snprintf(file, sizeof(file), "/proc/%.32s/mountinfo", entry);
	load_table(s->m, s->fsroot, file, false); /* it may have ended meanwhile */
	return 0;
}

static void load_other_namespaces(struct mounts *m, const char *fsroot)
{
	struct ns_scan s = {.m = m, .fsroot = fsroot};

	ns_is_new(&s, "self");
	ns_is_new(&s, "1");
	sysfs_each(fsroot, "/proc", scan_pid, &s);
	free(s.seen);
}

/* --- file systems on several devices --- */

/*
 * A mounted btrfs or bcachefs has a folder per file system in sysfs that lists its members. Each
 * member gets the rows of the one that a mount names, or one row that tells the file system.
 */
struct multi_fs {
	const char *fstype, *base, *members, *devno; /* base/ID/members/ENTRY/devno */
};

static const struct multi_fs multi_fs_table[] = {
	{"btrfs", "/sys/fs/btrfs", "/devices", "dev"},
	{"bcachefs", "/sys/fs/bcachefs", "", "block/dev"},
};

struct member_scan {
	const struct multi_fs *kind;
	struct mounts *m;
	const char *fsroot;
	char folder[PATH_MAX]; /* of the members of one file system */
	uint32_t (*dev)[2];
	size_t n;
};

static int collect_member(void *arg, const char *entry)
{
	struct member_scan *s = arg;
	uint32_t major, minor;

	if (sysfs_devno(s->fsroot, &major, &minor, "%s/%s/%s", s->folder, entry, s->kind->devno))
		return 0;
	s->dev = xrealloc(s->dev, (s->n + 1) * sizeof(*s->dev));
	s->dev[s->n][0] = major;
	s->dev[s->n++][1] = minor;
	return 0;
}

static bool is_member(const struct member_scan *s, uint32_t major, uint32_t minor)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->dev[k][0] == major && s->dev[k][1] == minor)
			return true;
	return false;
}

static void share_rows(struct member_scan *s, const char *fs_id)
{
	char unnamed[PATH_MAX];
	size_t before = s->m->n;
	bool found = false;

	for (size_t i = 0; i < before; i++) {
		struct mount_row row = s->m->v[i]; /* a copy: add_row moves the rows */

		if (!is_member(s, row.major, row.minor))
			continue;
		found = true;
		for (size_t k = 0; k < s->n; k++)
			add_row(s->m, s->dev[k][0], s->dev[k][1], row.target, row.fstype,
				row.is_system);
	}
	snprintf(unnamed, sizeof(unnamed), "%s %s", s->kind->fstype, fs_id);
	for (size_t k = 0; !found && k < s->n; k++)
		add_row(s->m, s->dev[k][0], s->dev[k][1], unnamed, s->kind->fstype, false);
}

static int visit_multi_fs(void *arg, const char *fs_id)
{
	struct member_scan *s = arg;

	s->n = 0;
	snprintf(s->folder, sizeof(s->folder), "%s/%.64s%s", s->kind->base, fs_id,
		 s->kind->members);
	sysfs_each(s->fsroot, s->folder, collect_member, s);
	share_rows(s, fs_id);
	return 0;
}

static void load_multi_fs(struct mounts *m, const char *fsroot)
{
	for (size_t i = 0; i < sizeof(multi_fs_table) / sizeof(*multi_fs_table); i++) {
		struct member_scan s = {.kind = &multi_fs_table[i], .m = m, .fsroot = fsroot};

		sysfs_each(fsroot, s.kind->base, visit_multi_fs, &s);
		free(s.dev);
	}
}

/* --- swap --- */

static void add_swap(struct mounts *m, const char *fsroot, struct libmnt_fs *fs)
{
	const char *path = mnt_fs_get_source(fs);
	uint32_t major, minor;

	if (source_devno(fsroot, path, &major, &minor))
		return; /* a swap file: its disk is mounted anyway */
	m->swap = xrealloc(m->swap, (m->n_swap + 1) * sizeof(*m->swap));
	m->swap[m->n_swap++] =
		(struct swap_row){.major = major, .minor = minor, .path = xstrdup(path)};
}

static int load_swaps(struct mounts *m, const char *fsroot)
{
	struct libmnt_table *tb = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char path[PATH_MAX];
	int rc = sysfs_path(path, sizeof(path), fsroot, "/proc/swaps");

	if (!tb || !it)
		rc = -ENOMEM;
	if (rc >= 0)
		rc = access(path, R_OK) ? -errno : mnt_table_parse_swaps(tb, path);
	if (rc == -ENOENT)
		rc = 0; /* a kernel without swap */
	while (rc == 0 && mnt_table_next_fs(tb, it, &fs) == 0)
		add_swap(m, fsroot, fs);
	mnt_free_iter(it);
	mnt_unref_table(tb);
	return rc;
}

int mounts_load(const char *fsroot, enum mounts_scope scope, struct mounts *out, struct err *e)
{
	int rc;

	memset(out, 0, sizeof(*out));
	rc = load_table(out, fsroot, "/proc/self/mountinfo", true);
	if (rc)
		return err_set(e, -rc, "/proc/self/mountinfo: %s", strerror(-rc));
	out->init_unreadable = load_table(out, fsroot, "/proc/1/mountinfo", true) != 0;
	if (scope == MOUNTS_ALL_NAMESPACES)
		load_other_namespaces(out, fsroot);
	load_multi_fs(out, fsroot);
	rc = load_swaps(out, fsroot);
	if (rc) {
		mounts_fini(out);
		return err_set(e, -rc, "/proc/swaps: %s", strerror(-rc));
	}
	return 0;
}

void mounts_fini(struct mounts *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].target);
		free(m->v[i].fstype);
	}
	for (size_t i = 0; i < m->n_swap; i++)
		free(m->swap[i].path);
	free(m->v);
	free(m->swap);
	memset(m, 0, sizeof(*m));
}

const struct mount_row *mounts_find(const struct mounts *m, uint32_t major, uint32_t minor,
				    size_t n)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].major == major && m->v[i].minor == minor && n-- == 0)
			return &m->v[i];
	return NULL;
}

const struct swap_row *mounts_find_swap(const struct mounts *m, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < m->n_swap; i++)
		if (m->swap[i].major == major && m->swap[i].minor == minor)
			return &m->swap[i];
	return NULL;
}

int mounts_fs_type(const char *fsroot, int mount_id, char *out, size_t size)
{
	struct libmnt_table *tb = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char path[PATH_MAX];
	int rc = -ENOENT;

	out[0] = '\0';
	if (tb && it && sysfs_path(path, sizeof(path), fsroot, "/proc/self/mountinfo") > 0 &&
	    mnt_table_parse_file(tb, path) == 0)
		while (rc && mnt_table_next_fs(tb, it, &fs) == 0)
			if (mnt_fs_get_id(fs) == mount_id) {
				snprintf(out, size, "%s", mnt_fs_get_fstype(fs));
				rc = 0;
			}
	mnt_free_iter(it);
	mnt_unref_table(tb);
	return rc;
}
