/*
 * Any bytes as /proc/diskstats: rows are whole, and no two readings give a rate that is negative or not a
 * number where it says it is known.
 */
#include <math.h>

#include "src/base/clock.h"
#include "src/dev/diskstats.h"
#include "tests/fuzz/proc_file.h"

static void check_number(double v)
{
	FUZZ_CHECK(isnan(v) || (isfinite(v) && v >= 0));
}

static void check_rate(const struct disk_counters *before, const struct disk_counters *now)
{
	struct disk_rate r;

	if (!diskstats_rate(before, now, NSEC_PER_SEC, &r))
		return;
	check_number(r.r_iops);
	check_number(r.w_iops);
	check_number(r.d_iops);
	check_number(r.r_bps);
	check_number(r.w_bps);
	check_number(r.r_await_ns);
	check_number(r.w_await_ns);
	check_number(r.aqu_sz);
	check_number(r.util_pct);
	check_number(r.inflight);
	FUZZ_CHECK(isnan(r.util_pct) || r.util_pct <= 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct diskstats s;
	struct disk_counters sum = {0}, d;

	FUZZ_CHECK(diskstats_read(proc_file_write("/proc/diskstats", data, size), 1, &s) == 0);
	for (size_t i = 0; i < s.n; i++) {
		const struct disk_counters *c = &s.v[i];

		FUZZ_CHECK(c->name[0] && memchr(c->name, '\0', sizeof(c->name)));
		FUZZ_CHECK(c->fields == 4 || c->fields >= 11);
		FUZZ_CHECK(diskstats_find(&s, c->major, c->minor));
		check_rate(&s.v[i ? i - 1 : 0], c);
		diskstats_sub(&s.v[0], c, &d);
		for (unsigned op = 0; op < 4; op++)
			FUZZ_CHECK(d.ios[op] <= c->ios[op] && d.sectors[op] <= c->sectors[op]);
		diskstats_add(&sum, &d);
	}
	return 0;
}
