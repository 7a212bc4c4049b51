/* A suite as one json document. Raw numbers, the unit in the key; unknown ones are null. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "src/out/out_suite.h"
#include "src/out/report.h"
#include "src/out/sweep_json.h"

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *text(const char *s)
{
	json_t *v = json_string(s);

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

static json_t *rounds(const struct rounds *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < s->n; i++)
		json_array_append_new(a, real(s->y[i]));
	return a;
}

static void put_window(json_t *o, const struct sweep_cell *w)
{
	static const char *const keys[CELL_PCT_NR] = {"lat_p50_ns", "lat_p90_ns", "lat_p99_ns",
						      "lat_p99.9_ns"};

	put(o, "iops", real(w->n ? w->iops : (double)NAN));
	put(o, "bytes_per_s", real(w->n ? w->bps : (double)NAN));
	put(o, "lat_mean_ns", real(w->n ? w->mean_ns : (double)NAN));
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		put(o, keys[i], w->n ? count(w->pct_ns[i]) : json_null());
	put(o, "completions", count(w->n));
	put(o, "measured_ns", count(w->elapsed_ns));
}

static json_t *steady(const struct suite_stage_result *s)
{
	json_t *o = json_object();

	put(o, "steady", json_boolean(s->verdict.steady));
	put(o, "round_ns", count(s->round_ns));
	put(o, "rounds_iops", rounds(&s->rounds));
	put(o, "window_rounds", count(s->rule.window));
	put(o, "range_pct", real(s->verdict.range_pct));
	put(o, "range_limit_pct", real(s->rule.range_pct));
	put(o, "slope_pct", real(s->verdict.slope_pct));
	put(o, "slope_limit_pct", real(s->rule.slope_pct));
	put_window(o, &s->window);
	return o;
}

static json_t *stage(const struct suite_stage_result *s)
{
	static const char *const kinds[] = {
		[SUITE_RUN] = "run", [SUITE_SWEEP] = "sweep", [SUITE_STEADY] = "steady"};
	json_t *o = json_object();

	put(o, "name", text(s->name));
	put(o, "title", text(s->title));
	put(o, "kind", text(kinds[s->kind]));
	put(o, "precondition", json_boolean(s->precondition));
	put(o, "state", text(suite_state_word(s->state)));
	put(o, "why", s->why[0] ? text(s->why) : json_null());
	put(o, "took_ns", count(s->took_ns));
	put(o, "written_bytes", count(s->written_bytes));
	put(o, "read_bytes", count(s->read_bytes));
	if (s->kind == SUITE_SWEEP)
		put(o, "sweep", s->sweep ? sweep_json_doc(s->sweep, s->job) : json_null());
	if (s->kind == SUITE_STEADY)
		put(o, "steady", s->rounds.n ? steady(s) : json_null());
	return o;
}

void suite_out_json(const struct suite_result *r, struct strbuf *out)
{
	json_t *doc = json_object(), *stages = json_array();
	char *dump;

	put(doc, "iodeck version", text(REPORT_VERSION));
	put(doc, "suite", text(r->name));
	put(doc, "title", text(r->title));
	put(doc, "target", text(r->target));
	put(doc, "target_id", text(r->target_id));
	put(doc, "simulated", json_boolean(r->simulated));
	put(doc, "engine", text(r->engine));
	put(doc, "begin_wall_ms", count(r->begin_wall_ms));
	put(doc, "took_ns", count(r->took_ns));
	put(doc, "time_scale", real(r->scale));
	put(doc, "quick", json_boolean(r->quick));
	put(doc, "preconditioned", json_boolean(suite_is_preconditioned(r)));
	put(doc, "written_bytes", count(suite_written_bytes(r)));
	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(stages, stage(&r->stage[i]));
	put(doc, "stages", stages);
	dump = json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(SWEEP_REAL_DIGITS));
	strbuf_puts(out, dump);
	strbuf_putc(out, '\n');
	free(dump);
	json_decref(doc);
}
