/* What fio's keys cannot say: the object "iodeck" of a job; and fio's own block of a steady state. */
#include <math.h>
#include <stdio.h>

#include "src/out/figures.h"
#include "src/out/json_parts.h"
#include "src/out/num.h"
#include "src/spec/apply.h"

/* Every sample window, those without I/O as 0: fio leaves them out, and a stall with them. */
static void put_windows(json_t *parent, const struct dir_result *d)
{
	static const struct samples none;
	const struct samples *bw = d->bw_all_kib.n ? &d->bw_all_kib : &none,
			     *iops = d->iops_all.n ? &d->iops_all : &none;
	json_t *o = json_put_object(parent, "windows");

	json_put_count(o, "n", iops->n);
	json_put_count(o, "empty", iops->n - d->iops_s.n);
	json_put_count(o, "bw_min", bw->min);
	json_put_count(o, "bw_max", bw->max);
	json_put_real(o, "bw_mean", bw->mean);
	json_put_real(o, "bw_dev", samples_stddev(bw));
	json_put_count(o, "iops_min", iops->min);
	json_put_count(o, "iops_max", iops->max);
	json_put_real(o, "iops_mean", iops->mean);
	json_put_real(o, "iops_stddev", samples_stddev(iops));
}

/* resp NULL: the job has no schedule. */
static void put_schedule(json_t *parent, const struct job_result *j, const struct lat_dist *resp)
{
	json_t *o;

	if (!resp)
		return;
	o = out_json_moments(parent, "schedule_lat_ns", &resp->m);
	if (resp->m.n) {
		const struct lat_view v = {"schedule", &resp->m, &resp->h};

		out_json_percentiles(o, "percentile", &v, &j->spec->percentile_list);
	}
}

static void put_exact_direction(json_t *parent, const struct job_result *j, enum io_op op)
{
	const struct op_stat *st = &j->dir[op].st;
	const struct lat_view lat = {"lat", &st->lat.m, &st->lat.h};
	json_t *o = json_put_object(parent, io_op_name(op));

	json_put_count(o, "errors", st->errors);
	json_put_count(o, "slat_sum_ns", figures_has_slat(j, &j->dir[op]) ? st->slat.sum_ns : 0);
	json_put_count(o, "clat_sum_ns", st->clat.m.sum_ns);
	json_put_count(o, "lat_sum_ns", st->lat.m.sum_ns);
	if (st->lat.m.n)
		out_json_percentiles(o, "lat_percentile_ns", &lat, &j->spec->percentile_list);
	put_windows(o, &j->dir[op]);
	put_schedule(o, j, j->dir[op].resp);
}

/* What is in force, defaults included, in words that a job file takes back. */
static void put_effective(json_t *parent, const struct job_spec *js)
{
	json_t *o = json_put_object(parent, "options");

	for (const struct option_def *row = job_options; row->name; row++) {
		struct strbuf text = {0};

		if (row->flags & (OPT_MIRROR | OPT_CLI_ONLY))
			continue;
		option_print(row, js, &text);
		json_put_text(o, row->name, strbuf_str(&text));
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
	json_put_real(o, "begin_ms", j->begin_ns ? (double)(j->begin_ns - first) / 1e6 : NAN);
	json_put_real(o, "end_ms",
		      j->begin_ns && j->end_ns ? (double)(j->end_ns - first) / 1e6 : NAN);
}

static void put_search(json_t *parent, const struct job_result *j)
{
	json_t *o;

	if (j->search.state == SEARCH_NONE)
		return;
	o = json_put_object(parent, "latency_search");
	json_put_text(o, "state", search_word[j->search.state]);
	json_put_count(o, "depth_min", j->search.depth_min);
	json_put_count(o, "depth_max", j->search.depth_max);
}

static void put_seconds(json_t *parent, const char *key, const uint64_t *v, unsigned n)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(list, json_integer((json_int_t)v[i]));
	json_object_set_new(parent, key, list);
}

/* fio fills up what a job that ended early has not measured with zeros; here there is less instead. */
void out_json_steady(json_t *job, const struct job_result *j)
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
	o = json_put_object(job, "steadystate");
	snprintf(text, sizeof(text), "%s:%s%s", words[j->spec->steady_kind],
		 num_real(j->spec->steady_limit, 0, 6).s, pct);
	json_put_text(o, "ss", text);
	json_put_count(o, "duration", s->seconds);
	json_put_count(o, "attained", s->attained);
	snprintf(text, sizeof(text), "%s%s", num_real(s->criterion, 0, 6).s, pct);
	json_put_text(o, "criterion", text);
	json_put_real(o, "max_deviation", s->deviation);
	json_put_real(o, "slope", s->slope);
	o = json_put_object(o, "data");
	json_put_count(o, "bw_mean", steady_mean(s->bw_bytes, s->n));
	json_put_count(o, "iops_mean", steady_mean(s->iops, s->n));
	put_seconds(o, "iops", s->iops, s->n);
	put_seconds(o, "bw", s->bw_bytes, s->n);
}

void out_json_iodeck(json_t *job, const struct run_result *r, const struct job_result *j)
{
	json_t *o = json_put_object(job, "iodeck");

	json_put_count(o, "jobs", j->clones);
	json_put_count(o, "failed_jobs", j->failed ? j->failed : j->error && !j->survived);
	json_put_text(o, "ioengine", j->spec->ioengine);
	json_put_bool(o, "simulated", j->simulated);
	json_put_bool(o, "sync_engine", j->sync_engine);
	json_put_count(o, "effective_iodepth", j->sync_engine ? 1 : j->spec->iodepth);
	json_put_bool(o, "started", j->started);
	json_put_text(o, "error_text", j->error_text);
	json_put_count(o, "signal", (uint64_t)r->signal);
	json_put_count(o, "retries", j->retries);
	json_put_count(o, "asked_bytes", j->asked_bytes);
	put_times(o, r, j);
	json_put_count(o, "usr_us", j->usr_us);
	json_put_count(o, "sys_us", j->sys_us);
	for (unsigned op = 0; op < IO_OP_NR; op++)
		put_exact_direction(o, j, op);
	put_search(o, j);
	put_effective(o, j->spec);
}
