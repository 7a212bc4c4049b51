/* A suite as one json document. Raw numbers, the unit in the key; unknown ones are null. */
#include <math.h>
#include <stdlib.h>

#include "src/base/json_put.h"
#include "src/out/out_suite.h"
#include "src/out/report.h"
#include "src/out/sweep_json.h"

static json_t *rounds(const struct rounds *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < s->n; i++)
		json_array_append_new(a, json_make_real(s->y[i]));
	return a;
}

static void put_window(json_t *o, const struct sweep_cell *w)
{
	static const char *const keys[CELL_PCT_NR] = {"lat_p50_ns", "lat_p90_ns", "lat_p99_ns",
						      "lat_p99.9_ns"};

	json_put_real(o, "iops", w->n ? w->iops : (double)NAN);
	json_put_real(o, "bytes_per_s", w->n ? w->bps : (double)NAN);
	json_put_real(o, "lat_mean_ns", w->n ? w->mean_ns : (double)NAN);
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		json_object_set_new(o, keys[i], w->n ? json_make_count(w->pct_ns[i]) : json_null());
	json_put_count(o, "completions", w->n);
	json_put_count(o, "measured_ns", w->elapsed_ns);
}

static json_t *steady(const struct suite_stage_result *s)
{
	json_t *o = json_object();

	json_put_bool(o, "steady", s->verdict.steady);
	json_put_count(o, "round_ns", s->round_ns);
	json_object_set_new(o, "rounds_iops", rounds(&s->rounds));
	json_put_count(o, "window_rounds", s->rule.window);
	json_put_real(o, "range_pct", s->verdict.range_pct);
	json_put_real(o, "range_limit_pct", s->rule.range_pct);
	json_put_real(o, "slope_pct", s->verdict.slope_pct);
	json_put_real(o, "slope_limit_pct", s->rule.slope_pct);
	put_window(o, &s->window);
	return o;
}

static json_t *stage(const struct suite_stage_result *s)
{
	static const char *const kinds[] = {
		[SUITE_RUN] = "run", [SUITE_SWEEP] = "sweep", [SUITE_STEADY] = "steady"};
	json_t *o = json_object();

	json_put_text(o, "name", s->name);
	json_put_text(o, "title", s->title);
	json_put_text(o, "kind", kinds[s->kind]);
	json_put_bool(o, "precondition", s->precondition);
	json_put_text(o, "state", suite_state_word(s->state));
	json_object_set_new(o, "why", s->why[0] ? json_make_text(s->why) : json_null());
	json_put_count(o, "took_ns", s->took_ns);
	json_put_count(o, "written_bytes", s->written_bytes);
	json_put_count(o, "read_bytes", s->read_bytes);
	if (s->kind == SUITE_SWEEP)
		json_object_set_new(o, "sweep",
				    s->sweep ? sweep_json_doc(s->sweep, s->job) : json_null());
	if (s->kind == SUITE_STEADY)
		json_object_set_new(o, "steady", s->rounds.n ? steady(s) : json_null());
	return o;
}

void suite_out_json(const struct suite_result *r, struct strbuf *out)
{
	json_t *doc = json_object(), *stages = json_array();
	char *dump;

	json_put_text(doc, "iodeck version", REPORT_VERSION);
	json_put_text(doc, "suite", r->name);
	json_put_text(doc, "title", r->title);
	json_put_text(doc, "target", r->target);
	json_put_text(doc, "target_id", r->target_id);
	json_put_bool(doc, "simulated", r->simulated);
	json_put_text(doc, "engine", r->engine);
	json_put_count(doc, "begin_wall_ms", r->begin_wall_ms);
	json_put_count(doc, "took_ns", r->took_ns);
	json_put_real(doc, "time_scale", r->scale);
	json_put_bool(doc, "quick", r->quick);
	json_put_bool(doc, "preconditioned", suite_is_preconditioned(r));
	json_put_count(doc, "written_bytes", suite_written_bytes(r));
	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(stages, stage(&r->stage[i]));
	json_object_set_new(doc, "stages", stages);
	dump = json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(SWEEP_REAL_DIGITS));
	strbuf_puts(out, dump);
	strbuf_putc(out, '\n');
	free(dump);
	json_decref(doc);
}
