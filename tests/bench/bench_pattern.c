/* Which block next, read or write next, what time is it: all that the loop asks for an I/O. */
#include "src/base/clock.h"
#include "src/run/mix.h"
#include "src/run/pattern.h"
#include "tests/bench/bench.h"

#define REGION_BYTES (1ull << 40)
#define BS_BYTES     4096u
#define N            2000000u

static void pattern_one(void *arg, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += pattern_next(arg, IO_READ);
	bench_keep(sum);
}

static void permutation_one(void *arg, uint64_t n)
{
	const struct permutation *p = arg;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += permutation_at(p, i & (p->n - 1));
	bench_keep(sum);
}

static void mix_one(void *arg, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += mix_next(arg);
	bench_keep(sum);
}

static void clock_one(void *arg, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += clock_now_ns(arg);
	bench_keep(sum);
}

static void bench_pattern(const char *name, bool random, bool repeats)
{
	static struct pattern p;
	struct pattern_cfg c = {
		.len_bytes = REGION_BYTES,
		.bs_bytes = {BS_BYTES, BS_BYTES, BS_BYTES},
		.random = random,
		.repeats = repeats,
		.rand_every = 1,
		.seed = 1,
	};

	pattern_init(&p, &c);
	bench_run(name, N, pattern_one, &p);
}

int main(void)
{
	struct permutation p;
	struct mix m;

	bench_pattern("pattern_next_seq", false, false);
	bench_pattern("pattern_next_random", true, false);
	bench_pattern("pattern_next_norandommap", true, true);
	permutation_init(&p, REGION_BYTES / BS_BYTES, 1);
	bench_run("permutation", N, permutation_one, &p);
	mix_init(&m, IO_BIT(IO_READ) | IO_BIT(IO_WRITE), 70, 1);
	bench_run("mix_70_30", N, mix_one, &m);
	mix_init(&m, IO_BIT(IO_READ), 100, 1);
	bench_run("mix_reads", N, mix_one, &m);
	bench_run("clock", N, clock_one, &clock_real);
	return 0;
}
