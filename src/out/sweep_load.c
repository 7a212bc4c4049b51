#include "src/out/sweep_load.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"

struct reader {
	const char *name; /* of the file */
	struct err *e;
	bool failed;
};

static void fail(struct reader *rd, const char *what)
{
	if (!rd->failed)
		err_set(rd->e, EINVAL, "%s: not a sweep that iodeck has saved: %s", rd->name, what);
	rd->failed = true;
}

static const char *text_of(struct reader *rd, const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	if (!s)
		fail(rd, key);
	return s ? s : "";
}

/* Unknown numbers are null. */
static double real_of(struct reader *rd, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_number(v) && !json_is_null(v))
		fail(rd, key);
	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static uint64_t count_of(struct reader *rd, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_null(v))
		return 0;
	if (!json_is_integer(v) || json_integer_value(v) < 0)
		fail(rd, key);
	return (uint64_t)json_integer_value(v);
}

static uint8_t flag_of(const json_t *o, const char *key, enum cell_flag bit)
{
	return json_is_true(json_object_get(o, key)) ? (uint8_t)bit : 0;
}

static void read_numbers(struct reader *rd, const json_t *o, struct sweep_cell *c)
{
	static const char *const keys[CELL_PCT_NR] = {"lat_p50_ns", "lat_p90_ns", "lat_p99_ns",
						      "lat_p99.9_ns"};

	c->iops = real_of(rd, o, "iops");
	c->bps = real_of(rd, o, "bytes_per_s");
	c->mean_ns = real_of(rd, o, "lat_mean_ns");
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		c->pct_ns[i] = count_of(rd, o, keys[i]);
	c->max_ns = count_of(rd, o, "lat_max_ns");
	c->ci_pct = real_of(rd, o, "ci95_pct");
	c->inflight = (uint32_t)count_of(rd, o, "inflight_asked");
	c->little = real_of(rd, o, "inflight_effective");
	c->cpu_ns = real_of(rd, o, "cpu_ns_per_io");
	c->n = count_of(rd, o, "completions");
	c->errors = count_of(rd, o, "errors");
	c->elapsed_ns = count_of(rd, o, "measured_ns");
	c->written_bytes = count_of(rd, o, "written_bytes");
	c->stall_ns = count_of(rd, o, "stall_ns");
	c->flags = flag_of(o, "wide", CELL_WIDE) | flag_of(o, "drift", CELL_DRIFT) |
		   flag_of(o, "stall", CELL_STALL) | flag_of(o, "short", CELL_SHORT);
}

static enum cell_state state_of(const char *word)
{
	static const enum cell_state kept[] = {CELL_DONE, CELL_NO_IO, CELL_SKIPPED, CELL_FAILED};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (strcmp(word, cell_state_word(kept[i])) == 0)
			return kept[i];
	return CELL_PENDING;
}

static void read_cell(struct reader *rd, const json_t *o, struct sweep_cell *c)
{
	c->state = (uint8_t)state_of(text_of(rd, o, "state"));
	if (c->state == CELL_DONE || c->state == CELL_NO_IO)
		read_numbers(rd, o, c);
}

/* Only a search that came to its end; another one begins anew. */
static void read_slo(struct reader *rd, const json_t *o, struct slo_found *s)
{
	const char *state;

	if (!o || !json_is_true(json_object_get(o, "searched")))
		return;
	state = text_of(rd, o, "state");
	s->searched = true;
	s->probes = (uint32_t)count_of(rd, o, "probes");
	s->state = strcmp(state, "found") == 0        ? SLO_FOUND
		   : strcmp(state, "all-inside") == 0 ? SLO_ALL
						      : SLO_NOT_ONE;
	if (s->state == SLO_NOT_ONE)
		return;
	s->load = count_of(rd, o, "load");
	s->cell.state = CELL_DONE;
	read_numbers(rd, o, &s->cell);
}

static void read_grid(struct reader *rd, const json_t *doc, struct sweep_result *r)
{
	const json_t *cells = json_object_get(doc, "cells"),
		     *cols = json_object_get(doc, "columns");

	if (json_array_size(cells) != (size_t)r->rows * r->cols ||
	    json_array_size(cols) != r->cols) {
		fail(rd, "the number of its cells does not fit its axes");
		return;
	}
	for (unsigned i = 0; i < r->rows * r->cols; i++)
		read_cell(rd, json_array_get(cells, i), &r->cell[i]);
	for (unsigned col = 0; col < r->cols; col++)
		read_slo(rd, json_object_get(json_array_get(cols, col), "slo"), &r->slo[col]);
}

static void read_doc(struct reader *rd, const json_t *doc, struct sweep_saved *s)
{
	struct sweep_spec spec;
	struct err e = {0};

	s->words = xstrdup(text_of(rd, doc, "sweep"));
	s->job = xstrdup(text_of(rd, doc, "job"));
	sweep_spec_init(&spec);
	if (!rd->failed && sweep_spec_parse(&spec, s->words, &e) < 0)
		fail(rd, e.msg);
	if (rd->failed)
		return;
	sweep_result_init(&s->r, &spec);
	snprintf(s->r.target, sizeof(s->r.target), "%s", text_of(rd, doc, "target"));
	snprintf(s->r.target_id, sizeof(s->r.target_id), "%s", text_of(rd, doc, "target_id"));
	snprintf(s->r.engine, sizeof(s->r.engine), "%s", text_of(rd, doc, "engine"));
	snprintf(s->r.rw, sizeof(s->r.rw), "%s", text_of(rd, doc, "rw"));
	s->r.simulated = json_is_true(json_object_get(doc, "simulated"));
	read_grid(rd, doc, &s->r);
	sweep_result_derive(&s->r);
}

/* The sweep itself, or a sweep of the history (run.json), whose report it is. */
static const json_t *sweep_in(const json_t *doc)
{
	const char *kind = json_string_value(json_object_get(doc, "kind"));

	return kind && strcmp(kind, "sweep") == 0 ? json_object_get(doc, "report") : doc;
}

int sweep_load_text(const char *name, const char *text, struct sweep_saved *s, struct err *e)
{
	struct reader rd = {.name = name, .e = e};
	json_error_t je;
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &je);

	*s = (struct sweep_saved){0};
	if (!doc)
		return err_set(e, EINVAL, "%s:%d: not json: %.150s", name, je.line, je.text);
	read_doc(&rd, sweep_in(doc), s);
	json_decref(doc);
	if (!rd.failed)
		return 0;
	sweep_saved_fini(s);
	return -EINVAL;
}

int sweep_load(const char *path, struct sweep_saved *s, struct err *e)
{
	struct strbuf sb = {0};
	int rc = fs_read_all("", path, &sb);

	if (rc)
		err_set(e, -rc, "%s: %s", path, strerror(-rc));
	else
		rc = sweep_load_text(path, strbuf_str(&sb), s, e);
	strbuf_fini(&sb);
	return rc;
}

void sweep_saved_fini(struct sweep_saved *s)
{
	free(s->words);
	free(s->job);
	s->words = s->job = NULL;
}
