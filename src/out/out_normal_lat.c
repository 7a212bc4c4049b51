#include "src/out/out_normal.h"

#include <math.h>
#include <stdio.h>

#include "src/out/num.h"

#define CELLS_PER_LINE 5
#define PCT_LINE_WIDTH 73 /* columns for cells; a cell is a label, a value and ten characters */

static const uint64_t unit_ns[] = {1, 1000, 1000000};

void normal_add_latency(const char *name, const struct moments *m, struct strbuf *out)
{
	double mean = moments_mean(m), stdev = moments_stddev(m);
	enum lat_unit unit = lat_unit_pick(m->min_ns, m->max_ns, stdev);
	uint64_t div = unit_ns[unit];

	if (m->n == 0)
		return;
	strbuf_addf(out, "    %4s (%s): min=%s, max=%s, avg=%s, stdev=%s\n", name,
		    lat_unit_word[unit], num_count(m->min_ns / div, NUM_LAT_FIGS).s,
		    num_count(m->max_ns / div, NUM_LAT_FIGS).s,
		    num_real(mean / (double)div, 5, 2).s, num_real(stdev / (double)div, 5, 2).s);
}

/* The most decimals any label needs, at least fio's two. */
static int pct_precision(const struct percentile_list *l)
{
	int most = 2;

	for (unsigned i = 0; i < l->n; i++) {
		struct num text = num_real(l->v[i], 0, 6);
		int used = 6, at = 0;

		while (text.s[at + 1])
			at++;
		while (used > most && text.s[at] == '0') {
			used--;
			at--;
		}
		if (used > most)
			most = used;
	}
	return most;
}

/* Rounds up at each step of a thousand, as fio does: a percentile never looks better than it was. */
static uint64_t scale_up(uint64_t ns, enum lat_unit unit)
{
	for (unsigned i = 0; i < unit; i++)
		ns = ns / 1000 + (ns % 1000 != 0);
	return ns;
}

/* fio takes the width from the largest value before it is rounded up. */
static int value_width(uint64_t largest)
{
	int n = snprintf(NULL, 0, "%llu", (unsigned long long)largest);

	return n > 5 ? n : 5;
}

void normal_add_percentiles(const struct lat_view *v, const struct percentile_list *l,
			    struct strbuf *out)
{
	uint64_t ns[PERCENTILES_MAX];
	int precision = pct_precision(l), width;
	enum lat_unit unit;
	unsigned per_line;

	if (l->n == 0 || v->m->n == 0 || !v->h)
		return;
	pct_values(v->h, v->m, l, ns);
	unit = lat_unit_pick(ns[0], ns[l->n - 1], INFINITY);
	width = value_width(ns[l->n - 1] / unit_ns[unit]);
	per_line = (unsigned)(PCT_LINE_WIDTH / (precision + 10 + width));
	strbuf_addf(out, "    %s percentiles (%s):\n", v->name, lat_unit_word[unit]);
	for (unsigned i = 0; i < l->n; i++) {
		bool last = i + 1 == l->n, wrap = (i + 1) % per_line == 0;

		if (i % per_line == 0)
			strbuf_puts(out, "     |");
		strbuf_addf(out, " %sth=[%*llu]%s%s", num_real(l->v[i], precision + 3, precision).s,
			    width, (unsigned long long)scale_up(ns[i], unit), last ? "" : ",",
			    last || wrap ? "\n" : "");
	}
}

static void add_group_cells(const struct lat_group *g, const double *pct, struct strbuf *out)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < g->count; i++) {
		if (pct[g->first + i] <= 0)
			continue;
		if (shown % CELLS_PER_LINE == 0)
			strbuf_addf(out, "%s  lat (%s)   : ", shown ? "\n" : "", g->unit);
		else
			strbuf_puts(out, ", ");
		strbuf_addf(out, "%s=%s%%", cell_lat_labels[i],
			    num_real(pct[g->first + i], 3, 2).s);
		shown++;
	}
	if (shown)
		strbuf_putc(out, '\n');
}

void normal_add_lat_cells(const uint64_t cells[LAT_CELLS], struct strbuf *out)
{
	double pct[LAT_CELLS];

	cell_shares(cells, LAT_CELLS, CELL_FLOOR_LAT, pct);
	for (unsigned g = 0; g < sizeof(lat_groups) / sizeof(lat_groups[0]); g++)
		add_group_cells(&lat_groups[g], pct, out);
}
