/* The normal report beside fio's own, line by line, for the same numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/out_fixture.h"

/* A line of the other report, without what must differ: pid, time and fio's zone count. */
static char *next_line(char **rest)
{
	char *line = strsep(rest, "\n"), *cut;

	if (!line)
		return NULL;
	if ((cut = strstr(line, "): err=")) && (cut = strstr(cut, ": pid=")))
		*cut = '\0';
	if ((cut = strstr(line, "; 0 zone resets")))
		*cut = '\0';
	return line;
}

static bool leaves_its_extremes(const json_t *dist)
{
	json_int_t min = json_integer_value(json_object_get(dist, "min")),
		   max = json_integer_value(json_object_get(dist, "max"));
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(dist, "percentile"), key,
			    value) if (json_integer_value(value) < min ||
				       json_integer_value(value) > max) return true;
	return false;
}

/* fio reports bucket midpoints even outside of its own minimum and maximum; we do not. */
static bool fio_leaves_its_extremes(const json_t *root)
{
	static const char *const where[][2] = {{"read", "clat_ns"},  {"write", "clat_ns"},
					       {"read", "slat_ns"},  {"read", "lat_ns"},
					       {"write", "slat_ns"}, {"write", "lat_ns"},
					       {"mixed", "clat_ns"}, {"mixed", "lat_ns"},
					       {"trim", "clat_ns"},  {"sync", "lat_ns"}};
	size_t i;
	json_t *job;

	json_array_foreach(
		json_object_get(root, "jobs"), i,
		job) for (unsigned d = 0; d < sizeof(where) / sizeof(where[0]);
			  d++) if (leaves_its_extremes(json_object_get(json_object_get(job,
										       where[d][0]),
								       where[d][1]))) return true;
	return false;
}

/*
 * Equal but for the numbers behind `mark`, which may differ by `share` of their value and `unit`. Both
 * lines are spoilt: those numbers become '#'.
 */
static bool same_but_for(char *a, char *b, const char *mark, double share, double unit)
{
	char *p = a, *q = b, *end_p, *end_q;

	while ((p = strstr(p, mark)) && (q = strstr(q, mark))) {
		double v = strtod(p += strlen(mark), &end_p), w = strtod(q += strlen(mark), &end_q);

		if (fabs(v - w) > share * w + unit || end_p - p != end_q - q)
			return false;
		memset(p, '#', (size_t)(end_p - p));
		memset(q, '#', (size_t)(end_q - q));
	}
	return strcmp(a, b) == 0;
}

/* fio counts syncs into the depths, so that they exceed 100 %; we do not. */
static bool fio_has_syncs(const json_t *root)
{
	size_t i;
	json_t *job;

	json_array_foreach(json_object_get(root, "jobs"), i,
			   job) if (json_integer_value(json_object_get(json_object_get(job, "sync"),
								       "total_ios")) >
				    0) return true;
	return false;
}

static bool both_start(const char *a, const char *b, const char *prefix)
{
	return strncmp(a, prefix, strlen(prefix)) == 0 && strncmp(b, prefix, strlen(prefix)) == 0;
}

static unsigned compare_texts(char *fio, char *ours, const json_t *root)
{
	bool no_percentiles = fio_leaves_its_extremes(root), no_depths = fio_has_syncs(root);
	unsigned lines = 0;
	char *a, *b;

	for (;; lines++) {
		a = next_line(&fio);
		b = next_line(&ours);
		if (!a || !b)
			break;
		if (strcmp(a, b) == 0)
			continue;
		if (no_depths && both_start(a, b, "  IO depths    : 1="))
			continue;
		if (no_percentiles && both_start(a, b, "     |"))
			cr_expect(same_but_for(b, a, "[", 0.01, 1), "fio %s\niodeck %s", a, b);
		else /* fio's running mean and our exact one may round a tie apart */
			cr_expect(same_but_for(b, a, "avg=", 0, 0.011), "fio %s\niodeck %s", a, b);
	}
	cr_expect(!a && !b, "one report has more lines: fio \"%s\", iodeck \"%s\"", a ? a : "",
		  b ? b : "");
	return lines;
}

static void compare_with_fio(const char *args, unsigned least_lines)
{
	char *text = fixture_run_fio(args, "json+,normal"), *doc, *end = NULL;
	struct strbuf ours = {0};
	struct fixture *f;
	json_error_t e;
	json_t *root;

	if (!text)
		cr_skip("no fio here");
	doc = strstr(text, "\n{\n");
	cr_assert(doc && (end = strstr(doc, "\n}\n")), "fio %s printed:\n%s", args, text);
	root = json_loadb(doc + 1, (size_t)(end + 2 - doc), JSON_DISABLE_EOF_CHECK, &e);
	cr_assert_not_null(root, "%s", e.text);
	f = fixture_from_fio(root);
	cr_assert_not_null(f);
	report_print(FORMAT_NORMAL, &f->r, &ours);
	cr_expect_geq(compare_texts(end + 3, ours.s, root), least_lines);
	strbuf_fini(&ours);
	fixture_free(f);
	json_decref(root);
	free(text);
}

/* The same numbers through fio's formatter and ours, line by line. */
Test(out_normal, same_text_as_fio_for_its_own_numbers, .timeout = 60)
{
	compare_with_fio("--name=mix --filename=f --size=8m --ioengine=libaio --rw=randrw "
			 "--rwmixread=70 --bs=4k --iodepth=8 --runtime=1 --time_based --thread",
			 35);
	compare_with_fio("--name=sync --filename=f --size=2m --ioengine=psync --rw=write "
			 "--bs=16k --fsync=4",
			 20);
	compare_with_fio("--name=group --ioengine=null --size=512m --rw=randread --bs=64k "
			 "--numjobs=3 --group_reporting",
			 15);
	compare_with_fio("--ioengine=null --size=256m --bs=8k --kb_base=1000 --name=one "
			 "--rw=trimwrite --iodepth=4 --description=text --name=two --rw=read "
			 "--stonewall --name=three --rw=write",
			 60);
}

/* What the options of reports change (fio-language 2). */
Test(out_normal, report_options_change_the_text_as_in_fio, .timeout = 60)
{
	static const char *const options[] = {
		"--significant_figures=3 --percentile_list=50:99.999:99.9",
		"--significant_figures=6",
		"--unit_base=1",
		"--unit_base=1 --kb_base=1000",
		"--lat_percentiles=1 --slat_percentiles=1",
		"--lat_percentiles=1 --clat_percentiles=0",
		"--clat_percentiles=0",
		"--gtod_reduce=1",
		"--disable_slat=1 --disable_lat=1",
		"--disable_clat=1",
		"--unified_rw_reporting=mixed",
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char args[256];

		snprintf(args, sizeof(args),
			 "--name=t --ioengine=null --size=16m --rw=randrw --iodepth=4 --thread %s",
			 options[i]);
		compare_with_fio(args, 10);
	}
}

/* fio 3.33 prints "mixed: IOPS=0, BW=0 (0)" here (case 98); the sums are right in ours. */
Test(out_normal, case_98_both_adds_a_line_with_the_sum)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf out = {0};
	struct dir_result *m = xcalloc(1, sizeof(*m));

	f->spec_job[0].unified_rw_reporting = UNIFIED_BOTH;
	f->job[0].mixed = m;
	fixture_measure(&f->job[0], IO_WRITE, 3000, 4096, 2001, 20);
	result_derive(&f->r);
	report_print(FORMAT_NORMAL, &f->r, &out);
	cr_expect_not_null(strstr(out.s, "  read: IOPS=3498, BW=13.7MiB/s"));
	cr_expect_not_null(strstr(out.s, "  write: IOPS=1499, BW="));
	cr_expect_not_null(
		strstr(out.s, "  mixed: IOPS=4997, BW=19.5MiB/s (20.5MB/s)(39.1MiB/2001msec)"));
	cr_expect_not_null(
		strstr(out.s, "\n  MIXED: bw=19.5MiB/s (20.5MB/s), 19.5MiB/s-19.5MiB/s"));
	cr_expect_eq(m->st.clat.m.n, 10000);
	f->spec_job[0].unified_rw_reporting = UNIFIED_MIXED;
	strbuf_reset(&out);
	report_print(FORMAT_NORMAL, &f->r, &out);
	cr_expect_null(strstr(out.s, "read: IOPS"));
	cr_expect_null(strstr(out.s, "READ: bw"));
	cr_expect_not_null(strstr(out.s, "issued rwts: total=10000,0,0,100 "));
	strbuf_fini(&out);
	fixture_free(f);
}
