#include "src/out/figures.h"

#include <math.h>

void pct_values(const struct hist *h, const struct moments *m, const struct percentile_list *l,
		uint64_t ns[PERCENTILES_MAX])
{
	hist_percentiles(h, l->v, l->n, m->min_ns, m->max_ns, ns);
}

void figures_lat(const struct job_result *j, const struct dir_result *d, struct lat_view v[VIEW_NR])
{
	static const struct moments none;
	const struct job_spec *js = j->spec;
	bool any = js->percentile_list.n && !js->gtod_reduce, slat = figures_has_slat(j, d);

	v[VIEW_SLAT] = (struct lat_view){"slat", slat ? &d->st.slat : &none,
					 any && slat && js->slat_percentiles ? d->slat_h : NULL};
	v[VIEW_CLAT] = (struct lat_view){
		"clat", &d->st.clat.m,
		any && js->clat_percentiles && !js->disable_clat ? &d->st.clat.h : NULL};
	v[VIEW_LAT] = (struct lat_view){
		"lat", &d->st.lat.m,
		any && js->lat_percentiles && !js->disable_lat ? &d->st.lat.h : NULL};
}

bool figures_sync_percentiles(const struct job_spec *js)
{
	return js->percentile_list.n && (js->clat_percentiles || js->lat_percentiles);
}

const char *const cell_depth_labels[DEPTH_CELLS] = {"1", "2", "4", "8", "16", "32", ">=64"};
const char *const cell_call_labels[DEPTH_CELLS] = {"0", "4", "8", "16", "32", "64", ">=64"};
const char *const cell_lat_labels[LAT_CELLS_MS] = {"2",   "4",   "10",  "20",   "50",   "100",
						   "250", "500", "750", "1000", "2000", ">=2000"};

const struct lat_group lat_groups[3] = {
	{"latency_ns", "nsec", 0, LAT_CELLS_NS},
	{"latency_us", "usec", LAT_CELLS_NS, LAT_CELLS_US},
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

bool figures_has_slat(const struct job_result *j, const struct dir_result *d)
{
	return !j->sync_engine && d->st.slat.n > 0;
}

bool figures_tells_errors(const struct job_spec *js)
{
	return js->continue_on_error || js->ignore_error;
}

uint64_t figures_errors(const struct job_result *j)
{
	return j->dir[IO_READ].st.errors + j->dir[IO_WRITE].st.errors + j->dir[IO_TRIM].st.errors;
}

uint32_t figures_latency_depth(const struct job_result *j)
{
	return j->search.state == SEARCH_NONE ? j->spec->iodepth : j->search.depth;
}

bool figures_apart(const struct job_result *j)
{
	return !j->mixed || j->spec->unified_rw_reporting != UNIFIED_MIXED;
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
