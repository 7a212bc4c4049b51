/* The text that names a simulated device: what it may say, and what is said when it is wrong. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_devices.h"
#include "engines/sim_target.h"
#include "src/base/clock.h"
#include "tests/unit/sim_curves.h"

static struct sim_params params(const char *target)
{
	struct sim_params p;
	struct err e = {0};

	cr_assert_eq(sim_target_parse(target, &p, &e), 0, "%s", e.msg);
	return p;
}

Test(sim_target, changes_what_it_names)
{
	struct sim_params p = params("sim:nvme?channels=8&seed=7&stall=2s/30ms&tail=0.1%/5ms");

	cr_expect_eq(p.path[IO_READ].units, 8);
	cr_expect_eq(p.seed, 7);
	cr_expect_eq(p.stall.period_ns, 2 * NSEC_PER_SEC);
	cr_expect_eq(p.stall.length_ns, 30 * NSEC_PER_MSEC);
	cr_expect(near(p.path[IO_READ].unit.tail, 0.001, 1e-9));
	cr_expect_eq(p.path[IO_READ].unit.tail_ns, 5 * NSEC_PER_MSEC);
	p = params("sim:sata?lat=80us&tags=1&size=1g&bw=100m&mix=25%&spread=0.5");
	cr_expect_eq(p.path[IO_READ].unit.mean_ns, 80 * NSEC_PER_USEC);
	cr_expect_eq(p.tags, 1);
	cr_expect_eq(p.size_bytes, 1ull << 30);
	cr_expect_eq(p.path[IO_READ].link_bps, 100ull << 20);
	cr_expect(near(p.mix.share, 0.25, 1e-9));
	cr_expect(near(p.path[IO_READ].unit.sigma, 0.5, 1e-9));
	for (size_t i = 0; sim_devices[i]; i++) {
		char text[64];

		snprintf(text, sizeof(text), "sim:%s", sim_devices[i]->name);
		params(text);
	}
}

Test(sim_target, says_what_is_wrong_and_what_is_known)
{
	/* clang-format off */
	static const struct {
		const char *text, *says, *too;
	} bad[] = {
		{"nvme", "sim:NAME", ""},
		{"/dev/sda", "sim:NAME", ""},
		{"sim:", "known: hdd", "nvme5"},
		{"sim:nvmee", "'nvmee'", "known: hdd"},
		{"sim:NVME", "'NVME'", "known:"},
		{"sim:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "known: hdd", ""},
		{"sim:nvme?", "known: channels", "stall"},
		{"sim:nvme?foo=1", "'foo'", "known: channels"},
		{"sim:nvme?aaaaaaaaaaaaaaaaaaaaaaaaaaaa=1", "known: channels", ""},
		{"sim:nvme?channels", "wants a value", ""},
		{"sim:nvme?channels=", "wants a value", ""},
		{"sim:nvme?channels=0", "channels=0", "1"},
		{"sim:nvme?channels=1025", "channels=1025", "1024"},
		{"sim:nvme?channels=-1", "channels=-1", ""},
		{"sim:nvme?channels=8&", "known: channels", ""},
		{"sim:nvme?channels=8&&seed=1", "known: channels", ""},
		{"sim:nvme?channels=8?seed=1", "channels=8?seed=1", ""},
		{"sim:nvme?tags=0", "tags=0", ""},
		{"sim:nvme?seed=x", "seed=x", ""},
		{"sim:nvme?lat=80parsec", "lat=80parsec", ""},
		{"sim:nvme?lat=5s", "lat=5s", ""},
		{"sim:nvme?stall=2s", "stall=2s", "PERIOD/LENGTH"},
		{"sim:nvme?stall=30ms/2s", "stall=30ms/2s", "shorter"},
		{"sim:nvme?stall=2s/2s", "stall=2s/2s", "shorter"},
		{"sim:nvme?tail=2/5ms", "tail=2/5ms", "share"},
		{"sim:nvme?tail=nan/5ms", "tail=nan/5ms", "share"},
		{"sim:nvme?mix=101%", "mix=101%", "100%"},
		{"sim:nvme?mix=-1", "mix=-1", ""},
		{"sim:nvme?mix=0.5x", "mix=0.5x", ""},
		{"sim:nvme?size=1", "size=1", ""},
		{"sim:sata?slc=1g", "slowbw", ""},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct sim_params p;
		struct err e = {0};

		cr_expect(sim_target_parse(bad[i].text, &p, &e) < 0, "%s was taken", bad[i].text);
		cr_expect(strstr(e.msg, bad[i].says) && strstr(e.msg, bad[i].too), "%s gave: %s",
			  bad[i].text, e.msg);
		cr_expect_null(strchr(e.msg, '\n'));
		cr_expect(e.code > 0);
	}
}

Test(sim_target, refuses_a_value_of_any_length)
{
	char text[2000] = "sim:nvme?seed=";
	struct sim_params p;
	struct err e = {0};

	memset(text + strlen(text), '1', 1000);
	cr_expect_eq(sim_target_parse(text, &p, &e), -EINVAL);
	cr_expect(strstr(e.msg, "too long"), "%s", e.msg);
}

Test(sim_target, every_key_has_a_place_and_prints_what_it_reads)
{
	for (const struct option_def *o = sim_target_options; o->name; o++) {
		struct sim_params a = params("sim:nvme?stall=1s/10ms&tail=1%/1ms"), b = a;
		struct strbuf text = {0};

		cr_expect(o->help && *o->help, "%s", o->name);
		option_print(o, &a, &text);
		if (o->type != OPT_TIME && o->type != OPT_CUSTOM)
			cr_expect(option_set(o, &b, strbuf_str(&text), 1024, NULL) == 0 ||
					  !strcmp(strbuf_str(&text), "0"),
				  "%s=%s", o->name, strbuf_str(&text));
		strbuf_fini(&text);
	}
}
