/* A sweep as one json document. Raw numbers, the unit in the key; unknown ones are null. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "src/out/out_sweep.h"
#include "src/out/sweep_json.h"
#include "src/out/report.h"
#include "src/spec/profile.h"
#include "src/stat/sweep_text.h"

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *text(const char *s)
{
	json_t *v = json_string(s);

	return v ? v : json_string("?"); /* not UTF-8 */
}

static json_t *ns(const struct sweep_cell *c, uint64_t v)
{
	return c->n ? json_integer((json_int_t)v) : json_null();
}

static void put(json_t *o, const char *key, json_t *v)
{
	json_object_set_new(o, key, v);
}

static json_t *value_of(const struct sweep_result *r, enum sweep_kind k, unsigned i)
{
	if (k == SWEEP_ENGINE)
		return text(r->spec.axis[k].word[i]);
	return json_integer((json_int_t)r->spec.axis[k].v[i]);
}

static void put_settings(json_t *o, const struct sweep_result *r, unsigned row, unsigned col)
{
	for (unsigned k = 0; k < SWEEP_KINDS; k++) {
		unsigned i = k == (unsigned)r->spec.row   ? row
			     : k == (unsigned)r->spec.col ? col
							  : 0;

		if (r->spec.axis[k].n)
			put(o, sweep_kind_word((enum sweep_kind)k),
			    value_of(r, (enum sweep_kind)k, i));
	}
}

static void put_numbers(json_t *o, const struct sweep_cell *c)
{
	static const char *const keys[CELL_PCT_NR] = {"lat_p50_ns", "lat_p90_ns", "lat_p99_ns",
						      "lat_p99.9_ns"};

	put(o, "iops", real(c->iops));
	put(o, "bytes_per_s", real(c->bps));
	put(o, "lat_mean_ns", real(c->mean_ns));
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		put(o, keys[i], ns(c, c->pct_ns[i]));
	put(o, "lat_max_ns", ns(c, c->max_ns));
	put(o, "ci95_pct", real(c->ci_pct));
	put(o, "inflight_asked", json_integer(c->inflight));
	put(o, "inflight_effective", real(c->little));
	put(o, "cpu_ns_per_io", real(c->cpu_ns));
	put(o, "completions", json_integer((json_int_t)c->n));
	put(o, "errors", json_integer((json_int_t)c->errors));
	put(o, "measured_ns", json_integer((json_int_t)c->elapsed_ns));
	put(o, "written_bytes", json_integer((json_int_t)c->written_bytes));
	put(o, "stall_ns", json_integer((json_int_t)c->stall_ns));
	put(o, "wide", json_boolean(c->flags & CELL_WIDE));
	put(o, "drift", json_boolean(c->flags & CELL_DRIFT));
	put(o, "stall", json_boolean(c->flags & CELL_STALL));
	put(o, "short", json_boolean(c->flags & CELL_SHORT));
}

static json_t *cell(const struct sweep_result *r, unsigned row, unsigned col)
{
	const struct sweep_cell *c = sweep_cell_get(r, row, col);
	json_t *o = json_object();

	put_settings(o, r, row, col);
	put(o, "state", text(cell_state_word(c->state)));
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

	put(o, "form", text(fit_form_word(f->form)));
	put(o, "residual_pct", real(f->residual_pct));
	if (f->form == FIT_NONE) {
		put(o, "refused", text(f->why));
		return o;
	}
	put(o, "points", json_integer(f->points));
	put(o, "without_depth_1", json_boolean(f->without_one));
	put(o, "r0_ns", real(f->r0_ns));
	put(o, "xmax_iops", real(f->xmax));
	put(o, "nstar", real(f->nstar));
	put(o, "inflight_for_90_pct", real(f->n90));
	return o;
}

static json_t *slo(const struct sweep_result *r, unsigned col)
{
	static const char *const states[] = {"unknown", "found", "all-inside", "none-inside"};
	const struct slo_found *s = &r->slo[col];
	json_t *o = json_object();

	put(o, "state", text(states[s->state]));
	put(o, "searched", json_boolean(s->searched));
	put(o, "probes", json_integer(s->probes));
	if (s->state == SLO_FOUND || s->state == SLO_ALL) {
		put(o, "load", json_integer((json_int_t)s->load));
		put_numbers(o, &s->cell);
	}
	return o;
}

static json_t *column(const struct sweep_result *r, unsigned col)
{
	const struct sweep_findings *f = &r->find[col];
	json_t *o = json_object();

	if (r->spec.col != SWEEP_NO_AXIS)
		put(o, sweep_kind_word(r->spec.col), value_of(r, r->spec.col, col));
	put(o, "peak_at", load_at(r, f->peak));
	put(o, "knee_power_at", load_at(r, f->knee[KNEE_POWER]));
	put(o, "knee_90_pct_at", load_at(r, f->knee[KNEE_SHARE]));
	put(o, "knee_slo_at", load_at(r, f->knee[KNEE_SLO]));
	put(o, "little_off_pct", real(f->little_off_pct));
	put(o, "fit", fit(&f->fit));
	if (r->spec.slo.set)
		put(o, "slo", slo(r, col));
	return o;
}

static void put_job(json_t *doc, const struct job_spec *job)
{
	struct strbuf sb = {0};

	if (job)
		profile_print(job, &sb);
	put(doc, "job", job ? text(strbuf_str(&sb)) : json_null());
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
	put(doc, "cells", cells);
	put(doc, "columns", cols);
}

json_t *sweep_json_doc(const struct sweep_result *r, const struct job_spec *job)
{
	json_t *doc = json_object();
	struct strbuf spec = {0};

	sweep_spec_print(&r->spec, &spec);
	put(doc, "iodeck version", text(REPORT_VERSION));
	put(doc, "sweep", text(strbuf_str(&spec)));
	put_job(doc, job);
	put(doc, "target", text(r->target));
	put(doc, "target_id", text(r->target_id));
	put(doc, "engine", text(r->engine));
	put(doc, "simulated", json_boolean(r->simulated));
	put(doc, "rw", text(r->rw));
	put(doc, "row_axis", text(sweep_kind_word(r->spec.row)));
	put(doc, "column_axis",
	    r->spec.col == SWEEP_NO_AXIS ? json_null() : text(sweep_kind_word(r->spec.col)));
	put(doc, "cells_measured", json_integer(r->done));
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
