/*
 * A session in virtual time under TSan and ASan: workers that share a device and workers that do not, retuned,
 * paused and stopped; twice, with the same numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_engines.h"
#include "src/base/turns.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define STEPS 20

static struct clock clock_of_run;

static const char *const words[] = {"--rw=randread",
				    "--time_based",
				    "--runtime=60",
				    "--name=a",
				    "--filename=sim:usb",
				    "--iodepth=4",
				    "--name=b",
				    "--filename=sim:hdd",
				    "--numjobs=3",
				    "--name=c",
				    "--filename=sim:sata?iops=3000"};

static struct tuning tuning_at(unsigned step)
{
	struct tuning t = {.jobs = 1 + step % 3, .qd = 1 + step * 7 % 40, .ops = IO_BIT(IO_READ)};

	t.random = true;
	t.read_pct = 100;
	for (unsigned k = 0; k < IO_OP_NR; k++)
		t.bs_bytes[k] = 4096;
	return t;
}

static void disturb(struct session *s)
{
	for (unsigned i = 0; i < STEPS; i++) {
		struct command pause = {.kind = CMD_PAUSE, .u.flag = i % 5 == 3};
		struct tuning t = tuning_at(i);
		struct err e;

		clock_sleep_until(&clock_of_run, clock_now_ns(&clock_of_run) + 37 * NSEC_PER_MSEC);
		session_tune(s, i % 2, &t, &e);
		session_feed(s)->ops->command(session_feed(s), &pause, &e);
	}
}

/* A number that any difference would change. */
static uint64_t run_once(struct err *e)
{
	struct session_cfg cfg = {.fsroot = "", .headroom = true, .clock = &clock_of_run};
	const struct run_result *r;
	char *argv[sizeof(words) / sizeof(words[0])];
	struct session *s;
	struct cmdline cmd;
	uint64_t sum = 0;
	int argc = 0;

	for (; argc < (int)(sizeof(words) / sizeof(words[0])); argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	if (cmdline_parse(argc, argv, &cmd, e))
		return 0;
	clock_of_run = (struct clock){.now_ns = NSEC_PER_SEC};
	clock_turns_begin(&clock_of_run);
	if (session_open(&s, &cfg, e) || session_start(s, &cmd.spec, e))
		return 0;
	disturb(s);
	session_stop(s, 0);
	session_wait(s, 60 * NSEC_PER_SEC);
	r = session_result(s);
	for (size_t i = 0; r && i < r->n_jobs; i++) {
		const struct op_stat *st = &r->jobs[i].dir[IO_READ].st;

		sum = sum * 31 + st->ops;
		sum = sum * 31 + st->lat.m.sum_ns;
	}
	session_close(s);
	clock_turns_end(&clock_of_run);
	cmdline_fini(&cmd);
	return sum;
}

int main(void)
{
	uint64_t first, second;
	struct err e = {0};

	app_engines_register();
	first = run_once(&e);
	second = first ? run_once(&e) : 0;
	if (e.code)
		printf("%s\n", e.msg);
	printf("%d passed, %d failed\n", first && first == second, !(first && first == second));
	return first && first == second ? 0 : 1;
}
