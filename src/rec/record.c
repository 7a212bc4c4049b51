#include "src/rec/record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/base/clock.h"
#include "src/base/json_put.h"
#include "src/spec/profile.h"

#define REAL_DIGITS 12

/* ---- numbers ---- */

static json_t *latency(const struct lat_view *v)
{
	static const char *const names[PCT_NR] = {"p50_ns", "p90_ns",   "p95_ns",
						  "p99_ns", "p99.9_ns", "p99.99_ns"};
	json_t *o = json_object();

	json_put_count(o, "count", v->n);
	json_object_set_new(o, "mean_ns", v->n ? json_make_real(v->mean_ns) : json_null());
	json_object_set_new(o, "min_ns", v->n ? json_make_count(v->min_ns) : json_null());
	for (int i = 0; i < PCT_NR; i++)
		json_object_set_new(o, names[i],
				    v->n ? json_make_count(v->pct_ns[i]) : json_null());
	json_object_set_new(o, "max_ns", v->n ? json_make_count(v->max_ns) : json_null());
	return o;
}

static json_t *window(const struct op_win *w)
{
	json_t *o = json_object();

	json_put_count(o, "ops", w->ops);
	json_put_count(o, "bytes", w->bytes);
	json_put_count(o, "errors", w->errors);
	json_put_real(o, "iops", w->iops);
	json_put_real(o, "bytes_per_s", w->bps);
	json_object_set_new(o, "latency", latency(&w->lat));
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
		json_array_append_new(
			a, json_pack("[I,o,I]", (json_int_t)hist_low(i),
				     high == UINT64_MAX ? json_null() : json_make_count(high),
				     (json_int_t)h->n[i]));
	}
	return a;
}

static json_t *lane(const struct lane_snap *l)
{
	json_t *o = json_object(), *total = json_object();

	json_put_text(o, "target", l->target);
	json_put_text(o, "engine", l->engine);
	json_put_count(o, "iodepth", l->tune.qd);
	json_put_count(o, "jobs", l->tune.jobs);
	json_put_bool(o, "direct", l->direct);
	json_put_bool(o, "simulated", l->simulated);
	json_put_count(o, "elapsed_ms", l->elapsed_ns / NSEC_PER_MSEC);
	json_put_count(o, "paused_ms", l->held_ns / NSEC_PER_MSEC);
	for (int op = 0; op < IO_OP_NR; op++)
		json_object_set_new(total, io_op_name((enum io_op)op), window(&l->total[op]));
	json_object_set_new(total, "all", window(&l->total[IO_OP_NR]));
	json_object_set_new(o, "total", total);
	json_object_set_new(o, "histogram_ns", histogram(&l->total_lat));
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

		json_put_count(o, "ms", e->t_ns > t0 ? (e->t_ns - t0) / NSEC_PER_MSEC : 0);
		json_put_text(o, "kind", kinds[e->kind]);
		json_put_text(o, "text", e->text);
		if (e->before.valid && e->after.valid) {
			json_put_real(o, "iops_before", e->before.iops);
			json_put_real(o, "iops_after", e->after.iops);
			json_put_count(o, "p99_before_ns", e->before.p99_ns);
			json_put_count(o, "p99_after_ns", e->after.p99_ns);
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
		json_put_text(o, "system", u.sysname);
		json_put_text(o, "kernel", u.release);
		json_put_text(o, "machine", u.machine);
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
	json_put_text(o, "rw", job_spec_rw_word(&job->rw));
	json_put_count(o, "bs_bytes", job->bs_bytes[IO_READ]);
	json_put_count(o, "iodepth", job->iodepth);
	json_put_count(o, "jobs", job->numjobs);
	json_put_text(o, "engine", job->ioengine);
	json_put_bool(o, "direct", job->direct);
	json_put_text(o, "job_file", strbuf_str(&file));
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

	json_put_text(o, "iodeck", IODECK_VERSION);
	json_put_count(o, "format", RECORD_FORMAT);
	json_put_text(o, "id", p->id);
	json_put_text(o, "kind", kind_of(p->track));
	json_object_set_new(
		o, "status",
		json_make_text(archive_status_words[p->partial ? ARCHIVE_PARTIAL
							       : status_of(s, p->note->stopped)]));
	json_put_text(o, "error", p->partial ? "ended by a crash" : s->error);
	json_put_text(o, "tag", "");
	json_put_count(o, "start_unix_ms", p->track->start_ms);
	json_object_set_new(o, "host", host());
	json_put_text(o, "target", s->lane[0].target);
	json_put_text(o, "device", p->note->device);
	json_put_bool(o, "simulated", any_simulated(s));
	json_object_set_new(o, "settings", settings(p->note->job));
}

void record_print(const struct record_parts *p, struct strbuf *out)
{
	const struct snapshot *s = p->track->last;
	json_t *o = json_object(), *lanes = json_array(), *report;
	char *dump;

	put_identity(o, p);
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		json_array_append_new(lanes, lane(&s->lane[i]));
	json_object_set_new(o, "lanes", lanes);
	json_object_set_new(o, "events", events(s));
	report = p->report_json ? json_loads(p->report_json, 0, NULL) : NULL;
	json_object_set_new(o, "report", report ? report : json_null());
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
	json_put_text(o, "tag", tag);
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
