#include "src/dev/diskstats.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/dev/sysfs.h"

#define SECTOR_BYTES    512.0
#define COLUMNS_MAX     17
#define COARSE_BELOW_MS 10 /* whole-ms fields: less than this is more than 10 % off */
#define MS_WRAP         (1ull << 32)

enum op { READ, WRITE, DISCARD, FLUSH };

/*
 * Columns (Documentation/admin-guide/iostats.rst): 1-4 reads: ios merges sectors ms; 5-8 writes;
 * 9 in flight; 10 io_ticks; 11 in_queue; 12-15 discards (4.18); 16-17 flushes: ios ms (5.5).
 * Partitions of very old kernels have four: reads, read sectors, writes, written sectors.
 */
static void take_columns(struct disk_counters *c, const uint64_t *col, unsigned n)
{
	static const unsigned first[] = {[READ] = 0, [WRITE] = 4, [DISCARD] = 11};

	c->fields = n;
	if (n == 4) {
		c->ios[READ] = col[0];
		c->sectors[READ] = col[1];
		c->ios[WRITE] = col[2];
		c->sectors[WRITE] = col[3];
		return;
	}
	for (unsigned op = READ; op <= DISCARD; op++) {
		const uint64_t *g = col + first[op];

		c->ios[op] = g[0];
		c->merges[op] = g[1];
		c->sectors[op] = g[2];
		c->ticks_ms[op] = g[3];
	}
	c->inflight = col[8];
	c->io_ticks_ms = col[9];
	c->in_queue_ms = col[10];
	c->ios[FLUSH] = col[15];
	c->ticks_ms[FLUSH] = col[16];
}

/* Numbers up to the end of the line. False when there are too few or something else stands there. */
static bool parse_columns(const char *s, struct disk_counters *c)
{
	uint64_t col[COLUMNS_MAX] = {0};
	unsigned n = 0;

	for (;;) {
		char *end;

		while (*s == ' ' || *s == '\t')
			s++;
		if (*s == '\0' || *s == '\n')
			break;
		if (!isdigit((unsigned char)*s))
			return false;
		errno = 0;
		if (n < COLUMNS_MAX)
			col[n] = strtoull(s, &end, 10);
		else
			strtoull(s, &end, 10); /* a newer kernel's columns */
		if (errno)
			return false;
		n++;
		s = end;
	}
	if (n != 4 && n < 11)
		return false;
	take_columns(c, col, n);
	return true;
}

/* A partition has the diskseq of its disk, which is the folder above. */
static uint64_t read_diskseq(const char *fsroot, uint32_t major, uint32_t minor)
{
	uint64_t seq;

	if (sysfs_u64(fsroot, &seq, "/sys/dev/block/%u:%u/diskseq", major, minor) == 0 ||
	    sysfs_u64(fsroot, &seq, "/sys/dev/block/%u:%u/../diskseq", major, minor) == 0)
		return seq;
	return 0;
}

static bool parse_line(const char *line, struct disk_counters *c)
{
	unsigned major, minor;
	int used = 0;

	memset(c, 0, sizeof(*c));
	if (sscanf(line, "%u %u %31s%n", &major, &minor, c->name, &used) != 3)
		return false;
	c->major = major;
	c->minor = minor;
	return parse_columns(line + used, c);
}

static struct disk_counters *grow(struct diskstats *s)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 32;
		s->v = xrealloc(s->v, s->cap * sizeof(*s->v));
	}
	return &s->v[s->n];
}

int diskstats_read(const char *fsroot, uint64_t now_ns, struct diskstats *out)
{
	struct strbuf text = {0};
	int rc = fs_read_all(fsroot, "/proc/diskstats", &text);

	out->n = 0;
	out->t_ns = now_ns;
	for (const char *line = rc ? NULL : strbuf_str(&text); line && *line;) {
		struct disk_counters *c = grow(out);

		if (parse_line(line, c)) {
			c->diskseq = read_diskseq(fsroot, c->major, c->minor);
			out->n++;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	strbuf_fini(&text);
	return rc;
}

void diskstats_fini(struct diskstats *s)
{
	free(s->v);
	memset(s, 0, sizeof(*s));
}

const struct disk_counters *diskstats_find(const struct diskstats *s, uint32_t major,
					   uint32_t minor)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].major == major && s->v[i].minor == minor)
			return &s->v[i];
	return NULL;
}

int diskstats_read_one(const char *fsroot, uint32_t major, uint32_t minor,
		       struct disk_counters *out)
{
	char text[512], name[SYSFS_NAME_MAX];
	ssize_t n;

	memset(out, 0, sizeof(*out));
	n = sysfs_text(fsroot, text, sizeof(text), "/sys/dev/block/%u:%u/stat", major, minor);
	if (n < 0)
		return n == -ENOENT ? -ENODEV : (int)n;
	if (!parse_columns(text, out))
		return -EINVAL;
	out->major = major;
	out->minor = minor;
	if (sysfs_name(fsroot, major, minor, name) == 0)
		snprintf(out->name, sizeof(out->name), "%.31s", name);
	out->diskseq = read_diskseq(fsroot, major, minor);
	return 0;
}

/*
 * The kernel prints its ms fields as 32 bits (block/genhd.c), so a step down from high to low is a
 * wrap; any other step down is a reset. A 64-bit field never wraps.
 */
static bool ms_delta(uint64_t before, uint64_t now, uint64_t *delta)
{
	*delta = now - before;
	if (now >= before)
		return true;
	if (before >= MS_WRAP || before - now <= MS_WRAP / 2)
		return false;
	*delta = now + MS_WRAP - before;
	return true;
}

/* Is `now` a later state of the same device that `before` describes? Fills d with the differences. */
static bool delta_of(const struct disk_counters *before, const struct disk_counters *now,
		     struct disk_counters *d)
{
	bool ok = before->major == now->major && before->minor == now->minor &&
		  before->fields == now->fields && before->diskseq == now->diskseq &&
		  strcmp(before->name, now->name) == 0;

	*d = *now;
	for (unsigned op = READ; op <= FLUSH; op++) {
		ok = ok && now->ios[op] >= before->ios[op] &&
		     now->merges[op] >= before->merges[op] &&
		     now->sectors[op] >= before->sectors[op];
		d->ios[op] -= before->ios[op];
		d->merges[op] -= before->merges[op];
		d->sectors[op] -= before->sectors[op];
		ok = ms_delta(before->ticks_ms[op], now->ticks_ms[op], &d->ticks_ms[op]) && ok;
	}
	ok = ms_delta(before->io_ticks_ms, now->io_ticks_ms, &d->io_ticks_ms) && ok;
	ok = ms_delta(before->in_queue_ms, now->in_queue_ms, &d->in_queue_ms) && ok;
	return ok;
}

static void all_unknown(const struct disk_counters *c, struct disk_rate *out)
{
	memset(out, 0, sizeof(*out));
	if (c) {
		memcpy(out->name, c->name, sizeof(out->name));
		out->major = c->major;
		out->minor = c->minor;
	}
	out->r_iops = out->w_iops = out->d_iops = NAN;
	out->r_bps = out->w_bps = NAN;
	out->r_await_ns = out->w_await_ns = NAN;
	out->aqu_sz = out->util_pct = out->inflight = NAN;
}

static double await_ns(const struct disk_counters *d, enum op op)
{
	if (d->ios[op] == 0 || d->ticks_ms[op] < COARSE_BELOW_MS)
		return NAN;
	return (double)d->ticks_ms[op] * (double)NSEC_PER_MSEC / (double)d->ios[op];
}

/*
 * R14, R18: in_queue / time. in_queue grows when a request ends, so one that hangs adds nothing: a
 * zero is only believed when nothing was under way at either end.
 */
static double queue_size(const struct disk_counters *before, const struct disk_counters *now,
			 const struct disk_counters *d, double dt_ms)
{
	uint64_t done = d->ios[READ] + d->ios[WRITE] + d->ios[DISCARD] + d->ios[FLUSH];

	if (done == 0 && before->inflight == 0 && now->inflight == 0)
		return 0;
	return d->in_queue_ms < COARSE_BELOW_MS ? NAN : (double)d->in_queue_ms / dt_ms;
}

bool diskstats_rate(const struct disk_counters *before, const struct disk_counters *now,
		    uint64_t dt_ns, struct disk_rate *out)
{
	struct disk_counters d;
	double dt_s = (double)dt_ns / (double)NSEC_PER_SEC;
	double dt_ms = dt_s * 1000.0;

	all_unknown(now ? now : before, out);
	if (!before || !now || dt_ns == 0 || !delta_of(before, now, &d))
		return false;
	out->r_iops = (double)d.ios[READ] / dt_s;
	out->w_iops = (double)d.ios[WRITE] / dt_s;
	out->r_bps = (double)d.sectors[READ] * SECTOR_BYTES / dt_s;
	out->w_bps = (double)d.sectors[WRITE] * SECTOR_BYTES / dt_s;
	if (d.fields >= 15)
		out->d_iops = (double)d.ios[DISCARD] / dt_s;
	if (d.fields < 11)
		return true;
	out->inflight = (double)now->inflight;
	if (dt_ms >= (double)MS_WRAP) /* may have wrapped more than once */
		return true;
	out->r_await_ns = await_ns(&d, READ);
	out->w_await_ns = await_ns(&d, WRITE);
	out->aqu_sz = queue_size(before, now, &d, dt_ms);
	out->util_pct = fmin(100.0, 100.0 * (double)d.io_ticks_ms / dt_ms); /* R15 */
	return true;
}

static uint64_t down_to_zero(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static uint64_t ms_down_to_zero(uint64_t before, uint64_t now)
{
	uint64_t delta;

	return ms_delta(before, now, &delta) ? delta : 0;
}

void diskstats_sub(const struct disk_counters *before, const struct disk_counters *now,
		   struct disk_counters *out)
{
	struct disk_counters d = *now;

	for (unsigned op = READ; op <= FLUSH; op++) {
		d.ios[op] = down_to_zero(before->ios[op], now->ios[op]);
		d.merges[op] = down_to_zero(before->merges[op], now->merges[op]);
		d.sectors[op] = down_to_zero(before->sectors[op], now->sectors[op]);
		d.ticks_ms[op] = ms_down_to_zero(before->ticks_ms[op], now->ticks_ms[op]);
	}
	d.io_ticks_ms = ms_down_to_zero(before->io_ticks_ms, now->io_ticks_ms);
	d.in_queue_ms = ms_down_to_zero(before->in_queue_ms, now->in_queue_ms);
	*out = d;
}

void diskstats_add(struct disk_counters *sum, const struct disk_counters *delta)
{
	for (unsigned op = READ; op <= FLUSH; op++) {
		sum->ios[op] += delta->ios[op];
		sum->merges[op] += delta->merges[op];
		sum->sectors[op] += delta->sectors[op];
		sum->ticks_ms[op] += delta->ticks_ms[op];
	}
	sum->io_ticks_ms += delta->io_ticks_ms;
	sum->in_queue_ms += delta->in_queue_ms;
}
