#include "src/base/tsc.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"

#define SOURCE_FILE  "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define CPUINFO_FILE "/proc/cpuinfo"

#define CALIBRATE_NS (3 * NSEC_PER_MSEC)
#define AGAIN_NS     (50 * NSEC_PER_MSEC)
#define MEET_NS      NSEC_PER_SEC
/*
 * The kernel slews its clock by 500 ppm at most; what the line is off by beyond that, and beyond the noise
 * of a reading, is not the clock's rate but a counter that jumped.
 */
#define NOISE_NS 20000u
#define SLEW_PPM 1000u
/* A reading of both clocks that took longer than this was interrupted. */
#define PAIR_TRIES    8
#define PAIR_WIDTH_NS 2000u

struct tsc_clock tsc_clock;

static struct {
	pthread_mutex_t lock;
	bool tried;           /* start was called; what it found does not change */
	struct tsc_pair last; /* tsc 0: none */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_word(const char *words, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) && at < end; at += n)
		if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\n' || at[n] == '\0'))
			return true;
	return false;
}

bool tsc_is_reliable(const char *cpuinfo, const char *source)
{
	const char *flags = strstr(cpuinfo, "\nflags"), *end;

	if (!flags)
		return false;
	end = strchr(++flags, '\n');
	if (!end)
		end = flags + strlen(flags);
	if (!has_word(flags, end, "constant_tsc") || !has_word(flags, end, "nonstop_tsc"))
		return false;
	return strncmp(source, "tsc\n", 4) == 0 || strcmp(source, "tsc") == 0 ||
	       has_word(flags, end, "tsc_reliable");
}

/* The beginning of a file that the kernel makes; "" when there is none. */
static void read_start(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
}

/* Both clocks at one instant: the tightest of a few tries. False: each was interrupted. */
static bool read_pair(struct tsc_pair *p)
{
	uint64_t best = UINT64_MAX, ns_before = clock_mono_ns(), tsc_before = tsc_read(), ns, tsc;

	for (unsigned i = 0; i < PAIR_TRIES; i++) {
		uint64_t t0 = tsc_read(), at = clock_mono_ns(), t1 = tsc_read();

		if (t1 - t0 >= best)
			continue;
		best = t1 - t0;
		*p = (struct tsc_pair){.tsc = t0 + best / 2, .ns = at};
	}
	/* Ticks in ns without a known rate: by the rate of these few tries themselves. */
	ns = clock_mono_ns() - ns_before;
	tsc = tsc_read() - tsc_before;
	return tsc && (double)best * (double)ns / (double)tsc < PAIR_WIDTH_NS;
}

static void publish(uint64_t tsc0, uint64_t ns0, uint64_t mult)
{
	uint32_t gen = atomic_load(&tsc_clock.gen);
	struct tsc_line *l = &tsc_clock.line[(gen + 1) & 1];

	atomic_store(&l->tsc0, tsc0);
	atomic_store(&l->ns0, ns0);
	atomic_store(&l->mult, mult);
	atomic_store(&tsc_clock.gen, gen + 1);
}

static uint64_t rate_of(struct tsc_pair before, struct tsc_pair now, double bend)
{
	double ns_per_tick = (double)(now.ns - before.ns) / (double)(now.tsc - before.tsc);

	return (uint64_t)(ns_per_tick * bend * (double)(1ull << TSC_SHIFT));
}

enum tsc_verdict tsc_bend(struct tsc_pair before, struct tsc_pair now, uint64_t *tsc0,
			  uint64_t *ns0, uint64_t *mult)
{
	uint64_t line = tsc_line_ns(now.tsc, *tsc0, *ns0, *mult);
	int64_t off_ns = (int64_t)(now.ns - line);
	uint64_t off = (uint64_t)(off_ns < 0 ? -off_ns : off_ns);

	if (off > NOISE_NS + (now.ns - before.ns) / 1000000 * SLEW_PPM)
		return TSC_STRAY;
	*mult = rate_of(before, now, 1 + (double)off_ns / (double)MEET_NS);
	*tsc0 = now.tsc;
	*ns0 = line;
	return TSC_KEEP;
}

static void calibrate(void)
{
	struct tsc_pair a, b;

	if (!read_pair(&a))
		return;
	clock_sleep_until(&clock_real, a.ns + CALIBRATE_NS);
	if (!read_pair(&b) || b.tsc <= a.tsc)
		return;
	state.last = b;
	publish(b.tsc, b.ns, rate_of(a, b, 1));
}

void tsc_start(void)
{
	char cpuinfo[4096], source[64];

	if (!TSC_HERE)
		return;
	pthread_mutex_lock(&state.lock);
	if (!state.tried) {
		state.tried = true;
		read_start(CPUINFO_FILE, cpuinfo, sizeof(cpuinfo));
		read_start(SOURCE_FILE, source, sizeof(source));
		if (tsc_is_reliable(cpuinfo, source))
			calibrate();
	}
	pthread_mutex_unlock(&state.lock);
}

bool tsc_is_on(void)
{
	uint32_t gen = atomic_load(&tsc_clock.gen);

	return atomic_load(&tsc_clock.line[gen & 1].mult) != 0;
}

static void discipline(void)
{
	struct tsc_line *l = &tsc_clock.line[atomic_load(&tsc_clock.gen) & 1];
	uint64_t tsc0 = atomic_load(&l->tsc0), ns0 = atomic_load(&l->ns0),
		 mult = atomic_load(&l->mult);
	struct tsc_pair now;

	if (!mult || !read_pair(&now) || now.ns < state.last.ns + AGAIN_NS)
		return;
	if (now.tsc <= state.last.tsc || tsc_bend(state.last, now, &tsc0, &ns0, &mult) == TSC_STRAY)
		mult = 0;
	state.last = now;
	publish(tsc0, ns0, mult);
}

void tsc_discipline(void)
{
	if (pthread_mutex_trylock(&state.lock))
		return;
	discipline();
	pthread_mutex_unlock(&state.lock);
}
