#include "tests/unit/out_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/rng.h"
#include "src/base/xalloc.h"
#include "src/out/report.h"

struct fixture *fixture_new(size_t n_jobs)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	for (size_t i = 0; i < n_jobs; i++) {
		struct job_spec *s = &f->spec_job[i];

		job_spec_init(s);
		free(s->ioengine);
		s->name = xasprintf("job%zu", i);
		s->ioengine = xstrdup("libaio");
		s->iodepth = 8;
		f->job[i] =
			(struct job_result){.spec = s, .clones = 1, .pid = 4321, .started = true};
	}
	f->spec = (struct spec){.jobs = f->spec_job, .n_jobs = n_jobs};
	f->r = (struct run_result){.spec = &f->spec,
				   .jobs = f->job,
				   .n_jobs = n_jobs,
				   .groups = f->group,
				   .disks = f->disk,
				   .start_wall_ms = 1767323043000,
				   .end_wall_ms = 1767323045678,
				   .elapsed_s = 3};
	return f;
}

static void given_free(struct opt_given *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].key);
		free(v[i].val);
	}
	free(v);
}

static void dir_fini(struct dir_result *d)
{
	free(d->slat_h);
	free(d->resp);
}

void fixture_free(struct fixture *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < FIXTURE_JOBS; i++) {
		job_spec_fini(&f->spec_job[i]);
		for (unsigned op = 0; op < IO_OP_NR; op++)
			dir_fini(&f->job[i].dir[op]);
		if (f->job[i].mixed)
			dir_fini(f->job[i].mixed);
		free(f->job[i].mixed);
		if (f->job[i].steady) {
			free(f->job[i].steady->iops);
			free(f->job[i].steady->bw_bytes);
		}
		free(f->job[i].steady);
	}
	given_free(f->spec.globals, f->spec.n_globals);
	free(f);
}

struct moments fixture_moments(uint64_t n, uint64_t min, uint64_t max, double mean, double stdev)
{
	return (struct moments){.n = n,
				.min_ns = min,
				.max_ns = max,
				.sum_ns = (uint64_t)llround(mean * (double)n),
				.m2 = n ? stdev * stdev * (double)(n - 1) : 0};
}

void fixture_percentiles(struct hist *h, uint64_t n, const double *p, const uint64_t *v,
			 unsigned count)
{
	uint64_t before = 0, upto = 0;

	for (unsigned i = 0; i < count; i++) {
		upto = (uint64_t)ceil(p[i] / 100 * (double)n);
		h->n[hist_index(v[i])] += upto - before;
		before = upto;
	}
	h->n[hist_index(v[count - 1])] += n - upto;
}

struct samples fixture_samples(uint64_t n, uint64_t min, uint64_t max, double mean, double stdev)
{
	return (struct samples){.n = n,
				.min = min,
				.max = max,
				.mean = mean,
				.m2 = n ? stdev * stdev * (double)(n - 1) : 0};
}

void fixture_measure(struct job_result *j, enum io_op op, uint64_t n, uint64_t bytes, uint64_t ms,
		     uint64_t seed)
{
	struct op_live *live = xcalloc(1, sizeof(*live));
	const struct hist_straddle *st = hist_straddle_get();
	struct rng rng;

	rng_seed(&rng, seed);
	op_live_init(live);
	for (uint64_t i = 0; i < n; i++) {
		/* 40 us to 4 ms, heavy at the low end; async jobs wait 1 to 5 us in the queue. */
		double u = rng_unit(&rng);
		struct op_sample s = {.bytes = bytes, .epoch = i / 1000};

		s.clat_ns = (uint64_t)(40e3 * pow(100, u * u * u));
		s.slat_ns = j->sync_engine ? 0 : 1000 + rng_below(&rng, 4000);
		s.lat_ns = s.slat_ns + s.clat_ns;
		op_live_add(live, st, &s);
	}
	op_live_read(live, &j->dir[op].st);
	j->dir[op].runtime_ms = ms;
	free(live);
	for (uint64_t i = 0; i < ms / 500; i++) {
		uint64_t iops = n * 1000 / ms + rng_below(&rng, 20) - 10;

		samples_add(&j->dir[op].iops_s, iops);
		samples_add(&j->dir[op].bw_kib, iops * bytes / 1024);
		samples_add(&j->dir[op].iops_all, iops);
		samples_add(&j->dir[op].bw_all_kib, iops * bytes / 1024);
	}
}

static void measure_syncs(struct job_result *j, uint64_t n)
{
	struct lat_dist one = {0};

	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = 500000 + i * 1000;

		one = (struct lat_dist){.m = {.n = 1, .min_ns = v, .max_ns = v, .sum_ns = v}};
		one.h.n[hist_index(v)] = 1;
		lat_dist_merge(&j->sync_lat, &one);
	}
	j->sync_ops = n;
}

struct fixture *fixture_measured(size_t n_jobs)
{
	struct fixture *f = fixture_new(n_jobs);

	for (size_t i = 0; i < n_jobs; i++) {
		struct job_result *j = &f->job[i];

		fixture_measure(j, IO_READ, 7000, 4096, 2001, 10 + i);
		fixture_measure(j, IO_WRITE, 3000, 4096, 1999, 20 + i);
		measure_syncs(j, 100);
		j->depth[0] = 1;
		j->depth[3] = 9999;
		j->submit[1] = j->complete[1] = 9000;
		j->complete[2] = 3;
		j->runtime_ms = 2001;
		j->usr_us = 100050;
		j->sys_us = 200100;
		j->ctx = 9001;
		j->minf = 7;
	}
	f->r.n_groups = 1;
	f->disk[0] = (struct disk_result){.name = "vda",
					  .ios = {6900, 2950},
					  .merges = {0, 10},
					  .sectors = {55200, 23600},
					  .ticks_ms = {900, 400},
					  .in_queue_ms = 1300,
					  .util_pct = 75.951904};
	f->disk[1] = (struct disk_result){.name = "nvme0n1", .util_pct = 12.5};
	f->r.n_disks = 2;
	result_derive(&f->r);
	return f;
}

static double real_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static uint64_t int_of(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static struct moments moments_from(const json_t *o)
{
	return fixture_moments(int_of(o, "N"), int_of(o, "min"), int_of(o, "max"),
			       real_of(o, "mean"), real_of(o, "stddev"));
}

static void dist_from(const json_t *o, struct lat_dist *d)
{
	const char *key;
	json_t *value;

	d->m = moments_from(o);
	json_object_foreach(json_object_get(o, "bins"), key, value)
		d->h.n[hist_index(strtoull(key, NULL, 10))] = (uint64_t)json_integer_value(value);
}

static void dir_from(const json_t *o, struct dir_result *d)
{
	struct lat_dist *slat = xcalloc(1, sizeof(*slat));

	d->st.ops = int_of(o, "total_ios");
	d->st.bytes = int_of(o, "io_bytes");
	d->st.shorts = int_of(o, "short_ios");
	dist_from(json_object_get(o, "slat_ns"), slat);
	d->st.slat = slat->m;
	if (json_object_get(json_object_get(o, "slat_ns"), "bins")) {
		d->slat_h = xcalloc(1, sizeof(*d->slat_h));
		*d->slat_h = slat->h;
	}
	free(slat);
	dist_from(json_object_get(o, "clat_ns"), &d->st.clat);
	dist_from(json_object_get(o, "lat_ns"), &d->st.lat);
	d->runtime_ms = int_of(o, "runtime");
	d->bw_kib =
		fixture_samples(int_of(o, "bw_samples"), int_of(o, "bw_min"), int_of(o, "bw_max"),
				real_of(o, "bw_mean"), real_of(o, "bw_dev"));
	d->iops_s = fixture_samples(int_of(o, "iops_samples"), int_of(o, "iops_min"),
				    int_of(o, "iops_max"), real_of(o, "iops_mean"),
				    real_of(o, "iops_stddev"));
}

/*
 * Counts that give the same shares. A cell at fio's floor held less than that; such cells share what the
 * others leave of the whole.
 */
static void cells_from(const json_t *const *tables, double floor, uint64_t *n)
{
	const double whole = 100e6;
	const uint64_t low = UINT64_MAX; /* to be filled below */
	uint64_t *first = n, each = 1;
	double sum = 0;
	unsigned n_low = 0;
	const char *key;
	json_t *value;

	for (; *tables; tables++)
		json_object_foreach((json_t *)(uintptr_t)*tables, key, value)
		{
			double pct = json_number_value(value);
			bool is_low = pct > 0 && pct <= floor * 1.000001;

			*n++ = is_low ? low : (uint64_t)llround(pct * 1e6);
			sum += is_low ? 0 : pct * 1e6;
			n_low += is_low;
		}
	if (n_low && whole - sum >= n_low)
		each = (uint64_t)(whole - sum) / n_low;
	for (; first < n; first++)
		if (*first == low)
			*first = each;
}

static void depths_from(const json_t *job, const char *name, uint64_t *n)
{
	const json_t *tables[] = {json_object_get(job, name), NULL};

	cells_from(tables, 0.1, n);
}

static const char *option_of(const json_t *root, const json_t *job, const char *key)
{
	const char *v =
		json_string_value(json_object_get(json_object_get(job, "job options"), key));

	return v ? v
		 : json_string_value(json_object_get(json_object_get(root, "global options"), key));
}

static void options_from(const json_t *root, const json_t *o, struct job_result *j,
			 struct job_spec *s)
{
	const char *clones = option_of(root, o, "numjobs");

	for (const struct option_def *row = job_options; row->name; row++) {
		const char *text = option_of(root, o, row->name);

		if (text && (row->type != OPT_STR || strcmp(row->name, "description") == 0))
			option_set(row, s, text, 1024, NULL);
	}
	/* One entry for all of them: group_reporting. */
	if (clones && json_array_size(json_object_get(root, "jobs")) == 1)
		j->clones = (unsigned)atoi(clones);
}

static void job_from(const json_t *o, struct job_result *j, struct job_spec *s)
{
	free(s->name);
	s->name = xstrdup(json_string_value(json_object_get(o, "jobname")));
	s->iodepth = (uint32_t)int_of(o, "latency_depth");
	j->group = (unsigned)int_of(o, "groupid");
	j->error = (int)int_of(o, "error");
	for (unsigned op = 0; op < IO_OP_NR; op++)
		dir_from(json_object_get(o, io_op_name(op)), &j->dir[op]);
	/* unified_rw_reporting=mixed: that is all there is. */
	if (!json_object_get(o, "read"))
		dir_from(json_object_get(o, "mixed"), &j->dir[IO_READ]);
	if (json_object_get(o, "mixed")) {
		j->mixed = xcalloc(1, sizeof(*j->mixed));
		dir_from(json_object_get(o, "mixed"), j->mixed);
	}
	j->sync_ops = int_of(json_object_get(o, "sync"), "total_ios");
	dist_from(json_object_get(json_object_get(o, "sync"), "lat_ns"), &j->sync_lat);
	j->runtime_ms = int_of(o, "job_runtime");
	j->usr_us = (uint64_t)llround(real_of(o, "usr_cpu") * (double)j->runtime_ms * 10);
	j->sys_us = (uint64_t)llround(real_of(o, "sys_cpu") * (double)j->runtime_ms * 10);
	j->ctx = int_of(o, "ctx");
	j->majf = int_of(o, "majf");
	j->minf = int_of(o, "minf");
	depths_from(o, "iodepth_level", j->depth);
	depths_from(o, "iodepth_submit", j->submit);
	depths_from(o, "iodepth_complete", j->complete);
}

/* fio's cells; the buckets alone do not tell them exactly. */
static void lat_cells_from(const json_t *o, uint64_t cells[LAT_CELLS])
{
	const json_t *tables[] = {json_object_get(o, "latency_ns"),
				  json_object_get(o, "latency_us"),
				  json_object_get(o, "latency_ms"), NULL};

	cells_from(tables, 0.01, cells);
}

static void disk_from(const json_t *o, struct disk_result *d)
{
	snprintf(d->name, sizeof(d->name), "%s", json_string_value(json_object_get(o, "name")));
	d->ios[0] = int_of(o, "read_ios");
	d->ios[1] = int_of(o, "write_ios");
	d->merges[0] = int_of(o, "read_merges");
	d->merges[1] = int_of(o, "write_merges");
	d->ticks_ms[0] = int_of(o, "read_ticks");
	d->ticks_ms[1] = int_of(o, "write_ticks");
	d->in_queue_ms = int_of(o, "in_queue");
	d->util_pct = real_of(o, "util");
}

struct fixture *fixture_from_fio(const json_t *root)
{
	const json_t *jobs = json_object_get(root, "jobs"),
		     *disks = json_object_get(root, "disk_util");
	struct fixture *f;

	if (json_array_size(jobs) > FIXTURE_JOBS || json_array_size(disks) > FIXTURE_DISKS)
		return NULL;
	f = fixture_new(json_array_size(jobs));
	for (size_t i = 0; i < f->r.n_jobs; i++) {
		job_from(json_array_get(jobs, i), &f->job[i], &f->spec_job[i]);
		options_from(root, json_array_get(jobs, i), &f->job[i], &f->spec_job[i]);
		if (f->job[i].group >= f->r.n_groups)
			f->r.n_groups = f->job[i].group + 1;
	}
	f->r.n_disks = json_array_size(disks);
	for (size_t i = 0; i < f->r.n_disks; i++)
		disk_from(json_array_get(disks, i), &f->disk[i]);
	f->r.end_wall_ms = int_of(root, "timestamp_ms");
	result_derive(&f->r);
	for (size_t i = 0; i < f->r.n_jobs; i++)
		lat_cells_from(json_array_get(jobs, i), f->job[i].cells);
	return f;
}

char *fixture_run_fio(const char *args, const char *format)
{
	char dir[] = "/tmp/iodeck-out-XXXXXX", cmd[1024], path[64];
	struct strbuf sb = {0};

	if (system("command -v fio >/dev/null 2>&1") != 0 || !mkdtemp(dir))
		return NULL;
	snprintf(path, sizeof(path), "%s/report", dir);
	/* --output first: fio prints each job's line as it reads the command line. */
	snprintf(cmd, sizeof(cmd),
		 "cd %s && fio --output=report --output-format=%s %s >/dev/null 2>&1", dir, format,
		 args);
	if (system(cmd) == 0 && fs_read_all("", path, &sb) != 0)
		strbuf_reset(&sb);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	if (system(cmd) != 0)
		fprintf(stderr, "cannot remove %s\n", dir);
	return sb.s; /* freed by the caller, as from malloc */
}

json_t *fixture_json_parse(const char *text)
{
	json_error_t e;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &e);

	cr_assert_not_null(root, "line %d: %s", e.line, e.text);
	return root;
}

json_t *fixture_json(const struct fixture *f, unsigned format)
{
	struct strbuf out = {0};
	json_t *root;

	report_print(format, &f->r, &out);
	root = fixture_json_parse(strbuf_str(&out));
	strbuf_fini(&out);
	return root;
}
