#include "src/rec/record.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/base/clock.h"
#include "src/spec/profile.h"

#define REAL_DIGITS 12

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *text(const char *s)
{
	json_t *v = json_string(s ? s : "");

	return v ? v : json_string("?"); /* not UTF-8 */
}

static json_t *count(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static void put(json_t *o, const char *key, json_t *v)
{
	json_object_set_new(o, key, v);
}

/* ---- numbers ---- */

static json_t *latency(const struct lat_view *v)
{
	static const char *const names[PCT_NR] = {"p50_ns", "p90_ns",   "p95_ns",
						  "p99_ns", "p99.9_ns", "p99.99_ns"};
	json_t *o = json_object();

	put(o, "count", count(v->n));
	put(o, "mean_ns", v->n ? real(v->mean_ns) : json_null());
	put(o, "min_ns", v->n ? count(v->min_ns) : json_null());
	for (int i = 0; i < PCT_NR; i++)
		put(o, names[i], v->n ? count(v->pct_ns[i]) : json_null());
	put(o, "max_ns", v->n ? count(v->max_ns) : json_null());
	return o;
}

static json_t *window(const struct op_win *w)
{
	json_t *o = json_object();

	put(o, "ops", count(w->ops));
	put(o, "bytes", count(w->bytes));
	put(o, "errors", count(w->errors));
	put(o, "iops", real(w->iops));
	put(o, "bytes_per_s", real(w->bps));
	put(o, "latency", latency(&w->lat));
	return o;
}

/* Non-empty buckets of all ops: [lowest, highest, count]; the last one is open: null. */
static json_t *histogram(const struct hist *h)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t high = hist_high(i);

		if (!h->n[i])
			continue;
		json_array_append_new(a, json_pack("[I,o,I]", (json_int_t)hist_low(i),
						   high == UINT64_MAX ? json_null() : count(high),
						   (json_int_t)h->n[i]));
	}
	return a;
}

static json_t *lane(const struct lane_snap *l)
{
	json_t *o = json_object(), *total = json_object();

	put(o, "target", text(l->target));
	put(o, "engine", text(l->engine));
	put(o, "iodepth", count(l->tune.qd));
	put(o, "jobs", count(l->tune.jobs));
	put(o, "direct", json_boolean(l->direct));
	put(o, "simulated", json_boolean(l->simulated));
	put(o, "elapsed_ms", count(l->elapsed_ns / NSEC_PER_MSEC));
	put(o, "paused_ms", count(l->held_ns / NSEC_PER_MSEC));
	for (int op = 0; op < IO_OP_NR; op++)
		put(total, io_op_name((enum io_op)op), window(&l->total[op]));
	put(total, "all", window(&l->total[IO_OP_NR]));
	put(o, "total", total);
	put(o, "histogram_ns", histogram(&l->total_lat));
	return o;
}

static json_t *events(const struct snapshot *s)
{
	static const char *const kinds[] = {
		[EVENT_TUNE] = "change", [EVENT_MARK] = "mark",   [EVENT_STALL] = "stall",
		[EVENT_ERROR] = "error", [EVENT_STATE] = "state", [EVENT_SLICE] = "turn",
		[EVENT_GAP] = "gap"};
	json_t *a = json_array();
	uint64_t t0 = s->n_lanes ? s->lane[0].t_start_ns : 0;

	for (uint32_t i = 0; i < s->n_events && i < EVENT_MAX; i++) {
		const struct event *e = &s->event[i];
		json_t *o = json_object();

		put(o, "ms", count(e->t_ns > t0 ? (e->t_ns - t0) / NSEC_PER_MSEC : 0));
		put(o, "kind", text(kinds[e->kind]));
		put(o, "text", text(e->text));
		if (e->before.valid && e->after.valid) {
			put(o, "iops_before", real(e->before.iops));
			put(o, "iops_after", real(e->after.iops));
			put(o, "p99_before_ns", count(e->before.p99_ns));
			put(o, "p99_after_ns", count(e->after.p99_ns));
		}
		json_array_append_new(a, o);
	}
	return a;
}

/* ---- what was run ---- */

static json_t *host(void)
{
	json_t *o = json_object();
	struct utsname u;

	if (uname(&u) == 0) {
		put(o, "system", text(u.sysname));
		put(o, "kernel", text(u.release));
		put(o, "machine", text(u.machine));
	}
	return o;
}

static enum archive_status status_of(const struct snapshot *s, bool stopped)
{
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		if (s->lane[i].lost)
			return ARCHIVE_LOST;
	if (s->state == RUN_FAILED)
		return ARCHIVE_FAILED;
	return stopped ? ARCHIVE_STOPPED : ARCHIVE_DONE;
}

static json_t *settings(const struct job_spec *job)
{
	json_t *o = json_object();
	struct strbuf file = {0};

	profile_print(job, &file);
	put(o, "rw", text(job_spec_rw_word(&job->rw)));
	put(o, "bs_bytes", count(job->bs_bytes[IO_READ]));
	put(o, "iodepth", count(job->iodepth));
	put(o, "jobs", count(job->numjobs));
	put(o, "engine", text(job->ioengine));
	put(o, "direct", json_boolean(job->direct));
	put(o, "job_file", text(strbuf_str(&file)));
	strbuf_fini(&file);
	return o;
}

static const char *kind_of(const struct track *t)
{
	return t->sweep ? "sweep" : t->last->n_lanes > 1 ? "compare" : "run";
}

/* One lane that only plays a device is enough. */
static bool any_simulated(const struct snapshot *s)
{
	bool any = false;

	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		any = any || s->lane[i].simulated;
	return any;
}

static void put_identity(json_t *o, const struct record_parts *p)
{
	const struct snapshot *s = p->track->last;

	put(o, "iodeck", text(IODECK_VERSION));
	put(o, "format", json_integer(RECORD_FORMAT));
	put(o, "id", text(p->id));
	put(o, "kind", text(kind_of(p->track)));
	put(o, "status",
	    text(archive_status_words[p->partial ? ARCHIVE_PARTIAL
						 : status_of(s, p->note->stopped)]));
	put(o, "error", text(p->partial ? "ended by a crash" : s->error));
	put(o, "tag", text(""));
	put(o, "start_unix_ms", count(p->track->start_ms));
	put(o, "host", host());
	put(o, "target", text(s->lane[0].target));
	put(o, "device", text(p->note->device));
	put(o, "simulated", json_boolean(any_simulated(s)));
	put(o, "settings", settings(p->note->job));
}

void record_print(const struct record_parts *p, struct strbuf *out)
{
	const struct snapshot *s = p->track->last;
	json_t *o = json_object(), *lanes = json_array(), *report;
	char *dump;

	put_identity(o, p);
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		json_array_append_new(lanes, lane(&s->lane[i]));
	put(o, "lanes", lanes);
	put(o, "events", events(s));
	report = p->report_json ? json_loads(p->report_json, 0, NULL) : NULL;
	put(o, "report", report ? report : json_null());
	dump = json_dumps(o, (p->partial ? JSON_COMPACT : JSON_INDENT(1)) |
				     JSON_REAL_PRECISION(REAL_DIGITS));
	if (dump)
		strbuf_puts(out, dump);
	strbuf_putc(out, '\n');
	free(dump);
	json_decref(o);
}

/* ---- reading ---- */

static json_t *load(const char *doc, size_t len, struct err *e)
{
	json_error_t why;
	json_t *o = json_loadb(doc, len, 0, &why), *format;

	if (!o || !json_is_object(o)) {
		if (o)
			err_set(e, EINVAL, "run.json: not a json object");
		else
			err_set(e, EINVAL, "run.json:%d: %s", why.line, why.text);
		json_decref(o);
		return NULL;
	}
	format = json_object_get(o, "format");
	if (json_is_integer(format) && json_integer_value(format) == RECORD_FORMAT)
		return o;
	err_set(e, EINVAL, "run.json: format %d is needed, this was made by another version",
		RECORD_FORMAT);
	json_decref(o);
	return NULL;
}

/* A field that is missing or of another kind: the first one is told. */
struct reader {
	struct err *e;
	bool bad;
};

static json_t *want(struct reader *r, const json_t *o, const char *key, bool ok)
{
	json_t *v = json_object_get(o, key);

	if (!r->bad && (!v || !ok)) {
		r->bad = true;
		err_set(r->e, EINVAL, "run.json: \"%s\" is missing or of a wrong kind", key);
	}
	return v;
}

static void get_text(struct reader *r, const json_t *o, const char *key, char *out, size_t size)
{
	json_t *v = want(r, o, key, json_is_string(json_object_get(o, key)));

	if (json_is_string(v))
		snprintf(out, size, "%s", json_string_value(v));
}

static uint64_t get_count(struct reader *r, const json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	want(r, o, key, json_is_integer(v) && json_integer_value(v) >= 0);
	return json_is_integer(v) && json_integer_value(v) >= 0 ? (uint64_t)json_integer_value(v)
								: 0;
}

static double get_real(struct reader *r, const json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	want(r, o, key, json_is_number(v) || json_is_null(v));
	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static const json_t *get_object(struct reader *r, const json_t *o, const char *key)
{
	return want(r, o, key, json_is_object(json_object_get(o, key)));
}

static void get_latency(struct reader *r, const json_t *all, struct archive_entry *out)
{
	const json_t *lat = get_object(r, all, "latency");

	out->n = get_count(r, lat, "count");
	if (!out->n)
		return;
	out->p50_ns = get_count(r, lat, "p50_ns");
	out->p99_ns = get_count(r, lat, "p99_ns");
	out->p999_ns = get_count(r, lat, "p99.9_ns");
	out->max_ns = get_count(r, lat, "max_ns");
}

static void get_lane(struct reader *r, const json_t *o, struct archive_entry *out)
{
	const json_t *lanes = want(r, o, "lanes", json_is_array(json_object_get(o, "lanes")));
	const json_t *first = json_array_get(lanes, 0), *all;

	if (!json_is_object(first)) {
		want(r, o, "lanes", false);
		return;
	}
	out->elapsed_ms = get_count(r, first, "elapsed_ms");
	out->qd = (uint32_t)get_count(r, first, "iodepth");
	out->jobs = (uint32_t)get_count(r, first, "jobs");
	all = get_object(r, get_object(r, first, "total"), "all");
	out->iops = get_real(r, all, "iops");
	out->bps = get_real(r, all, "bytes_per_s");
	get_latency(r, all, out);
}

static void get_status(struct reader *r, const json_t *o, struct archive_entry *out)
{
	char word[16] = "";

	get_text(r, o, "status", word, sizeof(word));
	for (int i = 0; i < ARCHIVE_STATUS_NR; i++) {
		if (strcmp(archive_status_words[i], word) != 0)
			continue;
		out->status = (enum archive_status)i;
		return;
	}
	want(r, o, "status", false);
}

static void get_settings(struct reader *r, const json_t *o, struct archive_entry *out)
{
	const json_t *s = get_object(r, o, "settings");

	get_text(r, s, "rw", out->rw, sizeof(out->rw));
	get_text(r, s, "engine", out->engine, sizeof(out->engine));
	out->bs_bytes = get_count(r, s, "bs_bytes");
}

int record_parse(const char *doc, size_t len, struct archive_entry *out, struct err *e)
{
	struct reader r = {.e = e};
	json_t *o = load(doc, len, e), *sim;

	if (!o)
		return -EINVAL;
	get_text(&r, o, "kind", out->kind, sizeof(out->kind));
	get_text(&r, o, "error", out->why, sizeof(out->why));
	get_text(&r, o, "tag", out->tag, sizeof(out->tag));
	get_text(&r, o, "target", out->target, sizeof(out->target));
	get_text(&r, o, "device", out->device, sizeof(out->device));
	out->start_ms = get_count(&r, o, "start_unix_ms");
	sim = want(&r, o, "simulated", json_is_boolean(json_object_get(o, "simulated")));
	out->simulated = json_is_true(sim);
	get_status(&r, o, out);
	get_settings(&r, o, out);
	get_lane(&r, o, out);
	/* Totals over cells of different loads are no numbers of anything. */
	if (strcmp(out->kind, "sweep") == 0) {
		out->iops = out->bps = NAN;
		out->n = out->bs_bytes = 0;
		out->qd = out->jobs = 0;
	}
	json_decref(o);
	return r.bad ? -EINVAL : 0;
}

int record_retag(const char *doc, size_t len, const char *tag, struct strbuf *out, struct err *e)
{
	struct archive_entry whole = {0};
	json_t *o;
	char *dump;

	/* What is damaged is not written anew. */
	if (record_parse(doc, len, &whole, e) < 0)
		return -EINVAL;
	o = json_loadb(doc, len, 0, NULL);
	put(o, "tag", text(tag));
	dump = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(REAL_DIGITS));
	json_decref(o);
	if (!dump)
		return err_set(e, EINVAL, "run.json: cannot be written anew");
	strbuf_puts(out, dump);
	strbuf_putc(out, '\n');
	free(dump);
	return 0;
}

int record_job(const char *doc, size_t len, struct strbuf *out, struct err *e)
{
	struct reader r = {.e = e};
	json_t *o = load(doc, len, e), *file;
	const json_t *s;

	if (!o)
		return -EINVAL;
	s = get_object(&r, o, "settings");
	file = want(&r, s, "job_file", json_is_string(json_object_get(s, "job_file")));
	if (!r.bad)
		strbuf_puts(out, json_string_value(file));
	json_decref(o);
	return r.bad ? -EINVAL : 0;
}
