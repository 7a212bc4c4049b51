#include "ui/honesty.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/w_items.h"
#include "ui/w_workers.h"

#define CACHED_PCT  (100 / 1.1) /* job bytes over device bytes above 1.1 */
#define FOREIGN_PCT 5

/* Part of what the job moved never was on the disk. */
static bool disk_missed(const struct lane_snap *l)
{
	return l->reached_pct < CACHED_PCT;
}

static bool on_tmpfs(const struct lane_snap *l)
{
	return l->tmpfs;
}

static bool cached(const struct lane_snap *l)
{
	return !l->tmpfs && !l->direct && disk_missed(l);
}

static bool holes(const struct lane_snap *l)
{
	return l->direct && disk_missed(l);
}

static bool sync_depth(const struct lane_snap *l)
{
	return l->sync_engine && l->tune.qd > 1;
}

static bool libaio_buffered(const struct lane_snap *l)
{
	return strcmp(l->engine, "libaio") == 0 && !l->direct;
}

static bool foreign(const struct lane_snap *l)
{
	return l->split.foreign_pct >= FOREIGN_PCT;
}

static void say_plain(const struct canvas *c, const struct lane_snap *l, const char *fmt, char *out)
{
	(void)c;
	(void)l;
	snprintf(out, HONESTY_TEXT_MAX, "%s", fmt);
}

static void say_pct(const struct canvas *c, double pct, const char *fmt, char *out)
{
	char text[NUM_SIZE];
	const char *at = strchr(fmt, '@');

	snprintf(out, HONESTY_TEXT_MAX, "%.*s%.12s%s", (int)(at - fmt), fmt, show_pct(c, text, pct),
		 at + 1);
}

static void say_reached(const struct canvas *c, const struct lane_snap *l, const char *fmt,
			char *out)
{
	say_pct(c, l->reached_pct, fmt, out);
}

static void say_foreign(const struct canvas *c, const struct lane_snap *l, const char *fmt,
			char *out)
{
	say_pct(c, l->split.foreign_pct, fmt, out);
}

static void say_cpu(const struct canvas *c, const struct lane_snap *l, const char *fmt, char *out)
{
	say_pct(c, l->cpu_pct, fmt, out);
}

static bool compressible(const struct lane_snap *l)
{
	return l->zeroes_pct > 0;
}

static void say_zeroes(const struct canvas *c, const struct lane_snap *l, const char *fmt,
		       char *out)
{
	say_pct(c, l->zeroes_pct, fmt, out);
}

static void say_depth(const struct canvas *c, const struct lane_snap *l, const char *fmt, char *out)
{
	(void)c;
	(void)fmt;
	snprintf(out, HONESTY_TEXT_MAX, "! sync engine: depth 1, not %u", l->tune.qd);
}

/* '@' stands for the number. */
static const struct rule {
	bool (*holds)(const struct lane_snap *);
	void (*say)(const struct canvas *, const struct lane_snap *, const char *text, char *out);
	const char *text, *why;
} rules[] = {
	{on_tmpfs, say_plain, "! tmpfs: this measures memory", ": no disk takes part"},
	{cached, say_reached, "! page cache: disk moved @%",
	 " of the job's bytes; direct=1 leaves the cache out"},
	{holes, say_reached, "! holes? disk moved @%",
	 " of the job's bytes though direct is on: holes or unwritten extents"},
	{workers_cpu_bound, say_cpu, "! cpu @%: host may be the cap",
	 ": the workers have no more CPU to give"},
	{compressible, say_zeroes, "! @% of the data are zeroes",
	 ": a device that compresses seems faster than it is"},
	{foreign, say_foreign, "! foreign I/O: @% of disk bytes",
	 ": somebody else uses the device"},
	{sync_depth, say_depth, "", ": a synchronous engine has one I/O in flight a job"},
	{libaio_buffered, say_plain, "! libaio waits without direct=1",
	 ": buffered I/O is done inside submit, so the depth is 1"},
};

int honesty_lines(const struct canvas *c, const struct lane_snap *l,
		  struct honesty_line out[HONESTY_MAX])
{
	int n = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!rules[i].holds(l))
			continue;
		rules[i].say(c, l, rules[i].text, out[n].text);
		out[n++].why = rules[i].why;
	}
	return n;
}
