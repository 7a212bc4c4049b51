#include "src/stat/result.h"

#include <math.h>
#include <string.h>

const char *const search_word[] = {
	[SEARCH_NONE] = "none",
	[SEARCH_MET] = "met",
	[SEARCH_UNFINISHED] = "unfinished",
	[SEARCH_MISSED] = "missed",
};

uint64_t steady_mean(const uint64_t *v, unsigned n)
{
	unsigned __int128 sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	return n ? (uint64_t)(sum / n) : 0;
}

void samples_add(struct samples *s, uint64_t value)
{
	double v = (double)value, gap = v - s->mean;

	if (s->n == 0 || value < s->min)
		s->min = value;
	if (s->n == 0 || value > s->max)
		s->max = value;
	s->n++;
	s->mean += gap / (double)s->n;
	s->m2 += gap * (v - s->mean);
}

double samples_stddev(const struct samples *s)
{
	return s->n > 1 && s->m2 > 0 ? sqrt(s->m2 / (double)(s->n - 1)) : 0;
}

void samples_sum(struct samples *dst, const struct samples *src)
{
	dst->n += src->n;
	dst->min += src->min;
	dst->max += src->max;
	dst->mean += src->mean;
	dst->m2 += src->m2;
}

/* 1000 * count / ms, without overflow, truncated. */
static uint64_t per_second(uint64_t count, uint64_t ms)
{
	return ms ? (uint64_t)((unsigned __int128)count * 1000 / ms) : 0;
}

/* Did this direction do I/O that a report shows? */
static bool dir_used(const struct dir_result *d)
{
	return d->runtime_ms > 0 && (d->st.ops > 0 || d->st.bytes > 0);
}

static void derive_dir(struct dir_result *d)
{
	/* A run that ended within its first millisecond counts as one, as fio's does. */
	if (d->runtime_ms == 0 && (d->st.ops > 0 || d->st.bytes > 0))
		d->runtime_ms = 1;
	d->iops = d->runtime_ms ? 1000.0 * (double)d->st.ops / (double)d->runtime_ms : 0;
	d->bw_bytes = per_second(d->st.bytes, d->runtime_ms);
}

/* fio does not take these times then; here they are taken for the screen, and kept out of the report. */
static void derive_hidden(struct job_result *j)
{
	const struct job_spec *js = j->spec;

	for (int op = 0; op < IO_OP_NR; op++) {
		struct op_stat *st = &j->dir[op].st;

		if (js->disable_slat || js->gtod_reduce)
			st->slat = (struct moments){0};
		if (js->disable_lat || js->gtod_reduce)
			st->lat = (struct lat_dist){0};
		if (js->disable_clat || js->gtod_reduce) {
			st->clat = (struct lat_dist){0};
			memset(st->over, 0, sizeof(st->over));
		}
	}
	if (js->gtod_reduce)
		j->sync_lat = (struct lat_dist){0};
}

static void derive_mixed(struct job_result *j)
{
	struct dir_result *m = j->mixed;

	if (!m)
		return;
	m->st = (struct op_stat){0};
	m->runtime_ms = 0;
	if (m->slat_h)
		memset(m->slat_h, 0, sizeof(*m->slat_h));
	for (int op = 0; op < IO_OP_NR; op++) {
		const struct dir_result *d = &j->dir[op];

		op_stat_merge(&m->st, &d->st);
		if (d->runtime_ms > m->runtime_ms)
			m->runtime_ms = d->runtime_ms;
		if (m->slat_h && d->slat_h)
			hist_add(m->slat_h, d->slat_h);
	}
	derive_dir(m);
}

static void derive_cells(struct job_result *j)
{
	uint64_t cells[LAT_CELLS];

	memset(j->cells, 0, sizeof(j->cells));
	for (int op = 0; op < IO_OP_NR; op++) {
		hist_cells(&j->dir[op].st.clat.h, j->dir[op].st.over, cells);
		for (int c = 0; c < LAT_CELLS; c++)
			j->cells[c] += cells[c];
	}
}

static void derive_cpu(struct job_result *j)
{
	double run_us = 1000.0 * (double)j->runtime_ms;

	/* Both sums are over the clones, so the quotient is the average clone's share. */
	j->usr_pct = j->runtime_ms ? 100.0 * (double)j->usr_us / run_us : 0;
	j->sys_pct = j->runtime_ms ? 100.0 * (double)j->sys_us / run_us : 0;
}

static void group_dir_add(struct group_dir *g, const struct dir_result *d)
{
	if (!dir_used(d))
		return;
	if (!g->used || d->bw_bytes < g->min_bytes_s)
		g->min_bytes_s = d->bw_bytes;
	if (!g->used || d->bw_bytes > g->max_bytes_s)
		g->max_bytes_s = d->bw_bytes;
	if (!g->used || d->runtime_ms < g->min_ms)
		g->min_ms = d->runtime_ms;
	if (!g->used || d->runtime_ms > g->max_ms)
		g->max_ms = d->runtime_ms;
	g->bytes += d->st.bytes;
	g->used = true;
}

static void derive_groups(struct run_result *r)
{
	if (r->n_groups)
		memset(r->groups, 0, r->n_groups * sizeof(r->groups[0]));
	for (size_t i = 0; i < r->n_jobs; i++) {
		struct group_dir *g = r->groups[r->jobs[i].group];

		for (int op = 0; op < IO_OP_NR; op++)
			group_dir_add(&g[op], &r->jobs[i].dir[op]);
		if (r->jobs[i].mixed)
			group_dir_add(&g[GROUP_MIXED], r->jobs[i].mixed);
	}
	for (size_t g = 0; g < r->n_groups; g++)
		for (int op = 0; op < GROUP_DIRS; op++) {
			struct group_dir *d = &r->groups[g][op];

			/* R11: all bytes over the longest run time, not the sum of the rates. */
			d->agg_bytes_s = per_second(d->bytes, d->max_ms);
		}
}

/* fio's per=: the mean of the samples is truncated first, the aggregate is not rounded to KiB. */
static double agg_pct(const struct samples *bw_kib, uint64_t agg_bytes_s)
{
	double pct;

	if (bw_kib->n == 0)
		return 0;
	if (agg_bytes_s == 0)
		return 100;
	pct = 100.0 * floor(bw_kib->mean) / ((double)agg_bytes_s / 1024.0);
	return pct > 100 ? 100 : pct;
}

void result_derive(struct run_result *r)
{
	for (size_t i = 0; i < r->n_jobs; i++) {
		struct job_result *j = &r->jobs[i];

		derive_hidden(j);
		for (int op = 0; op < IO_OP_NR; op++)
			derive_dir(&j->dir[op]);
		derive_mixed(j);
		derive_cells(j);
		derive_cpu(j);
		j->end_wall_ms = r->end_wall_ms;
	}
	derive_groups(r);
	for (size_t i = 0; i < r->n_jobs; i++) {
		struct job_result *j = &r->jobs[i];
		const struct group_dir *g = r->groups[j->group];

		for (int op = 0; op < IO_OP_NR; op++)
			j->dir[op].bw_agg_pct = agg_pct(&j->dir[op].bw_kib, g[op].agg_bytes_s);
		if (j->mixed)
			j->mixed->bw_agg_pct =
				agg_pct(&j->mixed->bw_kib, g[GROUP_MIXED].agg_bytes_s);
	}
}

unsigned result_failed(const struct run_result *r)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n_jobs; i++) {
		const struct job_result *j = &r->jobs[i];

		n += j->failed == 0 && j->error && !j->survived ? 1 : j->failed;
	}
	return n;
}
