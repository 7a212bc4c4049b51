/* run/log: names, rows and the queue between a worker and the logger (fio-language 3.10). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/run/log.h"
#include "src/run/log_file.h"
#include "src/run/log_ring.h"

static struct job_spec spec_of(const char *option, const char *value)
{
	struct job_spec js;
	struct err e = {0};

	job_spec_init(&js);
	js.name = xstrdup("job");
	cr_assert_eq(option_set(option_find(job_options, option), &js, value, 1024, &e), 0, "%s",
		     e.msg);
	return js;
}

Test(log, files_are_named_by_prefix_kind_and_job)
{
	static const struct {
		const char *option, *value, *path;
		enum log_kind kind;
		bool per_job, sim;
	} rows[] = {
		{"write_bw_log", "p", "p_bw.3.log", LOG_BW, true, false},
		{"write_bw_log", NULL, "job_bw.3.log", LOG_BW, true, false},
		{"write_iops_log", "p", "p_iops.log", LOG_IOPS, false, false},
		{"write_lat_log", "d/p", "d/p_slat.3.log", LOG_SLAT, true, false},
		{"write_lat_log", "p", "p_clat.3.log", LOG_CLAT, true, false},
		{"write_lat_log", "p", "p_lat.3.log", LOG_LAT, true, false},
		{"write_hist_log", "p", "p_clat_hist.3.log", LOG_HIST, true, false},
		{"write_bw_log", "p", "p_bw.sim.3.log", LOG_BW, true, true},
		{"write_iops_log", "p", "p_iops.sim.log", LOG_IOPS, false, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct job_spec js = spec_of(rows[i].option, rows[i].value);
		char *path;

		js.per_job_logs = rows[i].per_job;
		cr_expect(log_wanted(&js, rows[i].kind));
		path = log_path(&js, rows[i].kind, rows[i].sim, 3);
		cr_expect_str_eq(path, rows[i].path);
		free(path);
		job_spec_fini(&js);
	}
}

Test(log, only_what_is_asked_for_is_logged)
{
	struct job_spec js = spec_of("write_lat_log", "p");

	cr_expect_not(log_wanted(&js, LOG_BW));
	cr_expect(logger_needs_ring(&js), "every I/O");
	js.log_avg_ns = 500000000;
	cr_expect_not(logger_needs_ring(&js), "averages come from the counters");
	js.log_max_value = true;
	cr_expect(logger_needs_ring(&js));
	js.disable_lat = true;
	cr_expect_not(log_wanted(&js, LOG_LAT));
	cr_expect(log_wanted(&js, LOG_CLAT));
	job_spec_fini(&js);
}

static struct strbuf text_of(const char *path)
{
	struct strbuf sb = {0};

	cr_assert_eq(fs_read_all("", path, &sb), 0);
	return sb;
}

Test(log, rows_have_five_columns_and_six_with_the_offset)
{
	char dir[] = "/tmp/iodeck-log-XXXXXX", path[64];
	struct job_spec js = spec_of("write_bw_log", "p");
	const struct log_row row = {
		.t_ms = 12, .value = 34, .offset = 4096, .bs = 512, .op = IO_WRITE};
	struct log_files files = {0};
	struct log_file *f;
	struct err e = {0};
	struct strbuf text;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/l", dir);
	f = log_file_get(&files, path, &e);
	cr_assert_not_null(f, "%s", e.msg);
	cr_expect_eq(log_file_get(&files, path, &e), f, "shared by name");
	log_write_row(f, &js, &row);
	js.log_offset = true;
	log_write_row(f, &js, &row);
	cr_expect_eq(log_files_close(&files, &e), 0);
	text = text_of(path);
	cr_expect_str_eq(text.s, "12, 34, 1, 512, 0\n12, 34, 1, 512, 4096, 0\n");
	strbuf_fini(&text);
	unlink(path);
	rmdir(dir);
	job_spec_fini(&js);
}

/* However coarse, the columns hold every value, also those beyond fio's last bucket. */
Test(log, histogram_rows_hold_every_value)
{
	char dir[] = "/tmp/iodeck-log-XXXXXX", path[64];
	struct job_spec js = spec_of("write_hist_log", "p");
	struct hist *h = xcalloc(1, sizeof(*h));

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/l", dir);
	h->n[0] = 1;
	h->n[1000] = 20;
	h->n[HIST_BUCKETS - 1] = 300;
	for (uint32_t coarse = 0; coarse <= 6; coarse++) {
		struct log_files files = {0};
		struct err e = {0};
		struct log_file *f = log_file_get(&files, path, &e);
		unsigned long sum = 0, columns = 0;
		struct strbuf text;
		char *rest, *cell;

		js.log_hist_coarseness = coarse;
		log_write_hist(f, &js, &(struct log_row){.t_ms = 5, .bs = 4096}, h);
		cr_assert_eq(log_files_close(&files, &e), 0);
		text = text_of(path);
		for (rest = text.s; (cell = strsep(&rest, ",")); columns++)
			sum += columns < 3 ? 0 : strtoul(cell, NULL, 10);
		cr_expect_eq(columns, 3 + (1856u >> coarse));
		cr_expect_eq(sum, 321);
		strbuf_fini(&text);
	}
	free(h);
	unlink(path);
	rmdir(dir);
	job_spec_fini(&js);
}

Test(log, anything_but_a_regular_file_is_left_alone)
{
	char dir[] = "/tmp/iodeck-log-XXXXXX", path[64];
	struct log_files files = {0};
	struct err e = {0};

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/l", dir);
	cr_assert_eq(symlink("/dev/null", path), 0);
	cr_expect_null(log_file_get(&files, path, &e));
	cr_expect_not_null(strstr(e.msg, "not a regular file"), "%s", e.msg);
	cr_expect_null(log_file_get(&files, dir, &e));
	cr_expect_null(log_file_get(&files, "/nonexistent/x", &e));
	cr_expect_eq(log_files_close(&files, &e), 0);
	unlink(path);
	rmdir(dir);
}

Test(log, full_queue_drops_and_counts)
{
	struct log_ring *r = xcalloc(1, sizeof(*r));
	struct log_record rec = {0};

	for (uint64_t i = 0; i < LOG_RING_RECORDS + 7; i++) {
		rec.offset = i;
		log_ring_put(r, &rec);
	}
	cr_expect_eq(atomic_load(&r->dropped), 7);
	for (uint64_t i = 0; i < LOG_RING_RECORDS; i++) {
		cr_assert(log_ring_take(r, &rec));
		cr_assert_eq(rec.offset, i);
	}
	cr_expect_not(log_ring_take(r, &rec));
	free(r);
}

static void *producer(void *arg)
{
	struct log_ring *r = arg;

	for (uint64_t i = 0; i < 1000000; i++)
		log_ring_put(r, &(struct log_record){.done_ns = i, .offset = ~i});
	return NULL;
}

/* What comes out is in order and whole; what does not was counted. */
Test(log, queue_between_two_threads_loses_only_what_it_counts)
{
	struct log_ring *r = xcalloc(1, sizeof(*r));
	struct log_record rec;
	uint64_t taken = 0, last = 0;
	pthread_t t;

	cr_assert_eq(pthread_create(&t, NULL, producer, r), 0);
	while (taken + atomic_load(&r->dropped) < 1000000) {
		if (!log_ring_take(r, &rec))
			continue;
		cr_assert_eq(rec.offset, ~rec.done_ns);
		cr_assert(taken == 0 || rec.done_ns > last);
		last = rec.done_ns;
		taken++;
	}
	pthread_join(t, NULL);
	free(r);
}
