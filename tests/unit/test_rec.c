/* The archive of runs: what is kept comes back, what is damaged is told, nothing of others is touched. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/rec/html.h"
#include "src/rec/record.h"
#include "src/rec/store.h"

static char dir[64];
static struct archive *a;
static struct snapshot *snap;
static struct job_spec job;
static struct err e;

static void fake_report(void *arg, const struct snapshot *last, bool sweep,
			const struct job_spec *of, struct strbuf *out)
{
	cr_assert_eq(of, &job, "the settings it was run with");
	(void)arg;
	(void)last;
	strbuf_puts(out, sweep ? "{\"sweep\": 1}" : "{\"fio version\": \"x\"}");
}

static void begin(void)
{
	snprintf(dir, sizeof(dir), "/tmp/iodeck-rec-XXXXXX");
	cr_assert(mkdtemp(dir));
	a = store_open(&(struct store_cfg){.folder = dir, .report = fake_report});
	snap = xcalloc(1, sizeof(*snap));
	job_spec_init(&job);
	free(job.filename);
	job.filename = xstrdup("/dev/nvme9n1");
}

static void end(void)
{
	char cmd[128];

	store_close(a);
	free(snap);
	job_spec_fini(&job);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	cr_assert_eq(system(cmd), 0);
}

TestSuite(rec, .init = begin, .fini = end);

/* A tenth of a second of `iops`, all of them reads that took 100 us. */
static void tick(enum run_state state, double iops)
{
	struct lane_snap *l = &snap->lane[0];
	uint64_t n = (uint64_t)(iops / 10);
	static struct op_win zero;

	snap->seq++;
	snap->t_ns += 100 * NSEC_PER_MSEC;
	snap->win_ns = 100 * NSEC_PER_MSEC;
	snap->n_lanes = 1;
	snap->state = l->state = state;
	snprintf(l->target, sizeof(l->target), "/dev/nvme9n1");
	l->tune = (struct tuning){.jobs = 2, .qd = 8};
	l->t_start_ns = 1000 * NSEC_PER_SEC;
	l->elapsed_ns = snap->t_ns - l->t_start_ns - l->held_ns;
	for (int op = 0; op <= IO_OP_NR; op += IO_OP_NR) {
		l->total[op].ops += n;
		l->total[op].bytes += n * 4096;
		l->total[op].lat = (struct lat_view){
			.n = l->total[op].ops,
			.min_ns = 90000,
			.max_ns = 110000,
			.mean_ns = 1e5,
			.pct_ns = {100000, 100000, 100000, 105000, 110000, 110000}};
		l->total[op].iops = (double)l->total[op].ops * 1e9 / (double)l->elapsed_ns;
		l->total[op].bps = l->total[op].iops * 4096;
		l->sec[op] = l->total[op];
		l->sec[op].lat.n = (uint64_t)iops;
	}
	for (int op = 1; op < IO_OP_NR; op++)
		l->total[op] = zero;
	l->total_lat.n[hist_index(100000)] += n;
	a->ops->see(a, snap);
}

static void run_for(unsigned seconds, double iops)
{
	if (snap->t_ns < 1000 * NSEC_PER_SEC)
		snap->t_ns = 1000 * NSEC_PER_SEC;
	for (unsigned i = 0; i < 10 * seconds; i++)
		tick(RUN_ON, iops);
}

static const struct archive_note note = {
	.job = &job, .device = "/dev/nvme9n1  Made Up 1 TiB", .screen_svg = "<svg>picture</svg>"};

static void keep(char id[ARCHIVE_ID_SIZE])
{
	tick(RUN_DONE, 0);
	cr_assert_eq(a->ops->save(a, &note, id, &e), 1, "%s", e.msg);
}

static struct archive_entry only_entry(void)
{
	struct archive_list l;
	struct archive_entry en;

	cr_assert_eq(a->ops->list(a, &l, &e), 0, "%s", e.msg);
	cr_assert_eq(l.n, 1);
	en = l.v[0];
	archive_list_fini(&l);
	return en;
}

static void write_file(const char *id, const char *file, const char *text)
{
	char *path = xasprintf("%s/%s/%s", dir, id, file);

	cr_assert_eq(fs_write_atomic(path, text, strlen(text)), 0);
	free(path);
}

Test(rec, a_run_comes_back_as_it_was)
{
	char id[ARCHIVE_ID_SIZE];
	struct archive_entry en;

	run_for(3, 20000);
	keep(id);
	en = only_entry();
	cr_expect_str_eq(en.id, id);
	cr_expect_not(en.damaged);
	cr_expect_str_eq(en.target, "/dev/nvme9n1");
	cr_expect_str_eq(en.device, note.device);
	cr_expect_str_eq(en.kind, "run");
	cr_expect_eq(en.status, ARCHIVE_DONE);
	cr_expect_eq(en.qd, 8);
	cr_expect_eq(en.jobs, 2);
	cr_expect_eq(en.n, 60000);
	cr_expect_eq(en.p99_ns, 105000);
	cr_expect_eq(en.max_ns, 110000);
	cr_expect_float_eq(en.iops, 60000 / 3.1, 1e-3);
	cr_expect_gt(en.start_ms, 1500000000000ull);
}

Test(rec, the_series_has_what_was_done_each_second)
{
	struct archive_series s;
	char id[ARCHIVE_ID_SIZE];
	double ops = 0;

	run_for(2, 20000);
	run_for(2, 5000);
	keep(id);
	cr_assert_eq(a->ops->series(a, id, &s, &e), 0, "%s", e.msg);
	cr_assert_geq(s.n, 4);
	for (size_t i = 0; i < s.n; i++)
		ops += s.v[i].iops * (double)s.v[i].dur_ms / 1e3;
	cr_expect_float_eq(ops, 50000, 1);
	cr_expect_float_eq(s.v[0].iops, 20000, 1);
	cr_expect_float_eq(s.v[3].iops, 5000, 1);
	cr_expect_float_eq(s.v[0].p99_ns, 105000, 0.5);
	archive_series_fini(&s);
}

Test(rec, time_that_was_paused_is_in_no_row)
{
	struct archive_series s;
	char id[ARCHIVE_ID_SIZE];
	uint64_t sum_ms = 0;

	run_for(1, 20000);
	snap->t_ns += 30 * NSEC_PER_SEC;
	snap->lane[0].held_ns = 30 * NSEC_PER_SEC;
	run_for(1, 20000);
	keep(id);
	cr_assert_eq(a->ops->series(a, id, &s, &e), 0, "%s", e.msg);
	for (size_t i = 0; i < s.n; i++) {
		sum_ms += s.v[i].dur_ms;
		cr_expect_leq(s.v[i].dur_ms, 1100);
	}
	cr_expect_leq(sum_ms, 2100);
	archive_series_fini(&s);
}

Test(rec, a_day_takes_bounded_memory_and_loses_no_io_and_no_peak)
{
	struct track t;
	uint64_t ops = 0, max = 0;

	track_init(&t);
	snap->t_ns = 1000 * NSEC_PER_SEC;
	for (unsigned i = 0; i < TRACK_ROWS_MAX + 1000; i++) {
		struct lane_snap *l = &snap->lane[0];

		snap->seq++;
		snap->t_ns += NSEC_PER_SEC;
		snap->n_lanes = 1;
		snap->state = RUN_ON;
		l->t_start_ns = 1000 * NSEC_PER_SEC;
		l->elapsed_ns += NSEC_PER_SEC;
		l->total[IO_READ].ops += 7;
		l->sec[IO_OP_NR].lat.n = 7;
		l->sec[IO_OP_NR].lat.max_ns = i == 5001 ? 9999 : 10;
		track_see(&t, snap);
	}
	cr_expect_leq(t.lane[0].n, TRACK_ROWS_MAX);
	for (size_t i = 0; i < t.lane[0].n; i++) {
		ops += t.lane[0].v[i].ops[IO_READ];
		max = t.lane[0].v[i].max_ns > max ? t.lane[0].v[i].max_ns : max;
	}
	track_finish(&t);
	cr_expect_geq(ops + 14, (TRACK_ROWS_MAX + 1000) * 7ull);
	cr_expect_eq(max, 9999);
	track_fini(&t);
}

Test(rec, a_run_is_kept_once_and_an_empty_one_never)
{
	char id[ARCHIVE_ID_SIZE], again[ARCHIVE_ID_SIZE];

	tick(RUN_ON, 0);
	cr_expect_eq(a->ops->save(a, &note, id, &e), -EBUSY);
	tick(RUN_DONE, 0);
	cr_expect_eq(a->ops->save(a, &note, id, &e), 0);
	run_for(1, 100);
	keep(id);
	cr_expect_eq(a->ops->save(a, &note, again, &e), 1);
	cr_expect_str_eq(again, id);
	only_entry();
}

Test(rec, a_sweep_has_no_rate_of_its_own)
{
	char id[ARCHIVE_ID_SIZE];
	struct archive_entry en;

	run_for(1, 100);
	snap->sweep.phase = SWEEP_MEASURE;
	run_for(1, 20000);
	snap->sweep.phase = SWEEP_OVER;
	keep(id);
	en = only_entry();
	cr_expect_str_eq(en.kind, "sweep");
	cr_expect(isnan(en.iops) && isnan(en.bps));
	cr_expect_eq(en.n, 0);
	cr_expect_eq(en.qd, 0);
}

Test(rec, how_it_ended_is_told)
{
	static const struct {
		enum run_state state;
		bool lost, stopped;
		enum archive_status want;
	} cases[] = {
		{RUN_DONE, false, false, ARCHIVE_DONE},
		{RUN_DONE, false, true, ARCHIVE_STOPPED},
		{RUN_FAILED, false, false, ARCHIVE_FAILED},
		{RUN_FAILED, true, true, ARCHIVE_LOST},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct archive_note n = note;
		char id[ARCHIVE_ID_SIZE];

		run_for(1, 100);
		n.stopped = cases[i].stopped;
		snap->lane[0].lost = cases[i].lost;
		snprintf(snap->error, sizeof(snap->error), "%s",
			 cases[i].state == RUN_FAILED ? "read of x: I/O error" : "");
		tick(cases[i].state, 0);
		cr_assert_eq(a->ops->save(a, &n, id, &e), 1, "%s", e.msg);
		cr_expect_eq(only_entry().status, cases[i].want);
		cr_expect_str_eq(only_entry().why, snap->error);
		cr_assert_eq(a->ops->remove(a, id, &e), 0);
	}
}

Test(rec, what_is_damaged_is_listed_and_left_alone)
{
	static const char *const broken[] = {
		"",
		"{",
		"[]",
		"{\"format\": 1}",
		"{\"format\": 99}",
		"\xff\xfe",
		"{\"format\": 1, \"lanes\": []}",
	};
	char id[ARCHIVE_ID_SIZE];

	run_for(1, 100);
	keep(id);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct archive_entry en;
		struct strbuf now = {0};
		char *path = xasprintf("%s/%s/run.json", dir, id);

		write_file(id, "run.json", broken[i]);
		en = only_entry();
		cr_expect(en.damaged, "\"%s\"", broken[i]);
		cr_expect(strstr(en.why, "run.json"), "%s", en.why);
		cr_expect_str_eq(en.id, id);
		cr_expect_lt(a->ops->tag(a, id, "x", &e), 0);
		cr_assert_eq(fs_read_all("", path, &now), 0);
		cr_expect_str_eq(strbuf_str(&now), broken[i]);
		strbuf_fini(&now);
		free(path);
	}
}

/* Every file cut short at any byte, and any byte turned: never a crash, never a number out of nothing. */
Test(rec, a_truncated_file_is_never_taken_for_a_run)
{
	char id[ARCHIVE_ID_SIZE];
	struct strbuf whole = {0};
	char *path;

	run_for(1, 100);
	keep(id);
	path = xasprintf("%s/%s/run.json", dir, id);
	cr_assert_eq(fs_read_all("", path, &whole), 0);
	for (size_t n = 0; n + 2 < whole.len; n += 37) {
		struct archive_entry en = {0};

		cr_expect_lt(record_parse(whole.s, n, &en, &e), 0, "%zu bytes", n);
	}
	for (size_t n = 0; n < whole.len; n += 11) {
		struct archive_entry en = {0};
		char was = whole.s[n];

		whole.s[n] = (char)(was ^ 0x15);
		record_parse(whole.s, whole.len, &en, &e);
		whole.s[n] = was;
	}
	strbuf_fini(&whole);
	free(path);
}

Test(rec, a_tag_is_kept_and_changes_nothing_else)
{
	char id[ARCHIVE_ID_SIZE];
	struct archive_entry was, now;

	run_for(1, 100);
	keep(id);
	was = only_entry();
	cr_assert_eq(a->ops->tag(a, id, "after the \"firmware\" µ update", &e), 0, "%s", e.msg);
	now = only_entry();
	cr_expect_str_eq(now.tag, "after the \"firmware\" µ update");
	cr_expect_float_eq(now.iops, was.iops, 1e-6);
	cr_expect_eq(now.n, was.n);
	cr_expect_lt(
		a->ops->tag(a, id,
			    "a tag that is far too long to be one, and so it is refused as a whole",
			    &e),
		0);
}

Test(rec, deleting_removes_our_files_only)
{
	char id[ARCHIVE_ID_SIZE];
	struct archive_list l;

	run_for(1, 100);
	keep(id);
	write_file(id, "notes.txt", "mine");
	cr_expect_eq(a->ops->remove(a, id, &e), -ENOTEMPTY);
	cr_expect(strstr(e.msg, "other files"), "%s", e.msg);
	cr_assert_eq(a->ops->list(a, &l, &e), 0);
	cr_expect_eq(l.n, 1);
	archive_list_fini(&l);
	e = (struct err){0};
	cr_expect_lt(a->ops->remove(a, "../x", &e), 0);
	cr_expect_lt(a->ops->remove(a, "", &e), 0);
}

Test(rec, each_format_is_a_whole_document)
{
	char id[ARCHIVE_ID_SIZE];
	struct strbuf t = {0};
	json_t *o;

	snprintf(snap->event[0].text, sizeof(snap->event[0].text), "a <b> & c");
	snap->event[0].t_ns = 1000 * NSEC_PER_SEC;
	snap->n_events = 1;
	run_for(1, 100);
	keep(id);
	cr_assert_eq(a->ops->export_text(a, id, ARCHIVE_JSON, &t, &e), 0);
	o = json_loads(strbuf_str(&t), 0, NULL);
	cr_assert(json_is_object(o));
	cr_expect_str_eq(
		json_string_value(json_object_get(json_object_get(o, "report"), "fio version")),
		"x");
	json_decref(o);
	strbuf_reset(&t);
	cr_assert_eq(a->ops->export_text(a, id, ARCHIVE_SVG, &t, &e), 0);
	cr_expect_str_eq(strbuf_str(&t), note.screen_svg);
	strbuf_reset(&t);
	cr_assert_eq(a->ops->export_text(a, id, ARCHIVE_HTML, &t, &e), 0);
	cr_expect(strstr(strbuf_str(&t), "a &lt;b&gt; &amp; c"));
	cr_expect(strstr(strbuf_str(&t), note.screen_svg));
	cr_expect(strstr(strbuf_str(&t), "</html>"));
	strbuf_reset(&t);
	cr_assert_eq(a->ops->export_text(a, id, ARCHIVE_CSV, &t, &e), 0);
	cr_expect(strncmp(strbuf_str(&t), "lane,end_ms,", 12) == 0);
	strbuf_fini(&t);
}

/* Its end fell a moment after a full second. */
Test(rec, a_last_moment_too_short_for_a_row_is_counted_in_the_one_before)
{
	struct track t;
	struct strbuf csv = {0};

	track_init(&t);
	run_for(2, 1000);
	track_see(&t, snap);
	snap->seq++;
	snap->t_ns += 7 * NSEC_PER_MSEC;
	snap->state = snap->lane[0].state = RUN_DONE;
	snap->lane[0].elapsed_ns += 7 * NSEC_PER_MSEC;
	snap->lane[0].total[IO_READ].ops += 5;
	track_see(&t, snap);
	track_finish(&t);
	cr_assert_eq(t.lane[0].n, 1, "one row, as it was first seen after two seconds");
	cr_expect_eq(t.lane[0].v[0].ops[IO_READ], 2005);
	cr_expect_eq(t.lane[0].v[0].dur_ms, 2007);
	track_csv(&t, &csv);
	cr_expect(strstr(strbuf_str(&csv), ",2005,"), "%s", strbuf_str(&csv));
	strbuf_fini(&csv);
	track_fini(&t);
}

Test(rec, a_series_with_a_bad_row_is_refused_with_its_line)
{
	struct archive_series s;

	cr_expect_lt(record_series("a,b\n", &s, &e), 0);
	cr_expect(strstr(e.msg, "series.csv:1"), "%s", e.msg);
	cr_expect_lt(record_series("lane,end_ms,duration_ms,read_ops,write_ops,trim_ops,read_bytes,"
				   "write_bytes,trim_bytes,p50_ns,p99_ns,max_ns\n"
				   "A,1000,1000,5,0,0,1,0,0,,,\nA,2000,0,5,0,0,1,0,0,,,\n",
				   &s, &e),
		     0);
	cr_expect(strstr(e.msg, "series.csv:3"), "%s", e.msg);
}

Test(rec, nothing_half_made_is_left_when_it_cannot_be_written)
{
	char id[ARCHIVE_ID_SIZE];
	struct archive *no = store_open(&(struct store_cfg){.folder = "/proc/nowhere"});
	struct archive_list l;

	run_for(1, 100);
	tick(RUN_DONE, 0);
	no->ops->see(no, snap);
	cr_expect_lt(no->ops->save(no, &note, id, &e), 0);
	cr_expect(strstr(e.msg, "/proc/nowhere"), "%s", e.msg);
	cr_expect_eq(no->ops->list(no, &l, &e), 0, "a folder that is not there yet is empty");
	store_close(no);
}

Test(rec, the_folder_follows_the_xdg_rules)
{
	static const struct {
		const char *data, *home, *want;
	} cases[] = {
		{"/data", "/home/x", "/data/iodeck/runs"},
		{"relative", "/home/x", "/home/x/.local/share/iodeck/runs"},
		{"", "/home/x", "/home/x/.local/share/iodeck/runs"},
		{"", "", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *f;

		setenv("XDG_DATA_HOME", cases[i].data, 1);
		setenv("HOME", cases[i].home, 1);
		f = store_default_folder();
		if (cases[i].want)
			cr_expect_str_eq(f, cases[i].want);
		else
			cr_expect_null(f);
		free(f);
	}
}
