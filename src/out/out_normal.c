#include "src/out/out_normal.h"

#include <inttypes.h>
#include <string.h>

#include "src/out/formats.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

static void add_error(const struct job_result *j, struct strbuf *out)
{
	if (j->error)
		strbuf_addf(out, " (%s)", j->error_text[0] ? j->error_text : strerror(j->error));
}

/*
 * The samples of fio's "bw (" line are KiB/s whatever kb_base says; fio labels them kB with
 * kb_base=1000, which is wrong, so here the label stays KiB or MiB.
 */
static void add_bw_samples(const struct dir_result *d, struct strbuf *out)
{
	const struct samples *s = &d->bw_kib;
	bool mib = s->mean > 1024.0 * 1024;
	uint64_t div = mib ? 1024 : 1;

	if (s->n == 0)
		return;
	strbuf_addf(out,
		    "   bw (  %s/s): min=%5" PRIu64 ", max=%5" PRIu64
		    ", per=%s%%, avg=%s, stdev=%s, samples=%" PRIu64 "\n",
		    mib ? "MiB" : "KiB", s->min / div, s->max / div,
		    num_real(d->bw_agg_pct, 3, 2).s, num_real(s->mean / (double)div, 5, 2).s,
		    num_real(samples_stddev(s) / (double)div, 5, 2).s, s->n);
}

static void add_iops_samples(const struct dir_result *d, struct strbuf *out)
{
	const struct samples *s = &d->iops_s;

	if (s->n == 0)
		return;
	strbuf_addf(out,
		    "   iops        : min=%5" PRIu64 ", max=%5" PRIu64
		    ", avg=%s, stdev=%s, samples=%" PRIu64 "\n",
		    s->min, s->max, num_real(s->mean, 5, 2).s, num_real(samples_stddev(s), 5, 2).s,
		    s->n);
}

static void add_direction(const struct job_result *j, const struct dir_result *d, const char *name,
			  struct strbuf *out)
{
	struct num_style st = num_style(j->spec);
	struct lat_view v[VIEW_NR];

	if (d->st.bytes == 0)
		return;
	strbuf_addf(out, "  %s: IOPS=%s, BW=%s (%s)(%s/%" PRIu64 "msec)\n", name,
		    num_count((uint64_t)d->iops, st.figs).s, num_bps(d->bw_bytes, st).s,
		    num_bps(d->bw_bytes, num_other(st)).s, num_bytes(d->st.bytes, st).s,
		    d->runtime_ms);
	figures_lat(j, d, v);
	for (unsigned i = 0; i < VIEW_NR; i++)
		normal_add_latency(v[i].name, v[i].m, out);
	for (unsigned i = 0; i < VIEW_NR; i++)
		normal_add_percentiles(&v[i], &j->spec->percentile_list, out);
	add_bw_samples(d, out);
	add_iops_samples(d, out);
}

static void add_directions(const struct job_result *j, struct strbuf *out)
{
	for (unsigned op = 0; op < IO_OP_NR && figures_apart(j); op++)
		add_direction(j, &j->dir[op], io_op_name(op), out);
	if (j->mixed)
		add_direction(j, j->mixed, "mixed", out);
}

static void add_syncs(const struct job_result *j, struct strbuf *out)
{
	const struct lat_view v = {"sync", &j->sync_lat.m,
				   figures_sync_percentiles(j->spec) ? &j->sync_lat.h : NULL};

	if (v.m->n == 0)
		return;
	strbuf_puts(out, "  fsync/fdatasync/sync_file_range:\n");
	normal_add_latency(v.name, v.m, out);
	normal_add_percentiles(&v, &j->spec->percentile_list, out);
}

static void add_cells(const char *title, const uint64_t n[DEPTH_CELLS], const char *const *labels,
		      struct strbuf *out)
{
	double pct[DEPTH_CELLS];

	cell_shares(n, DEPTH_CELLS, CELL_FLOOR_DEPTH, pct);
	strbuf_puts(out, title);
	for (unsigned i = 0; i < DEPTH_CELLS; i++)
		strbuf_addf(out, "%s%s=%s%%", i ? ", " : "", labels[i], num_real(pct[i], 3, 1).s);
	strbuf_putc(out, '\n');
}

static void add_issued(const struct job_result *j, struct strbuf *out)
{
	static const struct op_stat none;
	bool apart = figures_apart(j);
	const struct op_stat *r = apart ? &j->dir[IO_READ].st : &j->mixed->st,
			     *w = apart ? &j->dir[IO_WRITE].st : &none,
			     *t = apart ? &j->dir[IO_TRIM].st : &none;

	/* Nothing here is ever dropped: that is fio's count for its zoned mode. */
	strbuf_addf(out,
		    "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		    " short=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0 dropped=0,0,0,0\n",
		    r->ops, w->ops, t->ops, j->sync_ops, r->shorts, w->shorts, t->shorts);
}

static void add_errors(const struct job_result *j, struct strbuf *out)
{
	if (figures_tells_errors(j->spec))
		strbuf_addf(out, "     errors    : total=%" PRIu64 ", first_error=%d/<%s>\n",
			    figures_errors(j), j->first_error, strerror(j->first_error));
}

/* fio takes the bandwidth for KiB in both units; here they are what they say. */
static void add_steady(const struct job_result *j, struct strbuf *out)
{
	static const char *const words[] = {[STEADY_IOPS] = "iops mean dev",
					    [STEADY_IOPS_SLOPE] = "iops slope",
					    [STEADY_BW] = "bw mean dev",
					    [STEADY_BW_SLOPE] = "bw slope"};
	const struct steady_result *s = j->steady;
	struct num_style st = num_style(j->spec);
	uint64_t bw;

	if (!s)
		return;
	bw = steady_mean(s->bw_bytes, s->n);
	strbuf_addf(out, "  steadystate  : attained=%s, bw=%s (%s), iops=%s, %s=%s%s\n",
		    s->attained ? "yes" : "no", num_bps(bw, st).s, num_bps(bw, num_other(st)).s,
		    num_count(steady_mean(s->iops, s->n), st.figs).s, words[j->spec->steady_kind],
		    num_real(s->criterion, 0, 3).s, j->spec->steady_pct ? "%" : "");
}

static void add_job(const struct run_result *r, const struct job_result *j, struct strbuf *out)
{
	if (!j->started)
		return;
	strbuf_addf(out, "%s: (groupid=%u, jobs=%u): err=%2d", j->spec->name, j->group, j->clones,
		    j->error);
	add_error(j, out);
	strbuf_addf(out, ": pid=%d: %s\n", j->pid, num_ctime(r->end_wall_ms).s);
	if (j->spec->description)
		strbuf_addf(out, "  Description  : [%s]\n", j->spec->description);
	if (j->simulated)
		strbuf_addf(out, "  SIMULATED    : [%s]\n",
			    j->spec->filename ? j->spec->filename : j->spec->ioengine);
	add_directions(j, out);
	normal_add_lat_cells(j->cells, out);
	add_syncs(j, out);
	strbuf_addf(out,
		    "  cpu          : usr=%s%%, sys=%s%%, ctx=%" PRIu64 ", majf=%" PRIu64
		    ", minf=%" PRIu64 "\n",
		    num_real(j->usr_pct, 3, 2).s, num_real(j->sys_pct, 3, 2).s, j->ctx, j->majf,
		    j->minf);
	add_cells("  IO depths    : ", j->depth, cell_depth_labels, out);
	add_cells("     submit    : ", j->submit, cell_call_labels, out);
	add_cells("     complete  : ", j->complete, cell_call_labels, out);
	add_issued(j, out);
	add_errors(j, out);
	strbuf_addf(out,
		    "     latency   : target=%" PRIu64 ", window=%" PRIu64
		    ", percentile=%s%%, depth=%u\n",
		    j->spec->latency_target_ns, j->spec->latency_window_ns / 1000,
		    num_real(j->spec->latency_percentile, 3, 2).s, figures_latency_depth(j));
	add_steady(j, out);
}

/* The first job of a group says how its lines look. */
static const struct job_result *group_first(const struct run_result *r, size_t group)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		if (r->jobs[i].group == group)
			return &r->jobs[i];
	return NULL;
}

static void add_group_dir(const char *title, const struct group_dir *g, struct num_style st,
			  struct strbuf *out)
{
	struct num_style other = num_other(st);

	if (!g->used)
		return;
	strbuf_addf(out,
		    "%s: bw=%s (%s), %s-%s (%s-%s), io=%s (%s), run=%" PRIu64 "-%" PRIu64 "msec\n",
		    title, num_bps(g->agg_bytes_s, st).s, num_bps(g->agg_bytes_s, other).s,
		    num_bps(g->min_bytes_s, st).s, num_bps(g->max_bytes_s, st).s,
		    num_bps(g->min_bytes_s, other).s, num_bps(g->max_bytes_s, other).s,
		    num_bytes(g->bytes, st).s, num_bytes(g->bytes, other).s, g->min_ms, g->max_ms);
}

static void add_groups(const struct run_result *r, struct strbuf *out)
{
	static const char *const titles[GROUP_DIRS] = {"   READ", "  WRITE", "   TRIM", "  MIXED"};

	for (size_t g = 0; g < r->n_groups; g++) {
		const struct job_result *first = group_first(r, g);

		strbuf_addf(out, "\nRun status group %zu (all jobs):\n", g);
		for (unsigned i = first && !figures_apart(first) ? GROUP_MIXED : 0;
		     first && i < GROUP_DIRS; i++)
			add_group_dir(titles[i], &r->groups[g][i], num_style(first->spec), out);
	}
}

/* prefix "": a disk's own figures; "aggr": those of its slaves. */
static void add_disk_figures(const struct disk_result *d, const char *prefix, struct strbuf *out)
{
	strbuf_addf(out,
		    "%sios=%" PRIu64 "/%" PRIu64 ", %smerge=%" PRIu64 "/%" PRIu64
		    ", %sticks=%" PRIu64 "/%" PRIu64 ", %sin_queue=%" PRIu64 ", %sutil=%s%%",
		    prefix, d->ios[0], d->ios[1], prefix, d->merges[0], d->merges[1], prefix,
		    d->ticks_ms[0], d->ticks_ms[1], prefix, d->in_queue_ms, prefix,
		    num_real(d->util_pct, 3, 2).s);
}

static void add_disks(const struct run_result *r, struct strbuf *out)
{
	if (r->n_disks)
		strbuf_puts(out, "\nDisk stats (read/write):\n");
	for (size_t i = 0; i < r->n_disks; i++) {
		const struct disk_result *d = &r->disks[i];

		strbuf_addf(out, "%s  %s: ", d->n_slaves ? "  " : "", d->name);
		add_disk_figures(d, "", out);
		if (d->n_slaves) {
			struct disk_result slaves = disk_slaves(d);

			strbuf_puts(out, ", ");
			add_disk_figures(&slaves, "aggr", out);
		}
		strbuf_putc(out, '\n');
	}
}

static void normal_run(const struct run_result *r, const struct report_how *how, struct strbuf *out)
{
	(void)how;
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < r->n_jobs; i++)
		add_job(r, &r->jobs[i], out);
	add_groups(r, out);
	add_disks(r, out);
}

const struct report_ops report_normal = {
	.name = "normal",
	.summary = "text for people, as fio prints it",
	.format = FORMAT_NORMAL,
	.run = normal_run,
};
