#include "ui/setup_target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"
#include "src/spec/engines.h"

void setup_target_write_note(struct machine *m, const struct device *d, char *out, size_t size)
{
	const struct device_note *note = machine_note(m, d);
	char holds[200];

	machine_holds(m, d, holds, sizeof(holds));
	if (note->verdict == GUARD_REFUSE)
		snprintf(out, size, "no: %s", note->brief);
	else
		snprintf(out, size, "asks%s%s", holds[0] ? ": " : " first", holds);
}

/* What tells this disk from its like, and how it is driven: for wide screens, at the end. */
static void add_details(const struct device *d, char *out, size_t size)
{
	size_t at = strlen(out), n = strlen(d->serial);

	if (n)
		snprintf(out + at, size - at, "  s/n ..%.4s", d->serial + (n > 4 ? n - 4 : 0));
	at = strlen(out);
	if (d->scheduler[0])
		snprintf(out + at, size - at, "  sched %.16s", d->scheduler);
	at = strlen(out);
	if (d->logical_block != DEVICE_UNKNOWN_U32)
		snprintf(out + at, size - at, "  lba %u", d->logical_block);
	at = strlen(out);
	if (d->numa_node >= 0)
		snprintf(out + at, size - at, "  numa %d", d->numa_node);
}

static void block_line(const char *path, struct machine *m, dev_t rdev, struct target_look *t)
{
	const struct device *d = m ? device_find_dev(&m->devices, major(rdev), minor(rdev)) : NULL;
	char size[32], note[300];

	if (!d) {
		snprintf(t->line, sizeof(t->line), "%s  block device", path);
		return;
	}
	t->size_bytes = d->size_bytes;
	units_fmt_bytes(size, sizeof(size), (double)d->size_bytes, false);
	setup_target_write_note(m, d, note, sizeof(note));
	snprintf(t->line, sizeof(t->line), "%.90s  %.40s%s%s %s  writes: %.80s", path, d->model,
		 d->model[0] ? " " : "", size, device_kind_word(d->kind), note);
	add_details(d, t->line, sizeof(t->line));
}

static void file_line(const char *path, struct target_look *t)
{
	char size[32];

	units_fmt_bytes(size, sizeof(size), (double)t->size_bytes, false);
	if (t->kind == TARGET_OURS)
		snprintf(t->line, sizeof(t->line), "%.150s  file %s, made by iodeck", path, size);
	else
		snprintf(t->line, sizeof(t->line),
			 "%.150s  file %s, not made by iodeck: writes ask first", path, size);
}

static bool file_is_ours(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool ours = fd >= 0 && ownfile_is_ours(fd, path);

	if (fd >= 0)
		close(fd);
	return ours;
}

/* nvme0 (the controller) is taken for nvme0n1 (the disk) by many. */
static int char_device(const char *path, const struct device_list *list, struct err *e)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	for (size_t i = 0; list && i < list->n; i++)
		if (!list->v[i].is_partition && strncmp(list->v[i].name, base, n) == 0)
			return err_set(e, ENOTBLK,
				       "%s is a character device; did you mean /dev/%s?", path,
				       list->v[i].name);
	return err_set(e, ENOTBLK, "%s is a character device; a block device or a file is needed",
		       path);
}

/* A missing file: its folder must be there, and a file in /dev would be a mistyped device. */
static int new_file(const char *path, struct target_look *t, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	struct stat st;

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	if (slash == path)
		snprintf(dir, sizeof(dir), "/");
	if (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0)
		return err_set(e, ENODEV, "%s: no such device", path);
	if (stat(dir, &st) < 0)
		return err_set(e, errno, "%s: no such folder", dir);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, ENOTDIR, "%s is not a folder", dir);
	t->kind = TARGET_NEW;
	snprintf(t->line, sizeof(t->line), "%.150s  new file, laid out at the first start", path);
	return 0;
}

#define SIM_ENGINE "sim"

/* Which names there are the engine knows; it is asked at the start. */
static bool is_sim(const char *path)
{
	return strncmp(path, "sim:", 4) == 0;
}

int setup_target_look(const char *path, struct machine *m, struct target_look *t, struct err *e)
{
	struct stat st;

	*t = (struct target_look){0};
	if (is_sim(path)) {
		t->kind = TARGET_SIM;
		snprintf(t->line, sizeof(t->line), "%.100s  SIMULATED", path);
		return 0;
	}
	if (*path == '\0')
		return err_set(e, EINVAL, "a path is needed");
	if (stat(path, &st) < 0)
		return errno == ENOENT ? new_file(path, t, e)
				       : err_set(e, errno, "%s: %s", path, strerror(errno));
	if (S_ISBLK(st.st_mode)) {
		t->kind = TARGET_BLOCK;
		block_line(path, m, st.st_rdev, t);
		return 0;
	}
	if (S_ISCHR(st.st_mode))
		return char_device(path, m ? &m->devices : NULL, e);
	if (S_ISDIR(st.st_mode))
		return err_set(e, EISDIR, "%s is a folder; a file in it is needed", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, EINVAL, "%s is neither a file nor a block device", path);
	t->kind = file_is_ours(path) ? TARGET_OURS : TARGET_FOREIGN;
	t->size_bytes = (uint64_t)st.st_size;
	file_line(path, t);
	return 0;
}

/* filename= is a list with ':' between; a colon of the path itself is '\:'. */
static char *escape(const char *path)
{
	struct strbuf sb = {0};

	for (; *path; path++) {
		if (*path == ':')
			strbuf_putc(&sb, '\\');
		strbuf_putc(&sb, *path);
	}
	return sb.s;
}

bool setup_target_path(const struct ui_state *s, char *out, size_t size)
{
	size_t n = 0;

	if (!s->job.filename || size == 0)
		return false;
	if (spec_engine_of_target(s->job.filename))
		return (size_t)snprintf(out, size, "%s", s->job.filename) < size;
	for (const char *p = s->job.filename; *p; p++) {
		if (*p == ':')
			return false;
		if (*p == '\\' && p[1] == ':')
			p++;
		if (n + 1 >= size)
			return false;
		out[n++] = *p;
	}
	out[n] = '\0';
	return n > 0;
}

/* A simulated device has an engine of its own, which can do nothing else. */
static void fit_engine(struct ui_state *s, bool sim)
{
	struct job_spec *j = &s->job;
	bool now = j->ioengine && strcmp(j->ioengine, SIM_ENGINE) == 0;
	const char *want = sim ? SIM_ENGINE : "io_uring";

	if (now == sim)
		return;
	if (!sim && s->engines && s->engines[0].name)
		want = s->engines[0].name;
	for (const struct engine_info *e = s->engines; !sim && e && e->name; e++)
		if (strcmp(e->name, "io_uring") == 0)
			want = e->name;
	free(j->ioengine);
	j->ioengine = xstrdup(want);
}

int setup_target_set(struct ui_state *s, const char *path, struct err *e)
{
	struct target_look t;
	int rc = setup_target_look(path, s->machine, &t, e);
	char *name;

	if (rc < 0)
		return rc;
	name = t.kind == TARGET_SIM ? xstrdup(path) : escape(path);
	free(s->job.filename);
	s->job.filename = name;
	fit_engine(s, t.kind == TARGET_SIM);
	s->armed = s->armed_known = false; /* until there is known to be consent for this one */
	if (s->auto_size) {
		s->job.size = (struct amount){0};
		s->auto_size = false;
	}
	if (!s->job.size.is_set &&
	    (t.kind == TARGET_NEW || (t.kind == TARGET_OURS && !t.size_bytes))) {
		s->job.size = (struct amount){.bytes = TARGET_NEW_BYTES, .is_set = true};
		s->auto_size = true;
	}
	snprintf(s->target_line, sizeof(s->target_line), "%s", t.line);
	return 0;
}

void setup_target_refresh(struct ui_state *s)
{
	struct target_look t;
	struct err e = {0};
	char path[PATH_MAX];

	if (!s->job.filename)
		snprintf(s->target_line, sizeof(s->target_line), "no target: d picks one");
	else if (!setup_target_path(s, path, sizeof(path)))
		snprintf(s->target_line, sizeof(s->target_line), "%.200s", s->job.filename);
	else if (setup_target_look(path, s->machine, &t, &e) == 0)
		snprintf(s->target_line, sizeof(s->target_line), "%s", t.line);
	else
		snprintf(s->target_line, sizeof(s->target_line), "%.200s", e.msg);
}
