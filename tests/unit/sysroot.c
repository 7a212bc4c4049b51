#include "tests/unit/sysroot.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_MAX 8

static void make_folders(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		cr_assert(mkdir(path, 0700) == 0 || errno == EEXIST, "%s: %m", path);
		*p = '/';
	}
}

static void write_file(const struct sysroot *r, const char *path, const char *text, bool append)
{
	char full[PATH_MAX];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", r->path, path);
	f = fopen(full, append ? "ae" : "we");
	if (!f) {
		make_folders(full);
		f = fopen(full, append ? "ae" : "we");
	}
	cr_assert(f, "%s: %m", full);
	for (const char *p = text; *p; p++)
		if (p[0] == '\\' && p[1] == 'n')
			fputc('\n', f), p++;
		else
			fputc(*p, f);
	fputc('\n', f);
	fclose(f);
}

static void make_link(const struct sysroot *r, const char *path, const char *target)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", r->path, path);
	if (symlink(target, full) == 0)
		return;
	make_folders(full);
	cr_assert_eq(symlink(target, full), 0, "%s: %m", full);
}

/* The device's folder as a path below the root, through /sys/class/block. */
static void device_path(char out[PATH_MAX], const char *name, const char *attr)
{
	snprintf(out, PATH_MAX, "/sys/class/block/%s/%s", name, attr);
}

static void set_attr(const struct sysroot *r, const char *name, const char *attr, const char *text)
{
	char path[PATH_MAX];

	device_path(path, name, attr);
	write_file(r, path, text, false);
}

static void add_device(const struct sysroot *r, const char *name, const char *devno,
		       const char *folder, const char *sectors)
{
	char path[PATH_MAX], target[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/devices/%s/%s/dev", folder, name);
	write_file(r, path, devno, false);
	snprintf(target, sizeof(target), "../../devices/%s/%s", folder, name);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", devno);
	make_link(r, path, target);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	make_link(r, path, target);
	set_attr(r, name, "size", sectors);
	set_attr(r, name, "ro", "0");
}

static void add_partition(const struct sysroot *r, char **w)
{
	char full[PATH_MAX], target[PATH_MAX], *folder;
	ssize_t n;

	snprintf(full, sizeof(full), "%s/sys/class/block/%s", r->path, w[3]);
	n = readlink(full, target, sizeof(target) - 1);
	cr_assert_gt(n, 0, "no disk %s", w[3]);
	target[n] = '\0';
	folder = strstr(target, "/devices/") + strlen("/devices/");
	add_device(r, w[1], w[2], folder, w[6]);
	set_attr(r, w[1], "partition", w[4]);
	set_attr(r, w[1], "start", w[5]);
}

static void put_on(const struct sysroot *r, const char *upper, const char *lower)
{
	char path[PATH_MAX], attr[128], target[128];

	snprintf(attr, sizeof(attr), "holders/%s", upper);
	snprintf(target, sizeof(target), "../../%s", upper);
	device_path(path, lower, attr);
	make_link(r, path, target);
	snprintf(attr, sizeof(attr), "slaves/%s", lower);
	snprintf(target, sizeof(target), "../../%s", lower);
	device_path(path, upper, attr);
	make_link(r, path, target);
}

static void add_mount(const struct sysroot *r, const char *pid, char **w)
{
	static int id = 100;
	char path[64], line[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", pid);
	snprintf(line, sizeof(line), "%d 1 %s / %s rw,relatime shared:1 - %s %s rw", id++, w[0],
		 w[1], w[2], w[3]);
	write_file(r, path, line, true);
}

static void add_swap(const struct sysroot *r, char **w)
{
	char line[PATH_MAX];

	snprintf(line, sizeof(line), "%s\t\t%s\t1000\t0\t-2", w[1], w[2]);
	write_file(r, "/proc/swaps", line, true);
}

static void remove_path(const struct sysroot *r, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", r->path, path);
	cr_assert_eq(remove(full), 0, "%s: %m", full);
}

/* Cuts the first `max` words off; the last one takes the rest of the line. */
static int split(char *line, char **w, int max)
{
	int n = 0;

	while (n < max) {
		line += strspn(line, " \t");
		if (!*line)
			break;
		w[n++] = line;
		if (n == max)
			break;
		line += strcspn(line, " \t");
		if (*line)
			*line++ = '\0';
	}
	return n;
}

static void run_line(struct sysroot *r, const char *text)
{
	static const struct {
		const char *word;
		int words;
	} table[] = {{"disk", 5}, {"part", 7},  {"set", 4},  {"link", 4},
		     {"on", 3},   {"mount", 5}, {"swap", 3}, {"mount-in", 6},
		     {"file", 3}, {"ln", 3},    {"rm", 2}};
	char *copy = strdup(text), *w[WORDS_MAX], path[PATH_MAX], word[16] = "";
	int want = 0;

	sscanf(text, "%15s", word);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (strcmp(word, table[i].word) == 0)
			want = table[i].words;
	cr_assert(want && split(copy, w, want) == want, "bad line: %s", text);
	if (strcmp(word, "disk") == 0) {
		add_device(r, w[1], w[2], w[3], w[4]);
	} else if (strcmp(word, "part") == 0) {
		add_partition(r, w);
	} else if (strcmp(word, "set") == 0) {
		set_attr(r, w[1], w[2], w[3]);
	} else if (strcmp(word, "link") == 0) {
		device_path(path, w[1], w[2]);
		make_link(r, path, w[3]);
	} else if (strcmp(word, "on") == 0) {
		put_on(r, w[1], w[2]);
	} else if (strcmp(word, "mount") == 0) {
		add_mount(r, "self", w + 1);
		add_mount(r, "1", w + 1);
	} else if (strcmp(word, "mount-in") == 0) {
		add_mount(r, w[1], w + 2);
	} else if (strcmp(word, "swap") == 0) {
		add_swap(r, w);
	} else if (strcmp(word, "file") == 0) {
		write_file(r, w[1], w[2], true);
	} else if (strcmp(word, "ln") == 0) {
		make_link(r, w[1], w[2]);
	} else {
		remove_path(r, w[1]);
	}
	free(copy);
}

void sysroot_line(struct sysroot *r, const char *fmt, ...)
{
	char line[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	run_line(r, line);
}

void sysroot_init(struct sysroot *r)
{
	/* Hundreds of small files: in memory where that is possible. */
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	snprintf(r->path, sizeof(r->path), "%s/iodeck-sys.XXXXXX", base);
	cr_assert(mkdtemp(r->path), "%s: %m", r->path);
	run_line(r, "file /proc/swaps Filename\tType\tSize\tUsed\tPriority");
	run_line(r, "ln /proc/self/ns/mnt mnt:[1]");
	run_line(r, "ln /proc/1/ns/mnt mnt:[1]");
	run_line(r, "mount 0:20 /proc proc proc");
	run_line(r, "file /sys/dev/block/.keep -");
}

void sysroot_load(struct sysroot *r, const char *fixture)
{
	char path[PATH_MAX], line[PATH_MAX];
	FILE *f;

	sysroot_init(r);
	snprintf(path, sizeof(path), "tests/fixtures/sysroot/%s.tree", fixture);
	f = fopen(path, "re");
	cr_assert(f, "%s: %m", path);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " \t")] && line[0] != '#')
			run_line(r, line);
	}
	fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

void sysroot_fini(struct sysroot *r)
{
	nftw(r->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
