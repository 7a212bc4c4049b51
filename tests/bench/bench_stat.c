/* What counting one I/O costs, and what reading the counters costs. */
#include <string.h>

#include "src/base/rng.h"
#include "src/stat/opstat.h"
#include "tests/bench/bench.h"

#define VALUES 4096u /* a power of two */

static uint64_t value_ns[VALUES];
static struct op_live live;
static struct op_stat copy, before, window;
static const struct hist_straddle *straddle;

/* Latencies of a fast disk: most near 80 us, a tail of some ms. */
static void make_values(void)
{
	struct rng r;

	rng_seed(&r, 1);
	for (unsigned i = 0; i < VALUES; i++)
		value_ns[i] = 60000 + rng_below(&r, 40000) + (i % 100 ? 0 : rng_below(&r, 4000000));
}

static void hist_one(void *arg, uint64_t n)
{
	struct hist_live *h = arg;

	for (uint64_t i = 0; i < n; i++)
		hist_live_add(h, hist_index(value_ns[i % VALUES]), 1);
}

static void op_one(void *arg, uint64_t n)
{
	struct op_live *o = arg;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = value_ns[i % VALUES];
		struct op_sample s = {
			.slat_ns = 500, .clat_ns = v - 500, .lat_ns = v, .bytes = 4096, .epoch = 7};

		op_live_add(o, straddle, &s);
	}
}

static void read_one(void *arg, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		op_live_read(arg, &copy);
		bench_keep(copy.ops);
	}
}

static void sub_one(void *arg, uint64_t n)
{
	(void)arg;
	for (uint64_t i = 0; i < n; i++) {
		op_stat_sub(&window, &copy, &before);
		bench_keep(window.ops);
	}
}

static void merge_one(void *arg, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		op_stat_merge(arg, &copy);
}

int main(void)
{
	static struct op_stat sum;

	straddle = hist_straddle_get();
	make_values();
	op_live_init(&live);
	bench_run("hist_add", 4000000, hist_one, &live.lat_h);
	bench_run("op_live_add", 4000000, op_one, &live);
	bench_run("op_live_read", 2000, read_one, &live);
	op_one(&live, VALUES);
	before = copy;
	op_live_read(&live, &copy);
	bench_run("op_stat_sub", 2000, sub_one, NULL);
	bench_run("op_stat_merge", 2000, merge_one, &sum);
	return 0;
}
