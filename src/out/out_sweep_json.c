/* A sweep as one json document. Raw numbers, the unit in the key; unknown ones are null. */
#include <stdlib.h>

#include "src/base/json_put.h"
#include "src/out/out_sweep.h"
#include "src/out/sweep_json.h"
#include "src/out/report.h"
#include "src/spec/profile.h"
#include "src/stat/sweep_text.h"

static json_t *ns(const struct sweep_cell *c, uint64_t v)
{
	return c->n ? json_integer((json_int_t)v) : json_null();
}

static json_t *value_of(const struct sweep_result *r, enum sweep_kind k, unsigned i)
{
	if (k == SWEEP_ENGINE)
		return json_make_text(r->spec.axis[k].word[i]);
	return json_integer((json_int_t)r->spec.axis[k].v[i]);
}

static void put_settings(json_t *o, const struct sweep_result *r, unsigned row, unsigned col)
{
	for (unsigned k = 0; k < SWEEP_KINDS; k++) {
		unsigned i = k == (unsigned)r->spec.row   ? row
			     : k == (unsigned)r->spec.col ? col
							  : 0;

		if (r->spec.axis[k].n)
			json_object_set_new(o, sweep_kind_word((enum sweep_kind)k),
					    value_of(r, (enum sweep_kind)k, i));
	}
}

static void put_numbers(json_t *o, const struct sweep_cell *c)
{
	static const char *const keys[CELL_PCT_NR] = {"lat_p50_ns", "lat_p90_ns", "lat_p99_ns",
						      "lat_p99.9_ns"};

	json_put_real(o, "iops", c->iops);
	json_put_real(o, "bytes_per_s", c->bps);
	json_put_real(o, "lat_mean_ns", c->mean_ns);
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		json_object_set_new(o, keys[i], ns(c, c->pct_ns[i]));
	json_object_set_new(o, "lat_max_ns", ns(c, c->max_ns));
	json_put_real(o, "ci95_pct", c->ci_pct);
	json_put_count(o, "inflight_asked", c->inflight);
	json_put_real(o, "inflight_effective", c->little);
	json_put_real(o, "cpu_ns_per_io", c->cpu_ns);
	json_put_count(o, "completions", c->n);
	json_put_count(o, "errors", c->errors);
	json_put_count(o, "measured_ns", c->elapsed_ns);
	json_put_count(o, "written_bytes", c->written_bytes);
	json_put_count(o, "stall_ns", c->stall_ns);
	json_put_bool(o, "wide", c->flags & CELL_WIDE);
	json_put_bool(o, "drift", c->flags & CELL_DRIFT);
	json_put_bool(o, "stall", c->flags & CELL_STALL);
	json_put_bool(o, "short", c->flags & CELL_SHORT);
}

static json_t *cell(const struct sweep_result *r, unsigned row, unsigned col)
{
	const struct sweep_cell *c = sweep_cell_get(r, row, col);
	json_t *o = json_object();

	put_settings(o, r, row, col);
	json_put_text(o, "state", cell_state_word(c->state));
	if (c->state == CELL_DONE || c->state == CELL_NO_IO)
		put_numbers(o, c);
	return o;
}

static json_t *load_at(const struct sweep_result *r, int row)
{
	return row < 0 ? json_null() : value_of(r, r->spec.row, (unsigned)row);
}

static json_t *fit(const struct fit *f)
{
	json_t *o = json_object();

	json_put_text(o, "form", fit_form_word(f->form));
	json_put_real(o, "residual_pct", f->residual_pct);
	if (f->form == FIT_NONE) {
		json_put_text(o, "refused", f->why);
		return o;
	}
	json_put_count(o, "points", f->points);
	json_put_bool(o, "without_depth_1", f->without_one);
	json_put_real(o, "r0_ns", f->r0_ns);
	json_put_real(o, "xmax_iops", f->xmax);
	json_put_real(o, "nstar", f->nstar);
	json_put_real(o, "inflight_for_90_pct", f->n90);
	return o;
}

static json_t *slo(const struct sweep_result *r, unsigned col)
{
	static const char *const states[] = {"unknown", "found", "all-inside", "none-inside"};
	const struct slo_found *s = &r->slo[col];
	json_t *o = json_object();

	json_put_text(o, "state", states[s->state]);
	json_put_bool(o, "searched", s->searched);
	json_put_count(o, "probes", s->probes);
	if (s->state == SLO_FOUND || s->state == SLO_ALL) {
		json_put_count(o, "load", s->load);
		put_numbers(o, &s->cell);
	}
	return o;
}

static json_t *column(const struct sweep_result *r, unsigned col)
{
	const struct sweep_findings *f = &r->find[col];
	json_t *o = json_object();

	if (r->spec.col != SWEEP_NO_AXIS)
		json_object_set_new(o, sweep_kind_word(r->spec.col), value_of(r, r->spec.col, col));
	json_object_set_new(o, "peak_at", load_at(r, f->peak));
	json_object_set_new(o, "knee_power_at", load_at(r, f->knee[KNEE_POWER]));
	json_object_set_new(o, "knee_90_pct_at", load_at(r, f->knee[KNEE_SHARE]));
	json_object_set_new(o, "knee_slo_at", load_at(r, f->knee[KNEE_SLO]));
	json_put_real(o, "little_off_pct", f->little_off_pct);
	json_object_set_new(o, "fit", fit(&f->fit));
	if (r->spec.slo.set)
		json_object_set_new(o, "slo", slo(r, col));
	return o;
}

static void put_job(json_t *doc, const struct job_spec *job)
{
	struct strbuf sb = {0};

	if (job)
		profile_print(job, &sb);
	json_object_set_new(doc, "job", job ? json_make_text(strbuf_str(&sb)) : json_null());
	strbuf_fini(&sb);
}

static void put_grid(json_t *doc, const struct sweep_result *r)
{
	json_t *cells = json_array(), *cols = json_array();

	for (unsigned row = 0; row < r->rows; row++)
		for (unsigned col = 0; col < r->cols; col++)
			json_array_append_new(cells, cell(r, row, col));
	for (unsigned col = 0; col < r->cols; col++)
		json_array_append_new(cols, column(r, col));
	json_object_set_new(doc, "cells", cells);
	json_object_set_new(doc, "columns", cols);
}

json_t *sweep_json_doc(const struct sweep_result *r, const struct job_spec *job)
{
	json_t *doc = json_object();
	struct strbuf spec = {0};

	sweep_spec_print(&r->spec, &spec);
	json_put_text(doc, "iodeck version", REPORT_VERSION);
	json_put_text(doc, "sweep", strbuf_str(&spec));
	put_job(doc, job);
	json_put_text(doc, "target", r->target);
	json_put_text(doc, "target_id", r->target_id);
	json_put_text(doc, "engine", r->engine);
	json_put_bool(doc, "simulated", r->simulated);
	json_put_text(doc, "rw", r->rw);
	json_put_text(doc, "row_axis", sweep_kind_word(r->spec.row));
	json_object_set_new(doc, "column_axis",
			    r->spec.col == SWEEP_NO_AXIS
				    ? json_null()
				    : json_make_text(sweep_kind_word(r->spec.col)));
	json_put_count(doc, "cells_measured", r->done);
	put_grid(doc, r);
	strbuf_fini(&spec);
	return doc;
}

void sweep_out_json(const struct sweep_result *r, const struct job_spec *job, struct strbuf *out)
{
	json_t *doc = sweep_json_doc(r, job);
	char *dump = json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(SWEEP_REAL_DIGITS));

	strbuf_puts(out, dump);
	strbuf_putc(out, '\n');
	free(dump);
	json_decref(doc);
}
