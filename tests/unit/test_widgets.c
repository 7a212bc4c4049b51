/* Small rules of the widgets: weak percentiles, rows of facts, columns of the device table. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/w_devices.h"
#include "ui/w_events.h"
#include "ui/w_hist.h"
#include "ui/w_jobs.h"
#include "ui/w_latency.h"

static const struct {
	uint64_t n;
	double pct;
	bool weak;
} weak_cases[] = {
	{0, 50, true},        {19, 50, true},     {20, 50, false},      {100, 90, false},
	{99, 90, true},       {9999, 99.9, true}, {10000, 99.9, false}, {100000, 99.99, false},
	{99999, 99.99, true}, {1000, 99, false},  {200, 95, false},     {199, 95, true},
};

Test(widgets, a_percentile_needs_ten_samples_above_it)
{
	for (size_t i = 0; i < sizeof(weak_cases) / sizeof(weak_cases[0]); i++)
		cr_expect_eq(latency_is_weak(weak_cases[i].n, weak_cases[i].pct),
			     weak_cases[i].weak, "p%g of %lu", weak_cases[i].pct,
			     (unsigned long)weak_cases[i].n);
}

static const char *text_of(struct canvas *c, struct strbuf *sb)
{
	strbuf_reset(sb);
	canvas_dump_text(c, sb);
	return strbuf_str(sb);
}

Test(widgets, facts_are_whole_or_absent)
{
	struct items it = {0};
	struct strbuf sb = {0};

	items_add(&it, ROLE_TEXT, 0, "364k IOPS");
	items_add(&it, ROLE_TEXT, 0, "p99 151 us");
	for (int w = 0; w < 30; w++) {
		struct canvas c;

		canvas_init(&c, 40, 1, &glyphs_ascii);
		w_items(&c, 0, 0, w, &it);
		cr_expect_str_eq(text_of(&c, &sb), w < 9    ? "\n"
						   : w < 21 ? "364k IOPS\n"
							    : "364k IOPS  p99 151 us\n");
		canvas_fini(&c);
	}
	strbuf_fini(&sb);
}

Test(widgets, device_columns_are_dropped_from_the_right_and_unknown_is_a_dash)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct devices_view v = {.snap = s};
	struct strbuf sb = {0};
	struct canvas c;

	s->n_disks = 1;
	s->disk[0] = (struct disk_rate){.name = "nvme0n1",
					.is_target = true,
					.r_iops = 364e3,
					.w_iops = NAN,
					.r_bps = NAN,
					.w_bps = NAN,
					.r_await_ns = 77e3,
					.w_await_ns = NAN,
					.aqu_sz = 28,
					.util_pct = 100,
					.inflight = NAN};
	canvas_init(&c, 30, 3, &glyphs_ascii);
	w_devices(&c, (struct rect){0, 0, 30, 3}, &v);
	cr_expect_str_eq(text_of(&c, &sb), "  name         r/s    w/s\n"
					   "> nvme0n1     364k      -\n"
					   "  * busy is not saturation o~\n");
	canvas_fini(&c);
	canvas_init(&c, 90, 3, &glyphs_ascii);
	w_devices(&c, (struct rect){0, 0, 90, 3}, &v);
	cr_expect_str_eq(
		text_of(&c, &sb),
		"  name         r/s    w/s   MiB/s  r_await  w_await  aqu-sz  %util  in flight   "
		"temp\n"
		"> nvme0n1     364k      -       -  77.0 us        -    28.0   100*          -     "
		" "
		"-\n"
		"  * busy is not saturation on a parallel device\n");
	canvas_fini(&c);
	strbuf_fini(&sb);
	free(s);
}

/* The kernel's names have up to 31 characters; the columns stay where they are. */
Test(widgets, case_122_a_long_device_name_breaks_no_column)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct devices_view v = {.snap = s};
	struct strbuf sb = {0};
	struct canvas c;

	s->n_disks = 2;
	s->disk[0] = (struct disk_rate){.name = "a-name-of-the-greatest-length-x", .r_iops = 364e3};
	s->disk[1] = (struct disk_rate){.name = "sda", .r_iops = 364e3};
	canvas_init(&c, 40, 3, &glyphs_ascii);
	w_devices(&c, (struct rect){0, 0, 40, 3}, &v);
	cr_expect_str_eq(text_of(&c, &sb), "  name                r/s    w/s\n"
					   "  a-name-o~ength-x   364k      0\n"
					   "  sda                364k      0\n");
	canvas_fini(&c);
	strbuf_fini(&sb);
	free(s);
}

static const struct {
	const char *name;
	bool parallel;
} kinds[] = {{"nvme0n1", true}, {"sda", false}, {"loop0", false}};

Test(widgets, without_a_device_list_only_nvme_is_known_to_be_parallel)
{
	struct devices_view v = {0};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct disk_rate d = {0};

		strcpy(d.name, kinds[i].name);
		cr_expect_eq(device_is_parallel(&v, &d), kinds[i].parallel, "%s", kinds[i].name);
	}
}

Test(widgets, a_change_shows_both_sides_and_the_factor)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct strbuf sb = {0};
	struct canvas c;

	s->n_events = 2;
	s->event[0] = (struct event){.id = 1, .t_ns = 22000000000ull, .kind = EVENT_TUNE};
	strcpy(s->event[0].text, "qd 8 -> 32");
	s->event[0].before = (struct segment){true, 97e3, 0, 121000};
	s->event[0].after = (struct segment){true, 364e3, 0, 151000};
	s->event[1] = (struct event){.id = 2, .t_ns = 30000000000ull, .kind = EVENT_TUNE};
	strcpy(s->event[1].text, "qd 32 -> 64");
	s->event[1].before = (struct segment){true, 364e3, 0, 151000};
	canvas_init(&c, 90, 2, &glyphs_ascii);
	w_events(&c, (struct rect){0, 0, 90, 2}, s, 0);
	cr_expect_str_eq(
		text_of(&c, &sb),
		"   0:22 ^ qd 8 -> 32  IOPS 97.0k -> 364k (x3.75)  p99 121 us -> 151 us (x1.25)\n"
		"   0:30 ^ qd 32 -> 64\n",
		"what is not measured yet is not shown: %s", strbuf_str(&sb));
	canvas_fini(&c);
	strbuf_fini(&sb);
	free(s);
}

Test(widgets, histogram_shares_add_up_and_keep_what_is_outside)
{
	struct hist *h = calloc(1, sizeof(*h));
	double shares[60];

	cr_expect_not(hist_shares(h, 1e4, 1e7, shares, 60));
	for (uint64_t ns = 50; ns < 10000000000ull; ns = ns * 5 / 4)
		h->n[hist_index(ns)] += ns % 97;
	for (int n = 1; n <= 60; n += 7) {
		double sum = 0;

		cr_expect(hist_shares(h, 1e4, 1e7, shares, n));
		for (int i = 0; i < n; i++)
			sum += shares[i];
		cr_expect_float_eq(sum, 1, 1e-9, "%d columns: %f", n, sum);
	}
	free(h);
}

/* 30 workers, room for five lines: the last line is the sum of the other 26. */
Test(widgets, jobs_that_have_no_line_are_summed)
{
	struct lane_snap *l = calloc(1, sizeof(*l));
	struct strbuf sb = {0};
	struct canvas c;

	l->n_worker_rows = 30;
	for (int i = 0; i < 30; i++)
		l->worker[i] = (struct worker_snap){.sec = {1000, 4096000, 1e5, 150000, 200000},
						    .count = 1,
						    .alive = 1,
						    .inflight = 4,
						    .cpu_pct = 2};
	l->worker[29].sec.max_ns = 7000000;
	canvas_init(&c, 80, 6, &glyphs_ascii);
	w_jobs(&c, (struct rect){0, 0, 80, 6}, l, false, false);
	canvas_dump_text(&c, &sb);
	cr_expect(strstr(strbuf_str(&sb), "5-30"), "%s", strbuf_str(&sb));
	cr_expect(strstr(strbuf_str(&sb), "26.0k"), "%s", strbuf_str(&sb));
	cr_expect(strstr(strbuf_str(&sb), "7.00 ms"), "%s", strbuf_str(&sb));
	cr_expect(strstr(strbuf_str(&sb), "104"), "%s", strbuf_str(&sb));
	/* Four jobs have their own p99; of several nobody knows it from theirs. */
	cr_expect(strstr(strbuf_str(&sb), "      4  1.00k"), "%s", strbuf_str(&sb));
	cr_expect(strstr(strstr(strbuf_str(&sb), "5-30"), "100 us        -  7.00 ms"), "%s",
		  strbuf_str(&sb));
	strbuf_fini(&sb);
	canvas_fini(&c);
	free(l);
}
