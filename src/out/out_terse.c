/*
 * fio's terse formats, versions 2 to 5: one line per report entry, fields separated by semicolons
 * (fio-language 3.7). The sections below are walked twice: to write a line, and to name its fields
 * (`iodeck help terse`).
 *
 *   version   fields          adds to version 3
 *   2         161             trims; no version of the program, never disks
 *   3         121, 9 a disk
 *   4         162, 9 a disk   trims
 *   5         180, 9 a disk   trims; six sample figures a direction
 */
#include "src/out/out_terse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/figures.h"
#include "src/out/formats.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

#define V2         (1u << 2)
#define V3         (1u << 3)
#define V4         (1u << 4)
#define V5         (1u << 5)
#define V_ALL      (V2 | V3 | V4 | V5)
#define V_DISKS    (V3 | V4 | V5)
#define V_TRIM     (V2 | V4 | V5)
#define FIELDS_MAX 24

/* One report entry; `d` is the direction of the section at hand. */
struct entry {
	const struct run_result *r;
	const struct job_result *j;
	const struct dir_result *d;
};

struct field {
	const char *name, *unit, *help; /* a name NULL ends a section */
};

/* Every field starts with a semicolon; the very first one of the line is taken off. */
struct section {
	unsigned versions;
	void (*add)(const struct entry *, struct strbuf *out);
	struct field fields[FIELDS_MAX];
};

/* A name must not add fields or lines; fio lets it. */
static void add_name(const char *s, struct strbuf *out)
{
	strbuf_putc(out, ';');
	for (; *s; s++)
		strbuf_putc(out, *s == ';' || *s == '\n' ? '_' : *s);
}

static void add_program(const struct entry *e, struct strbuf *out)
{
	(void)e;
	strbuf_puts(out, ";" REPORT_VERSION);
}

static void add_identity(const struct entry *e, struct strbuf *out)
{
	add_name(e->j->spec->name, out);
	strbuf_addf(out, ";%u;%d", e->j->group, e->j->error);
}

static void add_rates(const struct entry *e, struct strbuf *out)
{
	const struct dir_result *d = e->d;

	strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, d->st.bytes / 1024,
		    d->bw_bytes / 1024, (uint64_t)d->iops, d->runtime_ms);
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

static void add_slat(const struct entry *e, struct strbuf *out)
{
	add_moments(figures_has_slat(e->j, e->d) ? &e->d->st.slat : NULL, out);
}

static void add_clat(const struct entry *e, struct strbuf *out)
{
	add_moments(&e->d->st.clat.m, out);
}

static void add_lat(const struct entry *e, struct strbuf *out)
{
	add_moments(&e->d->st.lat.m, out);
}

static void add_percentiles(const struct entry *e, struct strbuf *out)
{
	const struct percentile_list *l = &e->j->spec->percentile_list;
	struct lat_view v[VIEW_NR], *shown;
	uint64_t ns[PERCENTILES_MAX] = {0};

	figures_lat(e->j, e->d, v);
	shown = &v[v[VIEW_LAT].h ? VIEW_LAT : VIEW_CLAT];
	if (shown->h)
		pct_values(shown->h, shown->m, l, ns);
	for (unsigned i = 0; i < PERCENTILES_MAX; i++) {
		if (shown->h && i < l->n)
			strbuf_addf(out, ";%s%%=%" PRIu64, num_real(l->v[i], 0, 6).s, ns[i] / 1000);
		else
			strbuf_puts(out, ";0%=0");
	}
}

static void add_bw(const struct entry *e, struct strbuf *out)
{
	const struct samples *s = &e->d->bw_kib;

	if (s->n)
		strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%s%%;%s;%s", s->min, s->max,
			    num_real(e->d->bw_agg_pct, 0, 6).s, num_real(s->mean, 0, 6).s,
			    num_real(samples_stddev(s), 0, 6).s);
	else
		strbuf_puts(out, ";0;0;0.000000%;0.000000;0.000000");
}

static void add_samples(const struct entry *e, struct strbuf *out)
{
	static const struct samples none;
	const struct samples *s = e->d->iops_s.n ? &e->d->iops_s : &none;

	strbuf_addf(out, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%s;%s;%" PRIu64, e->d->bw_kib.n,
		    s->min, s->max, num_real(s->mean, 0, 6).s, num_real(samples_stddev(s), 0, 6).s,
		    s->n);
}

static void add_cpu(const struct entry *e, struct strbuf *out)
{
	const struct job_result *j = e->j;

	strbuf_addf(out, ";%s%%;%s%%;%" PRIu64 ";%" PRIu64 ";%" PRIu64,
		    num_real(j->usr_pct, 0, 6).s, num_real(j->sys_pct, 0, 6).s, j->ctx, j->majf,
		    j->minf);
}

static void add_shares(const double *pct, unsigned n, int decimals, struct strbuf *out)
{
	for (unsigned i = 0; i < n; i++)
		strbuf_addf(out, ";%s%%", num_real(pct[i], 3, decimals).s);
}

static void add_depths(const struct entry *e, struct strbuf *out)
{
	double pct[DEPTH_CELLS];

	cell_shares(e->j->depth, DEPTH_CELLS, CELL_FLOOR_DEPTH, pct);
	add_shares(pct, DEPTH_CELLS, 1, out);
}

/* The format is older than fio's nanoseconds: all their cells are added to the first one of us. */
static void lat_shares(const struct entry *e, double pct[LAT_CELLS])
{
	cell_shares(e->j->cells, LAT_CELLS, CELL_FLOOR_LAT, pct);
	for (unsigned i = 0; i < LAT_CELLS_NS; i++)
		pct[LAT_CELLS_NS] += pct[i];
}

static void add_us_cells(const struct entry *e, struct strbuf *out)
{
	double pct[LAT_CELLS];

	lat_shares(e, pct);
	add_shares(pct + LAT_CELLS_NS, LAT_CELLS_US, 2, out);
}

static void add_ms_cells(const struct entry *e, struct strbuf *out)
{
	double pct[LAT_CELLS];

	lat_shares(e, pct);
	add_shares(pct + LAT_CELLS_NS + LAT_CELLS_US, LAT_CELLS_MS, 2, out);
}

static void add_disk_figures(const char *name, const struct disk_result *d, struct strbuf *out)
{
	strbuf_addf(out,
		    ";%s;%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
		    ";%" PRIu64 ";%s%%",
		    name, d->ios[0], d->ios[1], d->merges[0], d->merges[1], d->ticks_ms[0],
		    d->ticks_ms[1], d->in_queue_ms, num_real(d->util_pct, 3, 2).s);
}

static void add_disks(const struct entry *e, struct strbuf *out)
{
	const struct run_result *r = e->r;

	for (size_t i = 0; i < r->n_disks; i++) {
		add_disk_figures(r->disks[i].name, &r->disks[i], out);
		if (r->disks[i].n_slaves) {
			struct disk_result slaves = disk_slaves(&r->disks[i]);

			add_disk_figures("slaves", &slaves, out);
		}
	}
}

static void add_errors(const struct entry *e, struct strbuf *out)
{
	if (figures_tells_errors(e->j->spec))
		strbuf_addf(out, ";%" PRIu64 ";%d", figures_errors(e->j), e->j->first_error);
}

static void add_description(const struct entry *e, struct strbuf *out)
{
	const char *text = e->j->spec->description;
	char *both = NULL;

	if (e->j->simulated)
		both = text ? xasprintf("SIMULATED %s", text) : xstrdup("SIMULATED");
	if (both || text)
		add_name(both ? both : text, out);
	free(both);
}

static const struct section head_sections[] = {
	{V_DISKS, add_program, {{"program", NULL, "name and version of the program"}}},
	{V_ALL,
	 add_identity,
	 {{"jobname", NULL, "name of the job"},
	  {"groupid", NULL, "report group"},
	  {"error", NULL, "errno of the first error, 0"}}},
};

/* For each direction; names get its name in front. */
static const struct section dir_sections[] = {
	{V_ALL,
	 add_rates,
	 {{"kb", "KiB", "bytes transferred"},
	  {"bandwidth_kb", "KiB/s", "bytes over run time, truncated"},
	  {"iops", "1/s", "total over time: I/Os / run time, truncated"},
	  {"runtime_ms", "ms", "run time; of a group: the longest"}}},
	{V_ALL,
	 add_slat,
	 {{"slat_min_us", "us", "submission latency, shortest"},
	  {"slat_max_us", "us", "longest"},
	  {"slat_mean_us", "us", "mean"},
	  {"slat_dev_us", "us", "standard deviation"}}},
	{V_ALL,
	 add_clat,
	 {{"clat_min_us", "us", "completion latency, shortest"},
	  {"clat_max_us", "us", "longest"},
	  {"clat_mean_us", "us", "mean"},
	  {"clat_dev_us", "us", "standard deviation"}}},
	{V_ALL,
	 add_percentiles,
	 {{"clat_pct01", "us",
	   "P%=V: P % are at most V; 0%=0: unused; of lat with lat_percentiles"},
	  {"clat_pct02", "us", ""},
	  {"clat_pct03", "us", ""},
	  {"clat_pct04", "us", ""},
	  {"clat_pct05", "us", ""},
	  {"clat_pct06", "us", ""},
	  {"clat_pct07", "us", ""},
	  {"clat_pct08", "us", ""},
	  {"clat_pct09", "us", ""},
	  {"clat_pct10", "us", ""},
	  {"clat_pct11", "us", ""},
	  {"clat_pct12", "us", ""},
	  {"clat_pct13", "us", ""},
	  {"clat_pct14", "us", ""},
	  {"clat_pct15", "us", ""},
	  {"clat_pct16", "us", ""},
	  {"clat_pct17", "us", ""},
	  {"clat_pct18", "us", ""},
	  {"clat_pct19", "us", ""},
	  {"clat_pct20", "us", ""}}},
	{V_ALL,
	 add_lat,
	 {{"lat_min_us", "us", "total latency, shortest"},
	  {"lat_max_us", "us", "longest"},
	  {"lat_mean_us", "us", "mean"},
	  {"lat_dev_us", "us", "standard deviation"}}},
	{V_ALL,
	 add_bw,
	 {{"bw_min_kb", "KiB/s", "samples of 500 ms, lowest"},
	  {"bw_max_kb", "KiB/s", "highest"},
	  {"bw_agg_pct", "%", "their mean in percent of the group's bandwidth"},
	  {"bw_mean_kb", "KiB/s", "mean"},
	  {"bw_dev_kb", "KiB/s", "standard deviation"}}},
	{V5,
	 add_samples,
	 {{"bw_samples", NULL, "how many; windows without I/O are not counted"},
	  {"iops_min", "1/s", "samples of 500 ms, lowest"},
	  {"iops_max", "1/s", "highest"},
	  {"iops_mean", "1/s", "mean of the samples"},
	  {"iops_dev", "1/s", "standard deviation"},
	  {"iops_samples", NULL, "how many"}}},
};

static const struct section tail_sections[] = {
	{V_ALL,
	 add_cpu,
	 {{"cpu_user", "%", "of one CPU, the average of the jobs"},
	  {"cpu_sys", "%", "the same, in the kernel"},
	  {"cpu_csw", NULL, "context switches"},
	  {"cpu_mjf", NULL, "major page faults"},
	  {"cpu_minf", NULL, "minor page faults"}}},
	{V_ALL,
	 add_depths,
	 {{"iodepth_1", "%", "I/Os issued with this many in flight"},
	  {"iodepth_2", "%", "2 to 3"},
	  {"iodepth_4", "%", "4 to 7"},
	  {"iodepth_8", "%", "8 to 15"},
	  {"iodepth_16", "%", "16 to 31"},
	  {"iodepth_32", "%", "32 to 63"},
	  {"iodepth_64", "%", "64 and more"}}},
	{V_ALL,
	 add_us_cells,
	 {{"lat_2us", "%", "I/Os whose completion latency is below this, all of below 1 us too"},
	  {"lat_4us", "%", "from the last bound to below this one"},
	  {"lat_10us", "%", ""},
	  {"lat_20us", "%", ""},
	  {"lat_50us", "%", ""},
	  {"lat_100us", "%", ""},
	  {"lat_250us", "%", ""},
	  {"lat_500us", "%", ""},
	  {"lat_750us", "%", ""},
	  {"lat_1000us", "%", ""}}},
	{V_ALL,
	 add_ms_cells,
	 {{"lat_2ms", "%", ""},
	  {"lat_4ms", "%", ""},
	  {"lat_10ms", "%", ""},
	  {"lat_20ms", "%", ""},
	  {"lat_50ms", "%", ""},
	  {"lat_100ms", "%", ""},
	  {"lat_250ms", "%", ""},
	  {"lat_500ms", "%", ""},
	  {"lat_750ms", "%", ""},
	  {"lat_1000ms", "%", ""},
	  {"lat_2000ms", "%", ""},
	  {"lat_over_2000ms", "%", "2 s and more"}}},
};

/* As many times as there are disks; of a stacked one once more, "slaves": the average of its members. */
static const struct section disk_section = {
	V_DISKS,
	add_disks,
	{{"disk_name", NULL,
	  "once for every disk; after a stacked one its members' average, \"slaves\""},
	 {"disk_read_iops", NULL, "reads the disk completed"},
	 {"disk_write_iops", NULL, "writes"},
	 {"disk_read_merges", NULL, "reads merged with others"},
	 {"disk_write_merges", NULL, "writes"},
	 {"disk_read_ticks", "ms", "time spent in reads, summed"},
	 {"disk_write_ticks", "ms", "in writes"},
	 {"disk_queue_time", "ms", "in both, weighted by how many were waiting"},
	 {"disk_util", "%", "of the time with at least one request in the disk"}}};

static const struct section last_sections[] = {
	{V_ALL,
	 add_errors,
	 {{"total_err", NULL, "I/Os that failed; only with continue_on_error or ignore_error"},
	  {"first_error", NULL, "errno of the first of them, 0; likewise"}}},
	{V_ALL, add_description, {{"description", NULL, "the text of description=, when given"}}},
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Calls f for every section of a version in order. op IO_OP_NR: not of a direction. */
static void walk(unsigned version, void (*f)(void *arg, const struct section *, unsigned op),
		 void *arg)
{
	const unsigned v = 1u << version;

	for (size_t i = 0; i < N(head_sections); i++)
		if (head_sections[i].versions & v)
			f(arg, &head_sections[i], IO_OP_NR);
	for (unsigned op = 0; op < IO_OP_NR; op++)
		for (size_t i = 0; i < N(dir_sections); i++)
			if ((dir_sections[i].versions & v) && (op != IO_TRIM || (V_TRIM & v)))
				f(arg, &dir_sections[i], op);
	for (size_t i = 0; i < N(tail_sections); i++)
		if (tail_sections[i].versions & v)
			f(arg, &tail_sections[i], IO_OP_NR);
	if (disk_section.versions & v)
		f(arg, &disk_section, IO_OP_NR);
	for (size_t i = 0; i < N(last_sections); i++)
		f(arg, &last_sections[i], IO_OP_NR);
}

struct line_writer {
	struct entry e;
	struct strbuf *out;
};

static void write_section(void *arg, const struct section *s, unsigned op)
{
	static const struct dir_result none;
	struct line_writer *w = arg;

	if (op < IO_OP_NR)
		w->e.d = &w->e.j->dir[op];
	/* fio leaves the other directions out, and so moves every field behind them. */
	if (op < IO_OP_NR && !figures_apart(w->e.j))
		w->e.d = op == IO_READ ? w->e.j->mixed : &none;
	s->add(&w->e, w->out);
}

void terse_add_line(const struct run_result *r, const struct job_result *j, unsigned version,
		    struct strbuf *out)
{
	struct line_writer w = {.e = {.r = r, .j = j}, .out = out};

	strbuf_addf(out, "%u", version);
	walk(version, write_section, &w);
	strbuf_putc(out, '\n');
}

struct help_writer {
	struct strbuf *out;
	unsigned index;
};

static void help_section(void *arg, const struct section *s, unsigned op)
{
	struct help_writer *w = arg;

	for (const struct field *f = s->fields; f < s->fields + FIELDS_MAX && f->name; f++) {
		char name[40];

		snprintf(name, sizeof(name), "%s%s%s",
			 op < IO_OP_NR ? io_op_name((enum io_op)op) : "", op < IO_OP_NR ? "_" : "",
			 f->name);
		strbuf_addf(w->out, "%4u  %-20s %-6s%s%s\n", ++w->index, name,
			    f->unit ? f->unit : "-", f->help[0] ? " " : "", f->help);
	}
}

void terse_help(unsigned version, struct strbuf *out)
{
	struct help_writer w = {.out = out, .index = 1};

	strbuf_addf(out, "   1  %-20s %-6s version of this format: %u\n", "terse_version", "-",
		    version);
	walk(version, help_section, &w);
}

static void terse_run(const struct run_result *r, const struct report_how *how, struct strbuf *out)
{
	unsigned version = how->terse_version ? how->terse_version : TERSE_VERSION;

	for (size_t i = 0; i < r->n_jobs; i++)
		terse_add_line(r, &r->jobs[i], version, out);
}

const struct report_ops report_terse = {
	.name = "terse",
	.summary = "one line per job, fields separated by semicolons",
	.format = FORMAT_TERSE,
	.run = terse_run,
};
