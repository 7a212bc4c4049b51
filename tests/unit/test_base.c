/* base: errors, texts, random numbers, small files. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/err.h"
#include "src/base/fsutil.h"
#include "src/base/rng.h"
#include "src/base/strbuf.h"
#include "src/base/thread.h"

Test(err, set_returns_negative_code_and_wrap_prefixes)
{
	struct err e = {0};

	cr_expect_eq(err_set(&e, EINVAL, "bs=%s: bad", "x"), -EINVAL);
	cr_expect_eq(err_wrap(&e, "%s:%d", "job.fio", 3), -EINVAL);
	cr_expect_str_eq(e.msg, "job.fio:3: bs=x: bad");
}

Test(err, wrap_of_a_full_message_is_cut_not_overrun)
{
	struct err e = {0};
	char big[600];

	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	err_set(&e, EIO, "%s", big);
	err_wrap(&e, "%s", big);
	cr_expect_eq(strlen(e.msg), sizeof(e.msg) - 1);
}

Test(strbuf, grows_and_formats)
{
	struct strbuf sb = {0};

	cr_expect_str_eq(strbuf_str(&sb), "");
	for (int i = 0; i < 1000; i++)
		strbuf_addf(&sb, "%d,", i % 10);
	cr_expect_eq(sb.len, 2000);
	cr_expect_eq(strlen(sb.s), 2000);
	strbuf_fini(&sb);
}

Test(rng, below_is_in_range_and_covers_it)
{
	struct rng r;
	unsigned seen[10] = {0};

	rng_seed(&r, 1);
	for (int i = 0; i < 10000; i++) {
		uint64_t v = rng_below(&r, 10);

		cr_assert_lt(v, 10);
		seen[v]++;
	}
	for (int i = 0; i < 10; i++)
		cr_expect(seen[i] > 800 && seen[i] < 1200, "bucket %d: %u of 10000", i, seen[i]);
}

Test(fsutil, write_atomic_makes_folders_and_leaves_no_temp_file)
{
	char dir[] = "/tmp/iodeck-fs-XXXXXX", path[256], buf[16];
	char cmd[512];

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a/b/c.txt", dir);
	cr_assert_eq(fs_write_atomic(path, "hello\n", 6), 0);
	cr_expect_eq(fs_read_small("", path, buf, sizeof(buf)), 5);
	cr_expect_str_eq(buf, "hello");
	cr_expect_eq(fs_read_small("", path, buf, 4), -EFBIG);
	snprintf(cmd, sizeof(cmd), "test \"$(ls -A %s/a/b)\" = c.txt && rm -r %s", dir, dir);
	cr_expect_eq(system(cmd), 0);
}

static void *mask_of_thread(void *out)
{
	pthread_sigmask(SIG_SETMASK, NULL, out);
	return NULL;
}

/* A fault that is blocked kills the process without its handler: nobody gives the terminal back. */
Test(thread, takes_no_signals_but_those_of_faults)
{
	static const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
	static const int blocked[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGUSR1};
	sigset_t mask, before, after;
	pthread_t t;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	cr_assert_eq(thread_spawn(&t, NULL, mask_of_thread, &mask), 0);
	pthread_join(t, NULL);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		cr_expect_not(sigismember(&mask, open[i]), "%d", open[i]);
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++)
		cr_expect(sigismember(&mask, blocked[i]), "%d", blocked[i]);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int sig = 1; sig < 32; sig++)
		cr_expect_eq(sigismember(&before, sig), sigismember(&after, sig), "%d", sig);
}
