/* fio's terse version 3: one line per report entry, 121 fields and nine per disk (fio-language 3.7). */
#include <inttypes.h>

#include "src/out/figures.h"
#include "src/out/formats.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

/* A name must not add fields or lines; fio lets it. */
static void add_name(const char *s, struct strbuf *out)
{
	for (; *s; s++)
		strbuf_putc(out, *s == ';' || *s == '\n' ? '_' : *s);
}

/* min, max, mean, deviation in us; m NULL or empty: zeros. */
static void add_moments(const struct moments *m, struct strbuf *out)
{
	static const struct moments none;

	if (!m || m->n == 0)
		m = &none;
	strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%s;%s", m->min_ns / 1000, m->max_ns / 1000,
		    num_real(moments_mean(m) / 1000, 0, 6).s,
		    num_real(moments_stddev(m) / 1000, 0, 6).s);
}

static void add_percentiles(const struct lat_dist *d, struct strbuf *out)
{
	uint64_t ns[PCT_MAX];

	pct_values(d, &pct_default, ns);
	for (unsigned i = 0; i < PCT_MAX; i++) {
		if (i < pct_default.n)
			strbuf_addf(out, ";%s%%=%" PRIu64, num_real(pct_default.p[i], 0, 6).s,
				    ns[i] / 1000);
		else
			strbuf_puts(out, ";0%=0");
	}
}

static void add_bw_samples(const struct dir_result *d, struct strbuf *out)
{
	const struct samples *s = &d->bw_kib;

	if (s->n)
		strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%s%%;%s;%s", s->min, s->max,
			    num_real(d->bw_agg_pct, 0, 6).s, num_real(s->mean, 0, 6).s,
			    num_real(samples_stddev(s), 0, 6).s);
	else
		strbuf_puts(out, ";0;0;0.000000%;0.000000;0.000000");
}

static void add_direction(const struct job_result *j, enum io_op op, struct strbuf *out)
{
	const struct dir_result *d = &j->dir[op];

	strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, d->st.bytes / 1024,
		    d->bw_bytes / 1024, (uint64_t)d->iops, d->runtime_ms);
	add_moments(figures_has_slat(j, op) ? &d->st.slat : NULL, out);
	add_moments(&d->st.clat.m, out);
	add_percentiles(&d->st.clat, out);
	add_moments(&d->st.lat.m, out);
	add_bw_samples(d, out);
}

static void add_shares(const double *pct, unsigned n, int decimals, struct strbuf *out)
{
	for (unsigned i = 0; i < n; i++)
		strbuf_addf(out, ";%s%%", num_real(pct[i], 3, decimals).s);
}

/* The format is older than fio's nanoseconds: all their cells are added to the first one of us. */
static void add_lat_cells(const uint64_t cells[LAT_CELLS], struct strbuf *out)
{
	double pct[LAT_CELLS];

	cell_shares(cells, LAT_CELLS, CELL_FLOOR_LAT, pct);
	for (unsigned i = 0; i < LAT_CELLS_NS; i++)
		pct[LAT_CELLS_NS] += pct[i];
	add_shares(pct + LAT_CELLS_NS, LAT_CELLS_US + LAT_CELLS_MS, 2, out);
}

static void add_disk_figures(const char *name, const struct disk_result *d, struct strbuf *out)
{
	strbuf_addf(out,
		    ";%s;%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
		    ";%" PRIu64 ";%s%%",
		    name, d->ios[0], d->ios[1], d->merges[0], d->merges[1], d->ticks_ms[0],
		    d->ticks_ms[1], d->in_queue_ms, num_real(d->util_pct, 3, 2).s);
}

static void add_disks(const struct run_result *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->n_disks; i++) {
		add_disk_figures(r->disks[i].name, &r->disks[i], out);
		if (r->disks[i].n_slaves) {
			struct disk_result slaves = disk_slaves(&r->disks[i]);

			add_disk_figures("slaves", &slaves, out);
		}
	}
}

static void add_job(const struct run_result *r, const struct job_result *j, struct strbuf *out)
{
	double depth[DEPTH_CELLS];

	strbuf_addf(out, "3;%s;", REPORT_VERSION);
	add_name(j->spec->name, out);
	strbuf_addf(out, ";%u;%d", j->group, j->error);
	add_direction(j, IO_READ, out);
	add_direction(j, IO_WRITE, out);
	strbuf_addf(out, ";%s%%;%s%%;%" PRIu64 ";%" PRIu64 ";%" PRIu64,
		    num_real(j->usr_pct, 0, 6).s, num_real(j->sys_pct, 0, 6).s, j->ctx, j->majf,
		    j->minf);
	cell_shares(j->depth, DEPTH_CELLS, CELL_FLOOR_DEPTH, depth);
	add_shares(depth, DEPTH_CELLS, 1, out);
	add_lat_cells(j->cells, out);
	add_disks(r, out);
	if (j->spec->description) {
		strbuf_putc(out, ';');
		add_name(j->spec->description, out);
	}
	strbuf_putc(out, '\n');
}

static void terse_run(const struct run_result *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		add_job(r, &r->jobs[i], out);
}

const struct report_ops report_terse = {
	.name = "terse",
	.summary = "one line per job, fields separated by semicolons (fio's version 3)",
	.format = FORMAT_TERSE,
	.run = terse_run,
};
