/*
 * fio's json (fio-language 3.8): its keys in its order, always one valid document, plus an object
 * "iodeck" per job with what fio's keys cannot say. Figures that are not known are null, never 0.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/out/figures.h"
#include "src/out/formats.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

/* Enough for 1e-6 relative everywhere and for means of up to 1000 s to a nanosecond. */
#define REAL_DIGITS 12

static void put_int(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_integer((json_int_t)v));
}

static void put_real(json_t *o, const char *key, double v)
{
	json_object_set_new(o, key, isfinite(v) ? json_real(v) : json_null());
}

static void put_bool(json_t *o, const char *key, bool v)
{
	json_object_set_new(o, key, json_boolean(v));
}

/* json holds UTF-8 only; a file name may hold anything. Other text keeps its ASCII, the rest as \xNN. */
static json_t *text_escaped(const char *s)
{
	struct strbuf sb = {0};
	json_t *v;

	for (; *s; s++) {
		if ((unsigned char)*s < 0x80)
			strbuf_putc(&sb, *s);
		else
			strbuf_addf(&sb, "\\x%02x", (unsigned char)*s);
	}
	v = json_string(strbuf_str(&sb));
	strbuf_fini(&sb);
	return v;
}

static void put_text(json_t *o, const char *key, const char *s)
{
	json_t *v = json_string(s ? s : "");

	json_object_set_new(o, key, v ? v : text_escaped(s));
}

static json_t *put_object(json_t *parent, const char *key)
{
	json_t *o = json_object();

	json_object_set_new(parent, key, o);
	return o;
}

static void put_percentiles(json_t *parent, const char *key, const struct lat_view *v,
			    const struct percentile_list *l)
{
	json_t *o = put_object(parent, key);
	uint64_t ns[PERCENTILES_MAX];

	pct_values(v->h, v->m, l, ns);
	for (unsigned i = 0; i < l->n; i++)
		put_int(o, num_real(l->v[i], 0, 6).s, ns[i]);
}

/* json+: how many values each bucket holds, by its midpoint; a full histogram, mergeable later. */
static void put_bins(json_t *parent, const struct hist *h)
{
	json_t *o = put_object(parent, "bins");
	char key[24];

	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		if (!h->n[i])
			continue;
		snprintf(key, sizeof(key), "%llu", (unsigned long long)hist_value(i));
		put_int(o, key, h->n[i]);
	}
}

static json_t *put_moments(json_t *parent, const char *key, const struct moments *m)
{
	static const struct moments none;
	json_t *o = put_object(parent, key);

	if (m->n == 0)
		m = &none;
	put_int(o, "min", m->min_ns);
	put_int(o, "max", m->max_ns);
	put_real(o, "mean", moments_mean(m));
	put_real(o, "stddev", moments_stddev(m));
	put_int(o, "N", m->n);
	return o;
}

static void put_view(json_t *parent, const struct lat_view *v, const struct percentile_list *l,
		     bool bins)
{
	char key[16];
	json_t *o;

	snprintf(key, sizeof(key), "%s_ns", v->name);
	o = put_moments(parent, key, v->m);
	if (v->m->n == 0 || !v->h)
		return;
	put_percentiles(o, "percentile", v, l);
	if (bins)
		put_bins(o, v->h);
}

/* No samples: zeros, as fio has it; bw_samples tells. */
static void put_bw_samples(json_t *o, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *s = d->bw_kib.n ? &d->bw_kib : &none;

	put_int(o, "bw_min", s->min);
	put_int(o, "bw_max", s->max);
	put_real(o, "bw_agg", s->n ? d->bw_agg_pct : 0);
	put_real(o, "bw_mean", s->mean);
	put_real(o, "bw_dev", samples_stddev(s));
	put_int(o, "bw_samples", s->n);
}

static void put_iops_samples(json_t *o, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *s = d->iops_s.n ? &d->iops_s : &none;

	put_int(o, "iops_min", s->min);
	put_int(o, "iops_max", s->max);
	put_real(o, "iops_mean", s->mean);
	put_real(o, "iops_stddev", samples_stddev(s));
	put_int(o, "iops_samples", s->n);
}

static void put_direction(json_t *job, const struct job_result *j, const struct dir_result *d,
			  const char *name, bool bins)
{
	json_t *o = put_object(job, name);
	struct lat_view v[VIEW_NR];

	put_int(o, "io_bytes", d->st.bytes);
	put_int(o, "io_kbytes", d->st.bytes / 1024);
	put_int(o, "bw_bytes", d->bw_bytes);
	put_int(o, "bw", d->bw_bytes / 1024);
	put_real(o, "iops", d->iops);
	put_int(o, "runtime", d->runtime_ms);
	put_int(o, "total_ios", d->st.ops);
	put_int(o, "short_ios", d->st.shorts);
	put_int(o, "drop_ios", 0); /* fio's zoned mode only */
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
	json_t *o = put_object(job, "sync");

	put_int(o, "total_ios", j->sync_ops);
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
	json_t *o = put_object(job, key);

	for (unsigned i = 0; i < n; i++)
		put_real(o, labels[i], pct[i]);
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
	json_t *o = put_object(parent, key);

	for (size_t i = 0; i < n; i++)
		put_text(o, v[i].key, v[i].val);
}

/* Every sample window, those without I/O as 0: fio leaves them out, and a stall with them. */
static void put_windows(json_t *parent, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *bw = d->bw_all_kib.n ? &d->bw_all_kib : &none,
			     *iops = d->iops_all.n ? &d->iops_all : &none;
	json_t *o = put_object(parent, "windows");

	put_int(o, "n", iops->n);
	put_int(o, "empty", iops->n - d->iops_s.n);
	put_int(o, "bw_min", bw->min);
	put_int(o, "bw_max", bw->max);
	put_real(o, "bw_mean", bw->mean);
	put_real(o, "bw_dev", samples_stddev(bw));
	put_int(o, "iops_min", iops->min);
	put_int(o, "iops_max", iops->max);
	put_real(o, "iops_mean", iops->mean);
	put_real(o, "iops_stddev", samples_stddev(iops));
}

/* resp NULL: the job has no schedule. */
static void put_schedule(json_t *parent, const struct job_result *j, const struct lat_dist *resp)
{
	json_t *o;

	if (!resp)
		return;
	o = put_moments(parent, "schedule_lat_ns", &resp->m);
	if (resp->m.n) {
		const struct lat_view v = {"schedule", &resp->m, &resp->h};

		put_percentiles(o, "percentile", &v, &j->spec->percentile_list);
	}
}

static void put_exact_direction(json_t *parent, const struct job_result *j, enum io_op op)
{
	const struct op_stat *st = &j->dir[op].st;
	const struct lat_view lat = {"lat", &st->lat.m, &st->lat.h};
	json_t *o = put_object(parent, io_op_name(op));

	put_int(o, "errors", st->errors);
	put_int(o, "slat_sum_ns", figures_has_slat(j, &j->dir[op]) ? st->slat.sum_ns : 0);
	put_int(o, "clat_sum_ns", st->clat.m.sum_ns);
	put_int(o, "lat_sum_ns", st->lat.m.sum_ns);
	if (st->lat.m.n)
		put_percentiles(o, "lat_percentile_ns", &lat, &j->spec->percentile_list);
	put_windows(o, &j->dir[op]);
	put_schedule(o, j, j->dir[op].resp);
}

/* What is in force, defaults included, in words that a job file takes back. */
static void put_effective(json_t *parent, const struct job_spec *js)
{
	json_t *o = put_object(parent, "options");

	for (const struct option_def *row = job_options; row->name; row++) {
		struct strbuf text = {0};

		if (row->flags & (OPT_MIRROR | OPT_CLI_ONLY))
			continue;
		option_print(row, js, &text);
		put_text(o, row->name, strbuf_str(&text));
		strbuf_fini(&text);
	}
}

/* Since the first job began to count: what of the stages, delays and waits between them. */
static void put_times(json_t *o, const struct run_result *r, const struct job_result *j)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < r->n_jobs; i++)
		if (r->jobs[i].begin_ns && r->jobs[i].begin_ns < first)
			first = r->jobs[i].begin_ns;
	put_real(o, "begin_ms", j->begin_ns ? (double)(j->begin_ns - first) / 1e6 : NAN);
	put_real(o, "end_ms", j->begin_ns && j->end_ns ? (double)(j->end_ns - first) / 1e6 : NAN);
}

static void put_search(json_t *parent, const struct job_result *j)
{
	json_t *o;

	if (j->search.state == SEARCH_NONE)
		return;
	o = put_object(parent, "latency_search");
	put_text(o, "state", search_word[j->search.state]);
	put_int(o, "depth_min", j->search.depth_min);
	put_int(o, "depth_max", j->search.depth_max);
}

static void put_seconds(json_t *parent, const char *key, const uint64_t *v, unsigned n)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(list, json_integer((json_int_t)v[i]));
	json_object_set_new(parent, key, list);
}

/* fio fills up what a job that ended early has not measured with zeros; here there is less instead. */
static void put_steady(json_t *job, const struct job_result *j)
{
	static const char *const words[] = {[STEADY_IOPS] = "iops",
					    [STEADY_IOPS_SLOPE] = "iops_slope",
					    [STEADY_BW] = "bw",
					    [STEADY_BW_SLOPE] = "bw_slope"};
	const struct steady_result *s = j->steady;
	const char *pct = j->spec->steady_pct ? "%" : "";
	char text[80];
	json_t *o;

	if (!s)
		return;
	o = put_object(job, "steadystate");
	snprintf(text, sizeof(text), "%s:%s%s", words[j->spec->steady_kind],
		 num_real(j->spec->steady_limit, 0, 6).s, pct);
	put_text(o, "ss", text);
	put_int(o, "duration", s->seconds);
	put_int(o, "attained", s->attained);
	snprintf(text, sizeof(text), "%s%s", num_real(s->criterion, 0, 6).s, pct);
	put_text(o, "criterion", text);
	put_real(o, "max_deviation", s->deviation);
	put_real(o, "slope", s->slope);
	o = put_object(o, "data");
	put_int(o, "bw_mean", steady_mean(s->bw_bytes, s->n));
	put_int(o, "iops_mean", steady_mean(s->iops, s->n));
	put_seconds(o, "iops", s->iops, s->n);
	put_seconds(o, "bw", s->bw_bytes, s->n);
}

static void put_iodeck(json_t *job, const struct run_result *r, const struct job_result *j)
{
	json_t *o = put_object(job, "iodeck");

	put_int(o, "jobs", j->clones);
	put_int(o, "failed_jobs", j->failed ? j->failed : j->error && !j->survived);
	put_text(o, "ioengine", j->spec->ioengine);
	put_bool(o, "simulated", j->simulated);
	put_bool(o, "sync_engine", j->sync_engine);
	put_int(o, "effective_iodepth", j->sync_engine ? 1 : j->spec->iodepth);
	put_bool(o, "started", j->started);
	put_text(o, "error_text", j->error_text);
	put_int(o, "signal", (uint64_t)r->signal);
	put_int(o, "retries", j->retries);
	put_int(o, "asked_bytes", j->asked_bytes);
	put_times(o, r, j);
	put_int(o, "usr_us", j->usr_us);
	put_int(o, "sys_us", j->sys_us);
	for (unsigned op = 0; op < IO_OP_NR; op++)
		put_exact_direction(o, j, op);
	put_search(o, j);
	put_effective(o, j->spec);
}

static json_t *job_json(const struct run_result *r, const struct job_result *j, bool bins)
{
	json_t *o = json_object();

	put_text(o, "jobname", j->spec->name);
	put_int(o, "groupid", j->group);
	put_int(o, "error", (uint64_t)j->error);
	put_int(o, "eta", 0); /* the run is over */
	put_int(o, "elapsed", r->elapsed_s);
	put_options(o, "job options", j->spec->given, j->spec->n_given);
	put_directions(o, j, bins);
	put_int(o, "job_runtime", j->runtime_ms);
	put_real(o, "usr_cpu", j->usr_pct);
	put_real(o, "sys_cpu", j->sys_pct);
	put_int(o, "ctx", j->ctx);
	put_int(o, "majf", j->majf);
	put_int(o, "minf", j->minf);
	put_depths(o, "iodepth_level", cell_depth_labels, j->depth);
	put_depths(o, "iodepth_submit", cell_call_labels, j->submit);
	put_depths(o, "iodepth_complete", cell_call_labels, j->complete);
	put_lat_cells(o, j->cells);
	if (figures_tells_errors(j->spec)) {
		put_int(o, "total_err", figures_errors(j));
		put_int(o, "first_error", (uint64_t)j->first_error);
	}
	put_int(o, "latency_depth", figures_latency_depth(j));
	put_int(o, "latency_target", j->spec->latency_target_ns);
	put_real(o, "latency_percentile", j->spec->latency_percentile);
	put_int(o, "latency_window", j->spec->latency_window_ns / 1000);
	if (j->spec->description)
		put_text(o, "desc", j->spec->description);
	put_steady(o, j);
	put_iodeck(o, r, j);
	return o;
}

static void put_slaves(json_t *o, const struct disk_result *master)
{
	struct disk_result a = disk_slaves(master);

	put_int(o, "aggr_read_ios", a.ios[0]);
	put_int(o, "aggr_write_ios", a.ios[1]);
	put_int(o, "aggr_read_merges", a.merges[0]);
	put_int(o, "aggr_write_merge", a.merges[1]); /* fio's spelling */
	put_int(o, "aggr_read_ticks", a.ticks_ms[0]);
	put_int(o, "aggr_write_ticks", a.ticks_ms[1]);
	put_int(o, "aggr_in_queue", a.in_queue_ms);
	put_real(o, "aggr_util", a.util_pct);
}

static json_t *disk_json(const struct disk_result *d)
{
	json_t *o = json_object();

	put_text(o, "name", d->name);
	put_int(o, "read_ios", d->ios[0]);
	put_int(o, "write_ios", d->ios[1]);
	put_int(o, "read_sectors", d->sectors[0]);
	put_int(o, "write_sectors", d->sectors[1]);
	put_int(o, "read_merges", d->merges[0]);
	put_int(o, "write_merges", d->merges[1]);
	put_int(o, "read_ticks", d->ticks_ms[0]);
	put_int(o, "write_ticks", d->ticks_ms[1]);
	put_int(o, "in_queue", d->in_queue_ms);
	put_real(o, "util", d->util_pct);
	if (d->n_slaves)
		put_slaves(o, d);
	return o;
}

static json_t *result_json(const struct run_result *r, bool bins)
{
	json_t *root = json_object(), *jobs = json_array(), *disks = json_array();

	put_text(root, "fio version", REPORT_VERSION); /* the key scripts look for */
	put_int(root, "timestamp", r->end_wall_ms / 1000);
	put_int(root, "timestamp_ms", r->end_wall_ms);
	put_text(root, "time", num_ctime(r->end_wall_ms).s);
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
