#include "src/app_plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"

static const struct {
	const char *unit, *word;
} units[] = {
	{" ns", "nanoseconds"},
	{" us", "microseconds"},
	{" ms", "milliseconds"},
	{" s", "seconds"},
	{" B/s", "bytes per second"},
	{" KiB/s", "kibibytes per second"},
	{" MiB/s", "mebibytes per second"},
	{" GiB/s", "gibibytes per second"},
	{" TiB/s", "tebibytes per second"},
	{"k", "thousand"},
	{"M", "million"},
	{"G", "billion"},
};

void plain_words(const char *number, char *out, size_t size)
{
	size_t n = strlen(number);

	if (strcmp(number, "-") == 0) {
		snprintf(out, size, "unknown");
		return;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t u = strlen(units[i].unit);

		if (n <= u || strcmp(number + n - u, units[i].unit) != 0)
			continue;
		snprintf(out, size, "%.*s %s", (int)(n - u), number, units[i].word);
		return;
	}
	snprintf(out, size, "%s", number);
}

struct line {
	struct strbuf *out;
	bool words;
};

/* ", NAME NUMBER" or the other way round; name: short and in words, '@' stands for the number. */
static void add(const struct line *l, const char *brief, const char *worded, const char *number)
{
	const char *fmt = l->words ? worded : brief, *at = strchr(fmt, '@');
	char text[64];

	if (l->words)
		plain_words(number, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%s", number);
	strbuf_addf(l->out, ", %.*s%s%s", (int)(at - fmt), fmt, text, at + 1);
}

static void add_ns(const struct line *l, const char *brief, const char *worded, bool known,
		   double ns)
{
	char text[32];

	units_fmt_ns(text, sizeof(text), known ? ns : (double)NAN, "u");
	add(l, brief, worded, text);
}

static void add_latency(const struct line *l, const struct lat_view *v)
{
	add_ns(l, "mean @", "mean latency @", v->n, v->mean_ns);
	add_ns(l, "p50 @", "half within @", v->n, (double)v->pct_ns[0]);
	add_ns(l, "p99 @", "99 of 100 within @", v->n, (double)v->pct_ns[3]);
	add_ns(l, "max @", "slowest @", v->n, (double)v->max_ns);
}

static void add_time(const struct line *l, uint64_t ns)
{
	char text[32];

	if (l->words) {
		strbuf_addf(l->out, "%llu seconds", (unsigned long long)(ns / NSEC_PER_SEC));
		return;
	}
	units_fmt_clock(text, sizeof(text), ns);
	strbuf_puts(l->out, text);
}

static const char *state_word(const struct lane_snap *l, bool words)
{
	switch (l->state) {
	case RUN_RAMP:
		return words ? "warming up, not measured yet" : "ramp";
	case RUN_ON:
		return words ? "running" : "run";
	case RUN_PAUSED:
		return "paused";
	case RUN_DRAIN:
		return words ? "stopping" : "drain";
	case RUN_DONE:
		return words ? "over, totals of the run" : "total";
	case RUN_FAILED:
		return "failed";
	case RUN_IDLE:
	case RUN_LAYOUT:
		break;
	}
	return "waiting";
}

static void add_lane(const struct line *l, const struct lane_snap *lane)
{
	bool over = lane->state == RUN_DONE;
	const struct op_win *w = &(over ? lane->total : lane->sec)[IO_OP_NR];
	char text[32];

	add_time(l, lane->elapsed_ns);
	strbuf_addf(l->out, ", %s", lane->target[0] ? lane->target : lane->engine);
	if (lane->simulated)
		strbuf_puts(l->out, ", simulated");
	strbuf_addf(l->out, ", %s", state_word(lane, l->words));
	units_fmt_count(text, sizeof(text), w->iops);
	add(l, "@ IOPS", "@ operations per second", text);
	units_fmt_bps(text, sizeof(text), w->bps, false);
	add(l, "@", "@", text);
	add_latency(l, &w->lat);
	snprintf(text, sizeof(text), "%" PRIu64, lane->total[IO_OP_NR].errors);
	add(l, "@ errors", "@ errors", text);
	if (!over && lane->remaining_ns != UINT64_MAX) {
		strbuf_puts(l->out, ", ");
		add_time(l, lane->remaining_ns);
		strbuf_puts(l->out, " left");
	}
	strbuf_putc(l->out, '\n');
}

void plain_lines(const struct snapshot *s, bool words, struct strbuf *out)
{
	const struct line l = {out, words};
	char pct[16];

	if (s->state == RUN_LAYOUT && s->layout_total) {
		units_fmt_pct(pct, sizeof(pct),
			      100 * (double)s->layout_done / (double)s->layout_total);
		strbuf_addf(out,
			    words ? "making the test files, %s percent done\n"
				  : "laying out files, %s%%\n",
			    pct);
		return;
	}
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		if (s->lane[i].state != RUN_IDLE)
			add_lane(&l, &s->lane[i]);
}
