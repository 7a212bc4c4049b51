#include "src/rec/track.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"

#define ROW_NS   NSEC_PER_SEC
#define SLACK_NS (50 * NSEC_PER_MSEC) /* ticks are 100 ms apart and may be early */

void track_init(struct track *t)
{
	*t = (struct track){.last = xcalloc(1, sizeof(*t->last))};
}

void track_fini(struct track *t)
{
	for (int i = 0; i < LANE_MAX; i++)
		free(t->lane[i].v);
	free(t->last);
	*t = (struct track){0};
}

static bool state_is_over(enum run_state s)
{
	return s == RUN_IDLE || s == RUN_DONE || s == RUN_FAILED;
}

/* Its end and the next one's begin may have fallen between two snapshots. */
static bool is_new_run(const struct snapshot *was, const struct snapshot *now)
{
	if (state_is_over(was->state) && !state_is_over(now->state))
		return true;
	for (uint32_t i = 0; i < LANE_MAX && i < was->n_lanes; i++)
		if (was->lane[i].t_start_ns &&
		    (i >= now->n_lanes || now->lane[i].t_start_ns != was->lane[i].t_start_ns))
			return true;
	return false;
}

static void begin_run(struct track *t)
{
	for (int i = 0; i < LANE_MAX; i++) {
		t->lane[i].n = 0;
		t->lane[i].row_ns = ROW_NS;
		t->lane[i].from = (struct track_mark){0};
	}
	t->start_ms = 0;
	t->sweep = false;
	t->id[0] = '\0';
}

static struct track_mark mark_of(const struct snapshot *s, const struct lane_snap *l)
{
	struct track_mark m = {.t_ns = s->t_ns, .elapsed_ns = l->elapsed_ns};

	for (int op = 0; op < IO_OP_NR; op++) {
		m.ops[op] = l->total[op].ops;
		m.bytes[op] = l->total[op].bytes;
		m.errors += l->total[op].errors;
	}
	return m;
}

static double aqu_of(const struct snapshot *s)
{
	double sum = NAN;

	for (uint32_t i = 0; i < s->n_disks && i < DISK_RATE_MAX; i++)
		if (s->disk[i].is_target && !isnan(s->disk[i].aqu_sz))
			sum = (isnan(sum) ? 0 : sum) + s->disk[i].aqu_sz;
	return sum;
}

static uint64_t max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void row_merge(struct track_row *a, const struct track_row *b)
{
	a->t_ms = b->t_ms;
	a->dur_ms += b->dur_ms;
	for (int op = 0; op < IO_OP_NR; op++) {
		a->ops[op] += b->ops[op];
		a->bytes[op] += b->bytes[op];
	}
	a->errors += b->errors;
	a->n += b->n;
	a->p50_ns = max_of(a->p50_ns, b->p50_ns);
	a->p99_ns = max_of(a->p99_ns, b->p99_ns);
	a->p999_ns = max_of(a->p999_ns, b->p999_ns);
	a->max_ns = max_of(a->max_ns, b->max_ns);
	a->inflight = b->inflight;
	a->cpu_pct = fmax(a->cpu_pct, b->cpu_pct);
	a->aqu_sz = fmax(a->aqu_sz, b->aqu_sz);
}

static void halve(struct track_lane *tl)
{
	size_t n = 0;

	for (size_t i = 0; i < tl->n; i += 2) {
		tl->v[n] = tl->v[i];
		if (i + 1 < tl->n)
			row_merge(&tl->v[n], &tl->v[i + 1]);
		n++;
	}
	tl->n = n;
	tl->row_ns *= 2;
}

static void add_row(struct track_lane *tl, const struct track_row *r)
{
	if (tl->n == TRACK_ROWS_MAX)
		halve(tl);
	if (tl->n == tl->cap) {
		tl->cap = tl->cap ? 2 * tl->cap : 64;
		tl->v = xrealloc(tl->v, tl->cap * sizeof(*tl->v));
	}
	tl->v[tl->n++] = *r;
}

static void end_row(struct track_lane *tl, const struct snapshot *s, const struct lane_snap *l)
{
	const struct lat_view *lat = &l->sec[IO_OP_NR].lat;
	struct track_mark now = mark_of(s, l);
	struct track_row r = {
		.t_ms = l->elapsed_ns / NSEC_PER_MSEC,
		.dur_ms = (now.elapsed_ns - tl->from.elapsed_ns) / NSEC_PER_MSEC,
		.errors = now.errors - tl->from.errors,
		.n = lat->n,
		.p50_ns = lat->pct_ns[0],
		.p99_ns = lat->pct_ns[3],
		.p999_ns = lat->pct_ns[4],
		.max_ns = lat->max_ns,
		.inflight = l->inflight,
		.cpu_pct = l->cpu_pct,
		.aqu_sz = aqu_of(s),
	};

	for (int op = 0; op < IO_OP_NR; op++) {
		r.ops[op] = now.ops[op] - tl->from.ops[op];
		r.bytes[op] = now.bytes[op] - tl->from.bytes[op];
	}
	tl->from = now;
	/* Too short to be a rate of its own; what was done in it counts all the same. */
	if (r.dur_ms < TRACK_SHORT_MS && tl->n)
		row_merge(&tl->v[tl->n - 1], &r);
	else if (r.dur_ms)
		add_row(tl, &r);
}

static void see_lane(struct track_lane *tl, const struct snapshot *s, const struct lane_snap *l)
{
	if (!l->t_start_ns || l->elapsed_ns < tl->from.elapsed_ns)
		return;
	if (!tl->from.t_ns)
		tl->from.t_ns = l->t_start_ns; /* all of it is of the first row */
	if (l->elapsed_ns - tl->from.elapsed_ns + SLACK_NS >= tl->row_ns)
		end_row(tl, s, l);
}

void track_see(struct track *t, const struct snapshot *s)
{
	if (is_new_run(t->last, s))
		begin_run(t);
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		see_lane(&t->lane[i], s, &s->lane[i]);
	t->sweep = t->sweep || sweep_view_runs(&s->sweep);
	if (!t->start_ms && s->n_lanes && s->lane[0].t_start_ns)
		t->start_ms = clock_wall_ms() - s->lane[0].elapsed_ns / NSEC_PER_MSEC;
	*t->last = *s;
}

bool track_has_data(const struct track *t)
{
	for (uint32_t i = 0; i < t->last->n_lanes && i < LANE_MAX; i++)
		if (t->last->lane[i].total[IO_OP_NR].ops)
			return true;
	return false;
}

bool track_is_over(const struct track *t)
{
	return state_is_over(t->last->state);
}

void track_finish(struct track *t)
{
	for (uint32_t i = 0; i < t->last->n_lanes && i < LANE_MAX; i++) {
		const struct lane_snap *l = &t->last->lane[i];
		struct track_lane *tl = &t->lane[i];

		if (tl->from.t_ns && l->elapsed_ns > tl->from.elapsed_ns)
			end_row(tl, t->last, l);
	}
}

static void csv_u64(struct strbuf *out, uint64_t v)
{
	strbuf_addf(out, ",%" PRIu64, v);
}

/* An unknown number is an empty field. */
static void csv_real(struct strbuf *out, double v)
{
	if (isfinite(v))
		strbuf_addf(out, ",%.3f", v);
	else
		strbuf_putc(out, ',');
}

static void csv_row(const struct track_row *r, uint32_t lane, bool simulated, struct strbuf *out)
{
	strbuf_addf(out, "%c,%" PRIu64 ",%" PRIu64, (char)('A' + (char)lane), r->t_ms, r->dur_ms);
	for (int op = 0; op < IO_OP_NR; op++)
		csv_u64(out, r->ops[op]);
	for (int op = 0; op < IO_OP_NR; op++)
		csv_u64(out, r->bytes[op]);
	csv_u64(out, r->errors);
	csv_u64(out, r->n);
	if (r->n)
		strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, r->p50_ns,
			    r->p99_ns, r->p999_ns, r->max_ns);
	else
		strbuf_puts(out, ",,,,");
	csv_real(out, r->inflight);
	csv_real(out, r->aqu_sz);
	csv_real(out, r->cpu_pct);
	strbuf_addf(out, ",%d\n", simulated);
}

void track_csv_head(struct strbuf *out)
{
	strbuf_puts(out, "lane,end_ms,duration_ms,read_ops,write_ops,trim_ops,read_bytes,"
			 "write_bytes,trim_bytes,errors,latency_count,p50_ns,p99_ns,p99.9_ns,"
			 "max_ns,in_flight,aqu_sz,cpu_pct,simulated\n");
}

void track_csv_row(const struct track *t, uint32_t lane, size_t row, struct strbuf *out)
{
	csv_row(&t->lane[lane].v[row], lane, t->last->lane[lane].simulated, out);
}

void track_csv(const struct track *t, struct strbuf *out)
{
	track_csv_head(out);
	for (uint32_t i = 0; i < t->last->n_lanes && i < LANE_MAX; i++)
		for (size_t k = 0; k < t->lane[i].n; k++)
			track_csv_row(t, i, k, out);
}
