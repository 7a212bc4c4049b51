#include "tests/unit/arith.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

struct arith {
	const json_t *root, *job, *options, *globals;
	const json_t *own; /* the job's "iodeck" object; NULL: a document of fio */
	unsigned flags, count;
	struct strbuf *out;
	char where[160];
};

static const char *const dirs[3] = {"read", "write", "trim"};

static void __attribute__((format(printf, 2, 3))) violation(struct arith *a, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	strbuf_addf(a->out, "%s: %s\n", a->where, text);
	a->count++;
}

/* A number that must be there. */
static double num(struct arith *a, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_number(v)) {
		violation(a, "\"%s\" is not a number", key);
		return 0;
	}
	return json_number_value(v);
}

static json_int_t integer(struct arith *a, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_integer(v)) {
		violation(a, "\"%s\" is not an integer", key);
		return 0;
	}
	if (json_integer_value(v) < 0)
		violation(a, "\"%s\" is negative", key);
	return json_integer_value(v);
}

static const char *option(const struct arith *a, const char *key)
{
	const char *v = json_string_value(json_object_get(a->options, key));

	return v ? v : json_string_value(json_object_get(a->globals, key));
}

static bool has_any_option(const struct arith *a, const char *const *keys)
{
	for (; *keys; keys++)
		if (option(a, *keys))
			return true;
	return false;
}

static void check_rates(struct arith *a, const json_t *d)
{
	json_int_t n = integer(a, d, "total_ios"), ms = integer(a, d, "runtime");
	json_int_t bytes = integer(a, d, "io_bytes"), bw = integer(a, d, "bw_bytes");
	double iops = num(a, d, "iops"), want = ms ? 1000.0 * (double)n / (double)ms : 0;

	if (fabs(iops - want) > 1e-6 * want + (a->own ? 0 : 1e-6))
		violation(a, "R1: iops %.9g is not 1000 * %lld / %lld ms = %.9g", iops, n, ms,
			  want);
	if (n && !ms)
		violation(a, "R1: %lld I/Os in no time", n);
	if (bw != (ms ? 1000 * bytes / ms : 0))
		violation(a, "R2: bw_bytes %lld is not 1000 * %lld / %lld ms, truncated", bw, bytes,
			  ms);
	if (integer(a, d, "bw") != bw / 1024)
		violation(a, "R2: bw is not bw_bytes / 1024, truncated");
	if (integer(a, d, "io_kbytes") != bytes / 1024)
		violation(a, "R4: io_kbytes is not io_bytes / 1024, truncated");
}

/* The block size of one direction, 0 when it is not a single number. fio's fill rule. */
static uint64_t block_size(const struct arith *a, unsigned dir)
{
	static const char *const ranges[] = {"bsrange", "blocksize_range", "bssplit", "read_iolog",
					     NULL};
	const char *bs = option(a, "bs") ? option(a, "bs") : option(a, "blocksize");
	const char *base = option(a, "kb_base");
	uint64_t bytes = 4096;
	char text[64], *part, *rest = text;

	if (has_any_option(a, ranges))
		return 0;
	snprintf(text, sizeof(text), "%s", bs ? bs : "4096");
	for (unsigned i = 0; i <= dir && (part = strsep(&rest, ",:-")); i++)
		if (*part &&
		    units_parse_size(part, base ? (unsigned)atoi(base) : 1024, &bytes, NULL, NULL))
			return 0;
	return bytes;
}

static void check_volume(struct arith *a, const json_t *d, unsigned dir)
{
	json_int_t n = integer(a, d, "total_ios"), bytes = integer(a, d, "io_bytes");
	uint64_t bs = block_size(a, dir);

	if (integer(a, a->job, "error") || integer(a, d, "short_ios") || bs == 0)
		return;
	if ((uint64_t)bytes != (uint64_t)n * bs)
		violation(a, "R4: io_bytes %lld is not %lld * %llu", bytes, n,
			  (unsigned long long)bs);
}

/* fio reports bucket midpoints, which may lie outside of the extremes by half a bucket. */
static double slack(const struct arith *a, double v)
{
	return a->own ? 0 : v * 0.01 + 1;
}

static void check_percentiles(struct arith *a, const json_t *table, double min, double max)
{
	double last_p = -1, last_v = min - slack(a, min);
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)table, key, value)
	{
		double p = strtod(key, NULL), v = json_number_value(value);

		if (p <= last_p)
			violation(a, "percentile %s does not come after %f", key, last_p);
		if (v < last_v)
			violation(a, "R7: percentile %s = %.0f is below %.0f", key, v, last_v);
		if (v > max + slack(a, max))
			violation(a, "R7: percentile %s = %.0f is above the maximum %.0f", key, v,
				  max);
		last_p = p;
		last_v = v;
	}
}

static void check_bins(struct arith *a, const json_t *bins, double n)
{
	double sum = 0, last = -1;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)bins, key, value)
	{
		if (strtod(key, NULL) <= last)
			violation(a, "bins: %s does not come after %.0f", key, last);
		last = strtod(key, NULL);
		sum += json_number_value(value);
	}
	if (sum != n)
		violation(a, "bins hold %.0f values, N is %.0f", sum, n);
}

static void check_dist(struct arith *a, const json_t *parent, const char *name)
{
	const json_t *d = json_object_get(parent, name), *table;
	double n = num(a, d, "N"), min = num(a, d, "min"), max = num(a, d, "max");
	double mean = num(a, d, "mean"), dev = num(a, d, "stddev");
	size_t old = strlen(a->where);

	snprintf(a->where + old, sizeof(a->where) - old, " %s", name);
	if (n == 0 && (min != 0 || max != 0 || mean != 0 || dev != 0))
		violation(a, "figures of no values");
	if (n > 0 && (min > mean + 1e-6 * mean || mean > max + 1e-6 * max))
		violation(a, "R7: mean %.3f is not within %.0f and %.0f", mean, min, max);
	/* The sample deviation of n values of a range is at most range / 2 * sqrt(n / (n - 1)). */
	if (n > 1 && dev > (max - min) / 2 * sqrt(n / (n - 1)) * (1 + 1e-6) + 1e-6)
		violation(a, "stddev %.3f is more than %.0f to %.0f allows", dev, min, max);
	table = json_object_get(d, "percentile");
	if (table)
		check_percentiles(a, table, min, max);
	if (json_object_get(d, "bins"))
		check_bins(a, json_object_get(d, "bins"), n);
	a->where[old] = '\0';
}

static void check_latency_sum(struct arith *a, const json_t *d, const char *dir)
{
	double slat = num(a, json_object_get(d, "slat_ns"), "mean");
	double clat = num(a, json_object_get(d, "clat_ns"), "mean");
	double lat = num(a, json_object_get(d, "lat_ns"), "mean");
	bool has_slat = num(a, json_object_get(d, "slat_ns"), "N") > 0;
	const json_t *own = json_object_get(a->own, dir);

	if (!a->own) { /* two clocks, and a few tens of ns around a synchronous call */
		if (has_slat && fabs(slat + clat - lat) > 0.05 * lat)
			violation(a, "R6: slat %.3f + clat %.3f is not lat %.3f", slat, clat, lat);
		return;
	}
	if (fabs(slat + clat - lat) > 1)
		violation(a, "R6: slat %.3f + clat %.3f is not lat %.3f", slat, clat, lat);
	if (integer(a, own, "slat_sum_ns") + integer(a, own, "clat_sum_ns") !=
	    integer(a, own, "lat_sum_ns"))
		violation(a, "R6: the sums of slat and clat are not the sum of lat");
}

static void check_counts(struct arith *a, const json_t *d)
{
	double n = num(a, d, "total_ios");

	if (!a->own) /* fio counts issued I/Os, failed ones too */
		return;
	if (num(a, json_object_get(d, "clat_ns"), "N") != n)
		violation(a, "clat_ns.N is not total_ios");
	if (num(a, json_object_get(d, "lat_ns"), "N") != n)
		violation(a, "lat_ns.N is not total_ios");
}

static void check_samples(struct arith *a, const json_t *d, const char *prefix)
{
	char key[32];
	double min, max, mean, n;

	snprintf(key, sizeof(key), "%s_min", prefix);
	min = num(a, d, key);
	snprintf(key, sizeof(key), "%s_max", prefix);
	max = num(a, d, key);
	snprintf(key, sizeof(key), "%s_mean", prefix);
	mean = num(a, d, key);
	snprintf(key, sizeof(key), "%s_samples", prefix);
	if (json_object_get(d, "n")) /* the windows of the iodeck object */
		snprintf(key, sizeof(key), "n");
	n = num(a, d, key);
	if (n == 0 && (min != 0 || max != 0 || mean != 0))
		violation(a, "%s: figures of no samples", prefix);
	if (min > mean * (1 + 1e-6) || mean > max * (1 + 1e-6))
		violation(a, "%s_mean %.3f is not within %.0f and %.0f", prefix, mean, min, max);
}

/* fio's group aggregate: all bytes of the group over its longest run time. */
static double group_kib_s(const struct arith *a, const char *dir)
{
	json_int_t bytes = 0, longest = 0;
	size_t i;
	json_t *job;

	json_array_foreach(json_object_get(a->root, "jobs"), i, job)
	{
		const json_t *d = json_object_get(job, dir);
		json_int_t ms = json_integer_value(json_object_get(d, "runtime"));

		if (!json_equal(json_object_get(job, "groupid"),
				json_object_get(a->job, "groupid")))
			continue;
		bytes += json_integer_value(json_object_get(d, "io_bytes"));
		longest = ms > longest ? ms : longest;
	}
	return longest ? (double)(1000 * bytes / longest) / 1024 : 0;
}

static void check_share_of_group(struct arith *a, const json_t *d, const char *dir)
{
	double agg = group_kib_s(a, dir), got = num(a, d, "bw_agg"), want;

	if (num(a, d, "bw_samples") == 0 || agg < 1)
		return;
	want = 100 * num(a, d, "bw_mean") / agg;
	want = want > 100 ? 100 : want;
	/* fio drops the fraction of the mean first: one KiB/s. */
	if (fabs(got - want) > 100 / agg + 1e-3)
		violation(a, "R12: bw_agg %.4f is not bw_mean / group aggregate = %.4f", got, want);
}

/* Options that take latencies out of the report. */
static const char *const hiding[] = {"disable_lat", "disable_clat", "disable_slat", "gtod_reduce",
				     NULL};

/* The iodeck object's windows, and the latency from the schedule: never shorter than the one from issue. */
static void check_own_direction(struct arith *a, const json_t *own)
{
	const json_t *w = json_object_get(own, "windows"),
		     *resp = json_object_get(own, "schedule_lat_ns");

	if (!own)
		return;
	check_samples(a, w, "iops");
	check_samples(a, w, "bw");
	if (integer(a, w, "empty") > integer(a, w, "n"))
		violation(a, "more empty windows than windows");
	if (!resp)
		return;
	check_dist(a, own, "schedule_lat_ns");
	if (!has_any_option(a, hiding) && num(a, resp, "N") > 0 &&
	    num(a, resp, "mean") * num(a, resp, "N") + 1 < num(a, own, "lat_sum_ns"))
		violation(a, "the latency from the schedule is shorter than that from issue");
}

static void check_direction(struct arith *a, unsigned i)
{
	const json_t *d = json_object_get(a->job, dirs[i]);
	size_t old = strlen(a->where);

	/* unified_rw_reporting: all in one object, or in one more. */
	if (!d && json_object_get(a->job, "mixed"))
		return;
	snprintf(a->where + old, sizeof(a->where) - old, " %s", dirs[i]);
	check_rates(a, d);
	check_volume(a, d, i);
	check_dist(a, d, "slat_ns");
	check_dist(a, d, "clat_ns");
	check_dist(a, d, "lat_ns");
	if (!has_any_option(a, hiding)) {
		check_latency_sum(a, d, dirs[i]);
		check_counts(a, d);
	}
	check_samples(a, d, "bw");
	check_samples(a, d, "iops");
	check_share_of_group(a, d, dirs[i]);
	check_own_direction(a, json_object_get(a->own, dirs[i]));
	a->where[old] = '\0';
}

static double job_total_ios(const struct arith *a)
{
	double n = 0;

	for (unsigned i = 0; i < 3; i++)
		n += json_number_value(
			json_object_get(json_object_get(a->job, dirs[i]), "total_ios"));
	if (!json_object_get(a->job, "read"))
		n = json_number_value(
			json_object_get(json_object_get(a->job, "mixed"), "total_ios"));
	return n;
}

/* Adds a table's cells to *sum; each cell raised to the floor may add that much to the total. */
static void add_cells(struct arith *a, const char *name, double floor, double *sum, double *raised)
{
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(a->job, name), key, value)
	{
		double v = json_number_value(value);

		if (v < 0 || (v > 0 && v < floor))
			violation(a, "%s: cell %s is %.6f, below the floor", name, key, v);
		*sum += v;
		if (v > 0 && v <= floor * 1.000001)
			*raised += floor;
	}
}

static void check_cells(struct arith *a, const char *rule, const char *const *names, double floor)
{
	double sum = 0, raised = 0;

	for (const char *const *p = names; *p; p++)
		add_cells(a, *p, floor, &sum, &raised);
	if (sum == 0 && job_total_ios(a) == 0)
		return;
	if (sum == 0 && !a->own) /* fio does not count the calls of some engines */
		return;
	if (sum < 100 - 1e-3 || sum > 100 + raised + 1e-3)
		violation(a, "%s: the cells of %s sum to %.4f", rule, names[0], sum);
}

static void check_all_cells(struct arith *a)
{
	static const char *const lat[] = {"latency_ns", "latency_us", "latency_ms", NULL};
	static const char *const tables[][2] = {
		{"iodepth_level", NULL}, {"iodepth_submit", NULL}, {"iodepth_complete", NULL}};
	bool synced = json_number_value(
			      json_object_get(json_object_get(a->job, "sync"), "total_ios")) > 0;

	if (a->own || json_integer_value(json_object_get(a->job, "error")) == 0)
		check_cells(a, "R8", lat, 0.01);
	for (unsigned i = 0; i < 3; i++)
		if (a->own || !(synced && i == 0)) /* fio counts syncs into the depths */
			check_cells(a, "R9", tables[i], 0.1);
}

static void check_mix(struct arith *a)
{
	const char *rw = option(a, "rw") ? option(a, "rw") : option(a, "readwrite");
	const char *given = option(a, "rwmixread");
	double r = num(a, json_object_get(a->job, "read"), "total_ios");
	double w = num(a, json_object_get(a->job, "write"), "total_ios");
	double want = given ? strtod(given, NULL) : 50, n = r + w, allow;

	if (option(a, "rwmixwrite"))
		return;
	if (!rw || (strcmp(rw, "rw") && strcmp(rw, "readwrite") && strcmp(rw, "randrw")) || n < 1e5)
		return;
	allow = fmax(0.1, 4 * sqrt(want * (100 - want) / n)); /* four deviations of a coin */
	if (fabs(100 * r / n - want) > allow)
		violation(a, "R10: %.3f %% reads, asked for %.0f", 100 * r / n, want);
}

/* R5: requests in flight = sum of latencies / time. */
static void check_little(struct arith *a)
{
	static const char *const idle[] = {"rate",      "rate_iops", "thinktime", "fsync",
					   "fdatasync", "end_fsync", NULL};
	double sum_ns = 0, ms = 0, depth = num(a, a->job, "latency_depth"), got;

	if (a->own)
		depth = num(a, a->own, "effective_iodepth") * num(a, a->own, "jobs");
	for (unsigned i = 0; i < 3; i++) {
		const json_t *d = json_object_get(a->job, dirs[i]),
			     *lat = json_object_get(d, "lat_ns");

		sum_ns += num(a, lat, "mean") * num(a, lat, "N");
		ms = fmax(ms, num(a, d, "runtime"));
	}
	/* A run time is whole milliseconds: too coarse below this. fio's json hides numjobs. */
	if (ms < 100 || !a->own)
		return;
	got = sum_ns / (ms * 1e6);
	if (got > depth * (1 + 2 / ms) + 0.001)
		violation(a, "R5: IOPS * lat = %.3f is more than the depth %.0f", got, depth);
	if (!(a->flags & ARITH_BUSY) || ms < 1000 || has_any_option(a, idle))
		return;
	if (got < depth * (depth >= 8 ? 0.97 : 0.85))
		violation(a, "R5: IOPS * lat = %.3f is far below the depth %.0f", got, depth);
}

static void check_job(struct arith *a, size_t i)
{
	const char *name = json_string_value(json_object_get(a->job, "jobname"));

	snprintf(a->where, sizeof(a->where), "job %zu \"%s\"", i, name ? name : "?");
	if (!name)
		violation(a, "no jobname");
	a->options = json_object_get(a->job, "job options");
	a->own = json_object_get(a->job, "iodeck");
	for (unsigned d = 0; d < 3; d++)
		check_direction(a, d);
	if (!json_object_get(a->job, "read")) {
		check_all_cells(a);
		return;
	}
	check_dist(a, json_object_get(a->job, "sync"), "lat_ns");
	if (!has_any_option(a, hiding))
		check_all_cells(a);
	check_mix(a);
	check_little(a);
}

static void check_disks(struct arith *a, bool own)
{
	const json_t *disks = json_object_get(a->root, "disk_util");
	size_t i;
	json_t *d;

	snprintf(a->where, sizeof(a->where), "disk_util");
	if (own && !json_is_array(disks))
		violation(a, "not an array");
	json_array_foreach(disks, i, d)
	{
		const json_t *util = json_object_get(d, "util");
		double v = json_number_value(util);

		if (!json_is_null(util) && (!json_is_number(util) || v < 0 || v > 100))
			violation(a, "R15: util of disk %zu is not within 0 and 100", i);
	}
}

unsigned arith_check(const json_t *root, unsigned flags, struct strbuf *violations)
{
	struct arith a = {.root = root,
			  .globals = json_object_get(root, "global options"),
			  .flags = flags,
			  .out = violations,
			  .where = "document"};
	const json_t *jobs = json_object_get(root, "jobs");
	size_t i;
	json_t *job;
	bool own = false;

	if (!json_is_array(jobs) || json_array_size(jobs) == 0)
		violation(&a, "no jobs");
	json_array_foreach(jobs, i, job)
	{
		a.job = job;
		check_job(&a, i);
		own = own || a.own;
	}
	check_disks(&a, own);
	return a.count;
}
