#include "src/out/out_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/json_put.h"
#include "src/base/units.h"
#include "src/out/num.h"
#include "src/out/report.h"

#define REAL_DIGITS 12

static char letter(unsigned lane)
{
	return (char)('A' + (char)lane);
}

static bool more_is_better(enum compare_what what)
{
	return what <= COMPARE_BPS;
}

/* "A more", "B slower": who, and what it means for this quantity. */
static void verdict_text(enum compare_what what, enum compare_verdict v, unsigned other, char *out,
			 size_t size)
{
	if (v == COMPARE_UNKNOWN || v == COMPARE_SAME)
		snprintf(out, size, "%s", compare_verdict_words[v]);
	else
		snprintf(out, size, "%c %s", letter(v == COMPARE_A_MORE ? 0 : other),
			 more_is_better(what) ? "more" : "slower");
}

/* ---- text ---- */

static const char *show(enum compare_what what, double v, char out[32])
{
	if (isnan(v))
		return "-";
	if (what == COMPARE_IOPS)
		units_fmt_count(out, 32, v);
	else if (what == COMPARE_BPS)
		units_fmt_bps(out, 32, v, false);
	else
		units_fmt_ns(out, 32, v, "u");
	return out;
}

static const char *show_lane(const struct compare_report *r, unsigned lane, enum compare_what what,
			     double v, char out[40])
{
	char num[32];
	bool weak = !isnan(v) && compare_is_weak(r->track, lane, what);

	snprintf(out, 40, "%s%s", weak ? "~" : "", show(what, v, num));
	return out;
}

static void text_row(const struct compare_report *r, unsigned other, enum compare_what what,
		     struct strbuf *out)
{
	struct compare c;
	char a[40], b[40], d[32], ci[32], diff[72], verdict[32];

	compare_lanes(r->track, 0, other, what, 0, &c);
	if (isnan(c.ci_half))
		snprintf(diff, sizeof(diff), "-");
	else
		snprintf(diff, sizeof(diff), "%s%s +- %s", c.diff < 0 ? "-" : "+",
			 show(what, fabs(c.diff), d), show(what, c.ci_half, ci));
	verdict_text(what, c.verdict, other, verdict, sizeof(verdict));
	strbuf_addf(out, "  %-8s %12s %12s %9s %26s  %s\n", compare_what_words[what],
		    show_lane(r, 0, what, c.a, a), show_lane(r, other, what, c.b, b),
		    num_real(c.ratio, 0, 3).s, diff, verdict);
}

static void text_lane(const struct compare_report *r, unsigned i, struct strbuf *out)
{
	const struct lane_report *l = &r->lane[i];

	strbuf_addf(out, "%c: %s, %s%s, %s, %s, depth %u, jobs %u\n", letter(i), l->name, l->target,
		    l->simulated ? " (SIMULATED)" : "", l->engine, l->rw, l->tune.qd, l->tune.jobs);
}

static void text_mode(const struct compare_report *r, struct strbuf *out)
{
	char slice[32];

	units_fmt_time_exact(slice, sizeof(slice), r->slice_ns);
	if (r->alternate)
		strbuf_addf(out, "in turns of %s\n", slice);
	else
		strbuf_addf(out, "both at once\n");
}

void compare_out_normal(const struct compare_report *r, struct strbuf *out)
{
	for (unsigned i = 0; i < r->n; i++)
		text_lane(r, i, out);
	text_mode(r, out);
	for (unsigned other = 1; other < r->n; other++) {
		struct compare c;

		compare_lanes(r->track, 0, other, COMPARE_IOPS, 0, &c);
		strbuf_addf(out, "\nA against %c: means of %zu and %zu seconds, 95 %% intervals\n",
			    letter(other), c.n_a, c.n_b);
		strbuf_addf(out, "  %-8s %12s %12c %7s/%c %24s-%c\n", "", "A", letter(other), "A",
			    letter(other), "A", letter(other));
		for (int q = 0; q < COMPARE_NR; q++)
			text_row(r, other, (enum compare_what)q, out);
	}
}

/* ---- json ---- */

static json_t *json_lane(const struct compare_report *r, unsigned i)
{
	const struct lane_report *l = &r->lane[i];
	char name[2] = {letter(i), '\0'};
	json_t *o = json_object();

	json_put_text(o, "lane", name);
	json_put_text(o, "jobname", l->name);
	json_put_text(o, "target", l->target);
	json_put_bool(o, "simulated", l->simulated);
	json_put_text(o, "ioengine", l->engine);
	json_put_text(o, "rw", l->rw);
	json_put_count(o, "iodepth", l->tune.qd);
	json_put_count(o, "numjobs", l->tune.jobs);
	json_put_count(o, "seconds", r->track->lane[i].n);
	return o;
}

static json_t *json_quantity(const struct compare_report *r, unsigned other, enum compare_what what)
{
	static const char *const verdicts[COMPARE_VERDICTS] = {"unknown", "no difference shown",
							       "a", "b"};
	json_t *o = json_object();
	struct compare c;

	compare_lanes(r->track, 0, other, what, 0, &c);
	json_put_real(o, "a", c.a);
	json_put_real(o, "b", c.b);
	json_put_real(o, "ratio", c.ratio);
	json_put_real(o, "difference", c.diff);
	json_put_real(o, "ci95_half", c.ci_half);
	json_put_count(o, "n_a", c.n_a);
	json_put_count(o, "n_b", c.n_b);
	json_put_text(o, "more", verdicts[c.verdict]);
	json_object_set_new(o, "weak",
			    json_boolean(compare_is_weak(r->track, 0, what) ||
					 compare_is_weak(r->track, other, what)));
	return o;
}

static json_t *json_pair(const struct compare_report *r, unsigned other)
{
	static const char *const keys[COMPARE_NR] = {
		"iops",       "bytes_per_s",  "lat_mean_ns", "lat_p50_ns",
		"lat_p99_ns", "lat_p99.9_ns", "lat_max_ns",
	};
	char name[2] = {letter(other), '\0'};
	json_t *o = json_object();

	json_put_text(o, "a", "A");
	json_put_text(o, "b", name);
	for (int q = 0; q < COMPARE_NR; q++)
		json_object_set_new(o, keys[q], json_quantity(r, other, (enum compare_what)q));
	return o;
}

void compare_out_json(const struct compare_report *r, struct strbuf *out)
{
	json_t *root = json_object(), *lanes = json_array(), *pairs = json_array();
	char *dump;

	json_put_text(root, "iodeck version", REPORT_VERSION);
	json_put_text(root, "mode", r->alternate ? "alternate" : "both");
	json_object_set_new(root, "slice_ns",
			    r->alternate ? json_integer((json_int_t)r->slice_ns) : json_null());
	for (unsigned i = 0; i < r->n; i++)
		json_array_append_new(lanes, json_lane(r, i));
	for (unsigned i = 1; i < r->n; i++)
		json_array_append_new(pairs, json_pair(r, i));
	json_object_set_new(root, "lanes", lanes);
	json_object_set_new(root, "comparisons", pairs);
	dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
	strbuf_addf(out, "%s\n", dump ? dump : "{}");
	free(dump);
	json_decref(root);
}
