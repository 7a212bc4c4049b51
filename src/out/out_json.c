/*
 * fio's json (fio-language 3.8): its keys in its order, always one valid document, plus an object
 * "iodeck" per job with what fio's keys cannot say. Figures that are not known are null, never 0.
 */
#include <stdio.h>
#include <string.h>

#include "src/out/figures.h"
#include "src/out/formats.h"
#include "src/out/json_parts.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

/* Enough for 1e-6 relative everywhere and for means of up to 1000 s to a nanosecond. */
#define REAL_DIGITS 12

void out_json_percentiles(json_t *parent, const char *key, const struct lat_view *v,
			  const struct percentile_list *l)
{
	json_t *o = json_put_object(parent, key);
	uint64_t ns[PERCENTILES_MAX];

	pct_values(v->h, v->m, l, ns);
	for (unsigned i = 0; i < l->n; i++)
		json_put_count(o, num_real(l->v[i], 0, 6).s, ns[i]);
}

/* json+: how many values each bucket holds, by its midpoint; a full histogram, mergeable later. */
static void put_bins(json_t *parent, const struct hist *h)
{
	json_t *o = json_put_object(parent, "bins");
	char key[24];

	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		if (!h->n[i])
			continue;
		snprintf(key, sizeof(key), "%llu", (unsigned long long)hist_value(i));
		json_put_count(o, key, h->n[i]);
	}
}

json_t *out_json_moments(json_t *parent, const char *key, const struct moments *m)
{
	static const struct moments none;
	json_t *o = json_put_object(parent, key);

	if (m->n == 0)
		m = &none;
	json_put_count(o, "min", m->min_ns);
	json_put_count(o, "max", m->max_ns);
	json_put_real(o, "mean", moments_mean(m));
	json_put_real(o, "stddev", moments_stddev(m));
	json_put_count(o, "N", m->n);
	return o;
}

static void put_view(json_t *parent, const struct lat_view *v, const struct percentile_list *l,
		     bool bins)
{
	char key[16];
	json_t *o;

	snprintf(key, sizeof(key), "%s_ns", v->name);
	o = out_json_moments(parent, key, v->m);
	if (v->m->n == 0 || !v->h)
		return;
	out_json_percentiles(o, "percentile", v, l);
	if (bins)
		put_bins(o, v->h);
}

/* No samples: zeros, as fio has it; bw_samples tells. */
static void put_bw_samples(json_t *o, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *s = d->bw_kib.n ? &d->bw_kib : &none;

	json_put_count(o, "bw_min", s->min);
	json_put_count(o, "bw_max", s->max);
	json_put_real(o, "bw_agg", s->n ? d->bw_agg_pct : 0);
	json_put_real(o, "bw_mean", s->mean);
	json_put_real(o, "bw_dev", samples_stddev(s));
	json_put_count(o, "bw_samples", s->n);
}

static void put_iops_samples(json_t *o, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *s = d->iops_s.n ? &d->iops_s : &none;

	json_put_count(o, "iops_min", s->min);
	json_put_count(o, "iops_max", s->max);
	json_put_real(o, "iops_mean", s->mean);
	json_put_real(o, "iops_stddev", samples_stddev(s));
	json_put_count(o, "iops_samples", s->n);
}

static void put_direction(json_t *job, const struct job_result *j, const struct dir_result *d,
			  const char *name, bool bins)
{
	json_t *o = json_put_object(job, name);
	struct lat_view v[VIEW_NR];

	json_put_count(o, "io_bytes", d->st.bytes);
	json_put_count(o, "io_kbytes", d->st.bytes / 1024);
	json_put_count(o, "bw_bytes", d->bw_bytes);
	json_put_count(o, "bw", d->bw_bytes / 1024);
	json_put_real(o, "iops", d->iops);
	json_put_count(o, "runtime", d->runtime_ms);
	json_put_count(o, "total_ios", d->st.ops);
	json_put_count(o, "short_ios", d->st.shorts);
	json_put_count(o, "drop_ios", 0); /* fio's zoned mode only */
	figures_lat(j, d, v);
	for (unsigned i = 0; i < VIEW_NR; i++)
		put_view(o, &v[i], &j->spec->percentile_list, bins);
	put_bw_samples(o, d);
	put_iops_samples(o, d);
}

static void put_syncs(json_t *job, const struct job_result *j, bool bins)
{
	const struct lat_view v = {"lat", &j->sync_lat.m,
				   figures_sync_percentiles(j->spec) ? &j->sync_lat.h : NULL};
	json_t *o = json_put_object(job, "sync");

	json_put_count(o, "total_ios", j->sync_ops);
	put_view(o, &v, &j->spec->percentile_list, bins);
}

/* unified_rw_reporting=mixed: one object in place of the four; both: one more. */
static void put_directions(json_t *job, const struct job_result *j, bool bins)
{
	for (unsigned op = 0; op < IO_OP_NR && figures_apart(j); op++)
		put_direction(job, j, &j->dir[op], io_op_name(op), bins);
	if (figures_apart(j))
		put_syncs(job, j, bins);
	if (j->mixed)
		put_direction(job, j, j->mixed, "mixed", bins);
}

static void put_shares(json_t *job, const char *key, const char *const *labels, const double *pct,
		       unsigned n)
{
	json_t *o = json_put_object(job, key);

	for (unsigned i = 0; i < n; i++)
		json_put_real(o, labels[i], pct[i]);
}

static void put_depths(json_t *job, const char *key, const char *const *labels,
		       const uint64_t n[DEPTH_CELLS])
{
	double pct[DEPTH_CELLS];

	cell_shares(n, DEPTH_CELLS, CELL_FLOOR_DEPTH, pct);
	put_shares(job, key, labels, pct, DEPTH_CELLS);
}

static void put_lat_cells(json_t *job, const uint64_t cells[LAT_CELLS])
{
	double pct[LAT_CELLS];

	cell_shares(cells, LAT_CELLS, CELL_FLOOR_LAT, pct);
	for (unsigned i = 0; i < sizeof(lat_groups) / sizeof(lat_groups[0]); i++) {
		const struct lat_group *g = &lat_groups[i];

		put_shares(job, g->json_key, cell_lat_labels, pct + g->first, g->count);
	}
}

/* As written; a word given twice is one key with the last value, which is also the one in force. */
static void put_options(json_t *parent, const char *key, const struct opt_given *v, size_t n)
{
	json_t *o = json_put_object(parent, key);

	for (size_t i = 0; i < n; i++)
		json_put_text(o, v[i].key, v[i].val);
}

static json_t *job_json(const struct run_result *r, const struct job_result *j, bool bins)
{
	json_t *o = json_object();

	json_put_text(o, "jobname", j->spec->name);
	json_put_count(o, "groupid", j->group);
	json_put_count(o, "error", (uint64_t)j->error);
	json_put_count(o, "eta", 0); /* the run is over */
	json_put_count(o, "elapsed", r->elapsed_s);
	put_options(o, "job options", j->spec->given, j->spec->n_given);
	put_directions(o, j, bins);
	json_put_count(o, "job_runtime", j->runtime_ms);
	json_put_real(o, "usr_cpu", j->usr_pct);
	json_put_real(o, "sys_cpu", j->sys_pct);
	json_put_count(o, "ctx", j->ctx);
	json_put_count(o, "majf", j->majf);
	json_put_count(o, "minf", j->minf);
	put_depths(o, "iodepth_level", cell_depth_labels, j->depth);
	put_depths(o, "iodepth_submit", cell_call_labels, j->submit);
	put_depths(o, "iodepth_complete", cell_call_labels, j->complete);
	put_lat_cells(o, j->cells);
	if (figures_tells_errors(j->spec)) {
		json_put_count(o, "total_err", figures_errors(j));
		json_put_count(o, "first_error", (uint64_t)j->first_error);
	}
	json_put_count(o, "latency_depth", figures_latency_depth(j));
	json_put_count(o, "latency_target", j->spec->latency_target_ns);
	json_put_real(o, "latency_percentile", j->spec->latency_percentile);
	json_put_count(o, "latency_window", j->spec->latency_window_ns / 1000);
	if (j->spec->description)
		json_put_text(o, "desc", j->spec->description);
	out_json_steady(o, j);
	out_json_iodeck(o, r, j);
	return o;
}

static void put_slaves(json_t *o, const struct disk_result *master)
{
	struct disk_result a = disk_slaves(master);

	json_put_count(o, "aggr_read_ios", a.ios[0]);
	json_put_count(o, "aggr_write_ios", a.ios[1]);
	json_put_count(o, "aggr_read_merges", a.merges[0]);
	json_put_count(o, "aggr_write_merge", a.merges[1]); /* fio's spelling */
	json_put_count(o, "aggr_read_ticks", a.ticks_ms[0]);
	json_put_count(o, "aggr_write_ticks", a.ticks_ms[1]);
	json_put_count(o, "aggr_in_queue", a.in_queue_ms);
	json_put_real(o, "aggr_util", a.util_pct);
}

static json_t *disk_json(const struct disk_result *d)
{
	json_t *o = json_object();

	json_put_text(o, "name", d->name);
	json_put_count(o, "read_ios", d->ios[0]);
	json_put_count(o, "write_ios", d->ios[1]);
	json_put_count(o, "read_sectors", d->sectors[0]);
	json_put_count(o, "write_sectors", d->sectors[1]);
	json_put_count(o, "read_merges", d->merges[0]);
	json_put_count(o, "write_merges", d->merges[1]);
	json_put_count(o, "read_ticks", d->ticks_ms[0]);
	json_put_count(o, "write_ticks", d->ticks_ms[1]);
	json_put_count(o, "in_queue", d->in_queue_ms);
	json_put_real(o, "util", d->util_pct);
	if (d->n_slaves)
		put_slaves(o, d);
	return o;
}

static json_t *result_json(const struct run_result *r, bool bins)
{
	json_t *root = json_object(), *jobs = json_array(), *disks = json_array();

	json_put_text(root, "fio version", REPORT_VERSION); /* the key scripts look for */
	json_put_count(root, "timestamp", r->end_wall_ms / 1000);
	json_put_count(root, "timestamp_ms", r->end_wall_ms);
	json_put_text(root, "time", num_ctime(r->end_wall_ms).s);
	if (r->spec && r->spec->n_globals)
		put_options(root, "global options", r->spec->globals, r->spec->n_globals);
	json_object_set_new(root, "jobs", jobs);
	for (size_t i = 0; i < r->n_jobs; i++)
		json_array_append_new(jobs, job_json(r, &r->jobs[i], bins));
	json_object_set_new(root, "disk_util", disks); /* fio omits it now and then (cases 110) */
	for (size_t i = 0; i < r->n_disks; i++)
		json_array_append_new(disks, disk_json(&r->disks[i]));
	return root;
}

static int dump_to(const char *text, size_t len, void *out)
{
	strbuf_add(out, text, len);
	return 0;
}

static void run_any(const struct run_result *r, struct strbuf *out, bool bins)
{
	json_t *root = result_json(r, bins);

	json_dump_callback(root, dump_to, out, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
	strbuf_putc(out, '\n');
	json_decref(root);
}

static void json_run(const struct run_result *r, const struct report_how *how, struct strbuf *out)
{
	(void)how;
	run_any(r, out, false);
}

static void json_plus_run(const struct run_result *r, const struct report_how *how,
			  struct strbuf *out)
{
	(void)how;
	run_any(r, out, true);
}

const struct report_ops report_json = {
	.name = "json",
	.summary = "fio's json keys, with an iodeck object per job",
	.format = FORMAT_JSON,
	.run = json_run,
};

const struct report_ops report_json_plus = {
	.name = "json+",
	.summary = "json with the full latency histograms",
	.format = FORMAT_JSON_PLUS,
	.run = json_plus_run,
};
