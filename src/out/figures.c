#include "src/out/figures.h"

#include <math.h>
#include <stdlib.h>

const struct pct_list pct_default = {
	.p = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99},
	.n = 17,
};

static int double_cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void pct_list_set(struct pct_list *l, const double *p, unsigned n)
{
	*l = (struct pct_list){.n = n < PCT_MAX ? n : PCT_MAX};
	for (unsigned i = 0; i < l->n; i++)
		l->p[i] = p[i];
	qsort(l->p, l->n, sizeof(l->p[0]), double_cmp);
	n = l->n;
	l->n = 0;
	for (unsigned i = 0; i < n; i++)
		if (l->n == 0 || l->p[i] > l->p[l->n - 1])
			l->p[l->n++] = l->p[i];
}

void pct_values(const struct lat_dist *d, const struct pct_list *l, uint64_t ns[PCT_MAX])
{
	hist_percentiles(&d->h, l->p, l->n, d->m.min_ns, d->m.max_ns, ns);
}

const char *const cell_depth_labels[DEPTH_CELLS] = {"1", "2", "4", "8", "16", "32", ">=64"};
const char *const cell_call_labels[DEPTH_CELLS] = {"0", "4", "8", "16", "32", "64", ">=64"};
const char *const cell_lat_labels[LAT_CELLS_MS] = {"2",	  "4",	 "10",	"20",	"50",	"100",
						   "250", "500", "750", "1000", "2000", ">=2000"};

const struct lat_group lat_groups[3] = {
	{"latency_ns", "nsec", 0,				  LAT_CELLS_NS},
	{"latency_us", "usec", LAT_CELLS_NS,		     LAT_CELLS_US},
	{"latency_ms", "msec", LAT_CELLS_NS + LAT_CELLS_US, LAT_CELLS_MS},
};

void cell_shares(const uint64_t *n, unsigned count, double floor, double *pct)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += n[i];
	for (unsigned i = 0; i < count; i++) {
		pct[i] = sum ? 100.0 * (double)n[i] / (double)sum : 0;
		if (n[i] && pct[i] < floor)
			pct[i] = floor;
	}
}

const char *const lat_unit_word[] = {"nsec", "usec", "msec"};

enum lat_unit lat_unit_pick(uint64_t min_ns, uint64_t max_ns, double stdev_ns)
{
	if (min_ns > 2000000 && max_ns > 99999999 && stdev_ns > 1e6)
		return LAT_MSEC;
	if (min_ns > 2000 && max_ns > 99999 && stdev_ns > 1e3)
		return LAT_USEC;
	return LAT_NSEC;
}

bool figures_has_slat(const struct job_result *j, enum io_op op)
{
	return !j->sync_engine && j->dir[op].st.slat.n > 0;
}

struct disk_result disk_slaves(const struct disk_result *master)
{
	struct disk_result a = {.util_pct = NAN};
	unsigned n = master->n_slaves;

	for (const struct disk_result *d = master + 1; d <= master + n; d++) {
		for (unsigned w = 0; w < 2; w++) {
			a.ios[w] += d->ios[w];
			a.merges[w] += d->merges[w];
			a.ticks_ms[w] += d->ticks_ms[w];
		}
		a.in_queue_ms += d->in_queue_ms;
		a.util_pct = fmax(a.util_pct, d->util_pct); /* an unknown one does not count */
	}
	for (unsigned w = 0; w < 2 && n; w++) {
		a.ios[w] /= n;
		a.merges[w] /= n;
		a.ticks_ms[w] /= n;
	}
	if (n)
		a.in_queue_ms /= n;
	return a;
}
