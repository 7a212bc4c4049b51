/*
 * The real binary under a storm of resizes and under a monkey, on a pty: a plain main, so that the binary
 * can be one of TSan's. VT_MONKEY_S=60 plays longer, VT_SEED=n plays the same again, VT_MONKEY_REPLAY=file
 * plays the keys of a failure, VT_RESIZES=n.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/rng.h"
#include "tests/pty/deck.h"
#include "tests/pty/monkey.h"

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void storm(struct deck *d, struct rng *r, unsigned n)
{
	static const int odd[][2] = {{1, 1}, {2, 200}, {200, 2}, {300, 90}};

	for (unsigned i = 0; i < n; i++) {
		uint64_t k = rng_below(r, 20);

		if (k < 4)
			vt_resize(d->vt, odd[k][0], odd[k][1]);
		else
			vt_resize(d->vt, 1 + (int)rng_below(r, 180), 1 + (int)rng_below(r, 60));
		vt_wait_exit(d->vt, 5 + (int)rng_below(r, 10));
	}
	vt_resize(d->vt, 80, 24);
}

/* After all of them the picture is what is meant, the run is on, and keys work. */
static bool resizes(uint64_t seed, unsigned n)
{
	struct deck d;
	struct rng r;
	bool ok;

	rng_seed(&r, seed);
	deck_start(&d, &(struct deck_cfg){.target = "sim:nvme"});
	ok = deck_run(&d);
	if (ok)
		storm(&d, &r, n);
	ok = ok && deck_live_screen_is_right(&d, "after the storm");
	vt_send(d.vt, "]");
	ok = ok && deck_shows(&d, "qd[64]");
	vt_send(d.vt, "qs");
	ok = ok && vt_wait_exit(d.vt, 2 * PATIENCE_MS) == 0;
	deck_end(&d);
	printf("resizes: seed %llu, %u: %s\n", (unsigned long long)seed, n, ok ? "ok" : "FAILED");
	return ok;
}

int main(void)
{
	uint64_t seed = number("VT_SEED", clock_mono_ns() / 1000);
	const struct monkey_cfg monkey = {
		.seed = seed,
		.seconds = (unsigned)number("VT_MONKEY_S", 5),
		.replay = getenv("VT_MONKEY_REPLAY"),
	};
	bool ok = monkey.replay || resizes(seed, (unsigned)number("VT_RESIZES", 500));

	return monkey_run(&monkey) && ok ? 0 : 1;
}
