#include "engines/sim_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_devices.h"
#include "src/base/strbuf.h"
#include "src/base/units.h"

#define KEY_MAX    24u
#define VALUE_MAX  64u
#define SIZE_MIN   (1024u * 1024)
#define PERIOD_MAX (3600 * UNIT_SEC)

/* Shares, from 0 to 1, or with a percent sign. */
static int read_share(const char *text, size_t len, double *share, struct err *e)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || text[0] == '+' || text[0] == '-')
		return err_set(e, EINVAL, "a share is a number from 0 to 1, or a percentage");
	if (*end == '%') {
		v /= 100;
		end++;
	}
	if (end != text + len || !(v >= 0 && v <= 1))
		return err_set(e, ERANGE, "a share is from 0 to 1, or 0%% to 100%%");
	*share = v;
	return 0;
}

static int parse_share(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	return read_share(text, strlen(text), (double *)(void *)((char *)obj + row->offset), e);
}

static void print_share(const void *obj, const struct option_def *row, struct strbuf *out)
{
	strbuf_addf(out, "%.15g", *(const double *)(const void *)((const char *)obj + row->offset));
}

/* tail=0.1%/5ms: how often, how long on average. */
static int parse_tail(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct sim_dist *d = (void *)((char *)obj + row->offset);
	const char *slash = strchr(text, '/');
	int rc;

	if (!slash)
		return err_set(e, EINVAL, "wants SHARE/DURATION, such as 0.1%%/5ms");
	rc = read_share(text, (size_t)(slash - text), &d->tail, e);
	return rc ? rc : units_parse_time(slash + 1, UNIT_US, &d->tail_ns, e);
}

static void print_tail(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct sim_dist *d = (const void *)((const char *)obj + row->offset);

	strbuf_addf(out, "%.15g/%lluns", d->tail, (unsigned long long)d->tail_ns);
}

/* stall=2s/30ms: how far apart, how long. */
static int parse_stall(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct sim_stall *s = (void *)((char *)obj + row->offset);
	const char *slash = strchr(text, '/');
	char period[VALUE_MAX + 1];
	int rc;

	if (!slash)
		return err_set(e, EINVAL, "wants PERIOD/LENGTH, such as 2s/30ms");
	snprintf(period, sizeof(period), "%.*s", (int)(slash - text), text);
	rc = units_parse_time(period, UNIT_US, &s->period_ns, e);
	if (rc == 0)
		rc = units_parse_time(slash + 1, UNIT_US, &s->length_ns, e);
	if (rc)
		return rc;
	if (s->length_ns >= s->period_ns || s->period_ns > PERIOD_MAX)
		return err_set(e, ERANGE, "a stall is shorter than its period, that at most 1h");
	return 0;
}

static void print_stall(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct sim_stall *s = (const void *)((const char *)obj + row->offset);

	strbuf_addf(out, "%lluns/%lluns", (unsigned long long)s->period_ns,
		    (unsigned long long)s->length_ns);
}

/* clang-format would line the cells up past the margin. */
/* clang-format off */
#define AT(f) offsetof(struct sim_params, f)
#define ROW(n, t, f, ...) {.name = n, .type = t, .offset = AT(f), __VA_ARGS__}
#define COUNT(n, f, lo, hi, text) ROW(n, OPT_U32, f, .min = lo, .max = hi, .help = text)
#define NUMBER(n, f, hi, text)	  ROW(n, OPT_U64, f, .max = hi, .help = text)
#define TIME(n, f, hi, text)	  ROW(n, OPT_TIME, f, .max = hi, .scale = UNIT_US, .help = text)
#define BYTES(n, f, lo, hi, text) ROW(n, OPT_SIZE, f, .min = lo, .max = hi, .help = text)
#define RATE(n, f, text)	  BYTES(n, f, 1024, 1ull << 40, text)
#define CUSTOM(n, f, kind, text)                                                                   \
	ROW(n, OPT_CUSTOM, f, .help = text, .parse = parse_##kind, .print = print_##kind)
#define SHARE(n, f, text)	  CUSTOM(n, f, share, text)
#define SEC(n)			  ((n) * UNIT_SEC)

const struct option_def sim_target_options[] = {
	COUNT("channels", path[IO_READ].units, 1, SIM_UNITS_MAX, "reads served at once"),
	COUNT("wchannels", path[IO_WRITE].units, 1, SIM_UNITS_MAX, "writes served at once"),
	COUNT("tags", tags, 1, SIM_TAGS_MAX, "requests inside at once; SATA has 32"),
	TIME("lat", path[IO_READ].unit.mean_ns, SEC(4), "a channel's time for a 4 KiB read"),
	TIME("wlat", path[IO_WRITE].unit.mean_ns, SEC(4), "a channel's time for a 4 KiB write"),
	SHARE("spread", path[IO_READ].unit.sigma, "sigma of the logarithm of lat"),
	SHARE("wspread", path[IO_WRITE].unit.sigma, "sigma of the logarithm of wlat"),
	CUSTOM("tail", path[IO_READ].unit, tail, "SHARE/DURATION: rare delay of reads, its mean"),
	CUSTOM("wtail", path[IO_WRITE].unit, tail, "the same of writes"),
	TIME("link", path[IO_READ].link_ns, SEC(1), "the link's time for each read"),
	TIME("wlink", path[IO_WRITE].link_ns, SEC(1), "the link's time for each write"),
	RATE("bw", path[IO_READ].link_bps, "bytes a second of reads"),
	RATE("wbw", path[IO_WRITE].link_bps, "bytes a second of writes"),
	TIME("host", host_ns, SEC(1), "a worker's own time for each request"),
	TIME("wake", wake_ns, SEC(1), "more of it when nothing else was in flight"),
	TIME("flush", flush.dist.mean_ns, SEC(4), "one flush of written data"),
	BYTES("slc", cache.fast_bytes, 0, 1ull << 50, "bytes until writes get slow; 0: never"),
	RATE("slowbw", cache.slow_bps, "bytes a second of writes then"),
	RATE("drain", cache.drain_bps, "bytes a second at which slc empties"),
	SHARE("mix", mix.share, "share of reads held up by writes"),
	TIME("mixwait", mix.wait_ns, SEC(1), "for how long, on average"),
	NUMBER("iops", cap.iops, 1000000000, "cap of I/Os a second; 0: none"),
	BYTES("cap", cap.bps, 0, 1ull << 40, "cap of bytes a second; 0: none"),
	CUSTOM("stall", stall, stall, "PERIOD/LENGTH: nothing moves at the end of every PERIOD"),
	BYTES("size", size_bytes, SIZE_MIN, 1ull << 60, "bytes of the device"),
	NUMBER("seed", seed, 0, "of the random numbers"),
	{.name = NULL},
};
/* clang-format on */

static int unknown_device(const char *text, const char *name, int len, struct err *e)
{
	struct strbuf known = {0};
	int rc;

	for (size_t i = 0; sim_devices[i]; i++)
		strbuf_addf(&known, " %s", sim_devices[i]->name);
	rc = err_set(e, EINVAL, "%.60s: no simulated device '%.*s'; known:%s", text, len, name,
		     strbuf_str(&known));
	strbuf_fini(&known);
	return rc;
}

static int unknown_key(const char *text, const char *key, struct err *e)
{
	struct strbuf known = {0};
	int rc;

	for (const struct option_def *o = sim_target_options; o->name; o++)
		strbuf_addf(&known, " %s", o->name);
	rc = err_set(e, EINVAL, "%.60s: no parameter '%s'; known:%s", text, key,
		     strbuf_str(&known));
	strbuf_fini(&known);
	return rc;
}

/* One "key=value" of `len` bytes. */
static int apply(const char *text, const char *part, size_t len, struct sim_params *p,
		 struct err *e)
{
	const char *eq = memchr(part, '=', len);
	char key[KEY_MAX + 1], value[VALUE_MAX + 1];
	const struct option_def *row;
	size_t n_key = eq ? (size_t)(eq - part) : len;

	snprintf(key, sizeof(key), "%.*s", (int)(n_key < KEY_MAX ? n_key : KEY_MAX), part);
	row = n_key <= KEY_MAX ? option_find(sim_target_options, key) : NULL;
	if (!row)
		return unknown_key(text, key, e);
	if (!eq || eq + 1 == part + len)
		return err_set(e, EINVAL, "%.60s: %s wants a value: %s", text, key, row->help);
	if (len - n_key - 1 > VALUE_MAX)
		return err_set(e, EINVAL, "%.60s: the value of %s is too long", text, key);
	snprintf(value, sizeof(value), "%.*s", (int)(len - n_key - 1), eq + 1);
	if (option_set(row, p, value, 1024, e))
		return err_wrap(e, "%.60s", text);
	return 0;
}

/* A device in whole blocks, and rates where something depends on them. */
static int settle(const char *text, struct sim_params *p, struct err *e)
{
	p->size_bytes -= p->size_bytes % 4096;
	if (p->cache.fast_bytes && !p->cache.slow_bps)
		return err_set(e, EINVAL, "%.60s: slc needs slowbw, the rate once it is full",
			       text);
	return 0;
}

int sim_target_parse(const char *text, struct sim_params *out, struct err *e)
{
	const size_t n_prefix = sizeof(SIM_PREFIX) - 1;
	const struct sim_params *row;
	const char *name, *part;
	char device[KEY_MAX + 1];
	size_t len;

	if (strncmp(text, SIM_PREFIX, n_prefix))
		return err_set(e, EINVAL, "%.60s: a simulated device is named sim:NAME", text);
	name = text + n_prefix;
	len = strcspn(name, "?");
	snprintf(device, sizeof(device), "%.*s", (int)(len < KEY_MAX ? len : KEY_MAX), name);
	row = len <= KEY_MAX ? sim_device_find(device) : NULL;
	if (!row)
		return unknown_device(text, device, (int)strlen(device), e);
	*out = *row;
	for (part = name + len; *part; part += len) {
		part++; /* the '?' or '&' */
		len = strcspn(part, "&");
		if (apply(text, part, len, out, e))
			return -e->code;
	}
	return settle(text, out, e);
}
