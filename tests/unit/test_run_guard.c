/*
 * The guard in use: what a run may write, through the session's door. Loop devices over files of the
 * test; after every attempt that is refused or not agreed to the bytes are what they were.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/guard.h"
#include "src/dev/ownfile.h"
#include "tests/unit/loopdev.h"
#include "tests/unit/run_help.h"

#define MIB (1024ull * 1024)

static char folder[64];
static struct loopdev a = {.fd = -1};

static void setup(void)
{
	loopdev_sandbox(folder);
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.bytes = 8 * MIB});
	cr_assert_geq(a.fd, 0);
}

static void cleanup(void)
{
	loopdev_close(&a);
	loopdev_sandbox_remove(folder);
}

TestSuite(run_guard, .init = setup, .fini = cleanup, .timeout = 120);

static void fill(const char *path, size_t bytes)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	for (size_t i = 0; i < bytes; i++)
		fputc("precious"[i % 8], f);
	fclose(f);
}

/* The image's bytes as the device has them, past its page cache. */
static uint64_t sum(void)
{
	fsync(a.fd);
	return loopdev_checksum(a.image);
}

Test(run_guard, every_way_to_write_to_a_device_needs_consent)
{
	static const char *const rw[] = {"write", "randwrite", "rw",        "randrw",
					 "trim",  "randtrim",  "trimwrite", "randtrimwrite"};
	uint64_t before;

	fill(a.image, 8 * MIB);
	before = sum();
	for (size_t i = 0; i < sizeof(rw) / sizeof(rw[0]); i++) {
		char args[128];
		struct run_help h;

		snprintf(args, sizeof(args), "--name=t --filename=%%s --size=1m --rw=%s", rw[i]);
		cr_expect_eq(run_help(&h, args, a.path), -EPERM, "%s: %s", rw[i], h.e.msg);
		cr_expect(strstr(h.e.msg, "--allow-destroy"), "%s", h.e.msg);
		run_help_fini(&h);
		cr_expect_eq(sum(), before, "%s", rw[i]);
	}
}

Test(run_guard, with_consent_the_region_is_written_and_nothing_else)
{
	unsigned char *now = xcalloc(1, 8 * MIB);
	size_t differs = 0, outside = 0;
	struct run_help h;
	int fd;

	fill(a.image, 8 * MIB);
	sum();
	cr_assert_eq(run_help(&h,
			      "--name=t --filename=%s --rw=randwrite --bs=4k --offset=2m --size=1m "
			      "--iodepth=8 --ioengine=libaio --direct=1 --allow-destroy=%s",
			      a.path),
		     0, "%s", h.e.msg);
	cr_expect_eq(run_help_bytes(&h, IO_WRITE), MIB);
	run_help_fini(&h);
	sum();
	fd = open(a.image, O_RDONLY);
	cr_assert_eq(pread(fd, now, 8 * MIB, 0), 8 * MIB);
	close(fd);
	for (size_t i = 0; i < 8 * MIB; i++) {
		bool same = now[i] == (unsigned char)"precious"[i % 8];

		if (i >= 2 * MIB && i < 3 * MIB)
			differs += !same;
		else
			outside += !same;
	}
	cr_expect_eq(outside, 0, "%zu bytes outside of the region changed", outside);
	cr_expect_gt(differs, MIB / 2);
	free(now);
}

Test(run_guard, consent_for_another_device_is_none)
{
	struct loopdev b = {.fd = -1};
	char args[160];
	struct run_help h;

	loopdev_open(&b, folder, "b.img", &(struct loopdev_cfg){.bytes = 8 * MIB});
	snprintf(args, sizeof(args),
		 "--name=t --filename=%%s --rw=write --size=1m --allow-destroy=%s", b.path);
	cr_expect_eq(run_help(&h, args, a.path), -EPERM, "%s", h.e.msg);
	run_help_fini(&h);
	loopdev_close(&b);
}

Test(run_guard, a_consent_that_names_no_device_is_an_error)
{
	const char *names[] = {a.image};
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = names, .n_allow_destroy = 1};
	struct session *s = NULL;
	struct err e = {0};

	cr_expect_eq(session_open(&s, &cfg, &e), -ENOTBLK);
	cr_expect(strstr(e.msg, "--allow-destroy"), "%s", e.msg);
	names[0] = "/dev/iodeck-no-such-device";
	cr_expect_eq(session_open(&s, &cfg, &e), -ENOENT);
}

Test(run_guard, jobs_that_name_one_device_share_it)
{
	struct run_help h;

	cr_assert_eq(run_help(&h,
			      "--filename=%s --size=1m --allow-destroy=%s --numjobs=2 --name=w "
			      "--rw=write --name=m --rw=randrw --name=r --rw=read --name=last "
			      "--stonewall --rw=write",
			      a.path),
		     0, "%s", h.e.msg);
	cr_expect_eq(h.e.code, 0, "%s", h.e.msg);
	cr_expect_eq(h.r->n_jobs, 8);
	cr_expect_eq(run_help_bytes(&h, IO_WRITE) + run_help_bytes(&h, IO_READ), 8 * MIB);
	run_help_fini(&h);
}

/* It is held exclusively while a run writes, and free again at once after it. */
Test(run_guard, the_device_is_held_for_the_whole_run)
{
	struct spec spec;
	const char *names[] = {a.path};
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = names, .n_allow_destroy = 1};
	struct session *s;
	struct job_spec *job;
	struct err e = {0};
	int fd;

	job = run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	run_help_for_a_minute(job);
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_start(s, &spec, &e), 0, "%s", e.msg);
	for (int i = 0; i < 500 && (fd = open(a.path, O_RDONLY | O_EXCL)) >= 0; i++) {
		close(fd);
		usleep(10000);
	}
	cr_expect_lt(open(a.path, O_RDONLY | O_EXCL), 0, "nobody holds it");
	session_stop(s, 0);
	cr_assert(session_wait(s, 30 * NSEC_PER_SEC));
	fd = open(a.path, O_RDONLY | O_EXCL);
	cr_expect_geq(fd, 0, "still held: %m");
	close(fd);
	session_close(s);
	spec_fini(&spec);
}

/* Consent typed in the console: told, refused when wrong, kept for the device, taken back. */
Test(run_guard, ask_arm_and_disarm)
{
	struct guard_ask *ask = xcalloc(2, sizeof(*ask));
	struct session_cfg cfg = {.fsroot = ""};
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};
	size_t n = 9;

	job = run_help_spec(&spec, a.path, IO_BIT(IO_READ));
	job->offset = (struct amount){.bytes = MIB, .is_set = true};
	job->numjobs = 2;
	job->offset_increment = (struct amount){.bytes = 2 * MIB, .is_set = true};
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_guard(s, &spec, ask, 2, &n, &e), 0, "%s", e.msg);
	cr_expect_eq(n, 0, "reading asks nothing");
	job->rw.ops = IO_BIT(IO_WRITE);
	cr_assert_eq(session_guard(s, &spec, ask, 2, &n, &e), 0, "%s", e.msg);
	cr_assert_eq(n, 1);
	cr_expect_not(ask->agreed);
	cr_expect_eq(ask->report.verdict, GUARD_CONFIRM);
	cr_expect_eq(ask->off_bytes, MIB);
	cr_expect_eq(ask->end_bytes, 4 * MIB);
	cr_expect_eq(session_start(s, &spec, &e), -EPERM);
	cr_expect_eq(session_arm(s, "yes", &e), -EPERM);
	cr_expect_eq(session_arm(s, "", &e), -EPERM);
	cr_expect_eq(session_start(s, &spec, &e), -EPERM);
	cr_expect_eq(session_arm(s, ask->report.phrase, &e), 0);
	cr_assert_eq(session_guard(s, &spec, ask, 2, &n, &e), 0);
	cr_expect(ask->agreed);
	cr_expect_eq(session_start(s, &spec, &e), 0, "%s", e.msg);
	cr_assert(session_wait(s, 30 * NSEC_PER_SEC));
	cr_expect_eq(session_error(s, &e), 0, "%s", e.msg);
	cr_expect_eq(session_arm(s, NULL, &e), 0);
	cr_expect_eq(session_start(s, &spec, &e), -EPERM, "taken back");
	session_close(s);
	spec_fini(&spec);
	free(ask);
}

/* Another disk behind the same name between the consent and the start: not what was agreed to. */
Test(run_guard, consent_does_not_pass_to_the_next_device_of_that_name)
{
	const char *names[] = {a.path};
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = names, .n_allow_destroy = 1};
	char other[96];
	struct session *s;
	struct spec spec;
	struct err e = {0};
	uint64_t before;

	snprintf(other, sizeof(other), "%s/b.img", folder);
	fill(other, 8 * MIB);
	before = loopdev_checksum(other);
	run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	loopdev_replace(&a, other);
	cr_expect_eq(session_start(s, &spec, &e), -EPERM, "%s", e.msg);
	fsync(a.fd);
	cr_expect_eq(loopdev_checksum(other), before);
	session_close(s);
	spec_fini(&spec);
}

/* ---- files ---- */

static void in_folder(char out[96], const char *name)
{
	snprintf(out, 96, "%s/%s", folder, name);
}

Test(run_guard, a_foreign_file_with_consent_is_written_and_stays_foreign)
{
	char path[96];
	struct run_help h;
	uint64_t before;
	int fd;

	in_folder(path, "user.dat");
	fill(path, 64 << 10);
	before = loopdev_checksum(path);
	cr_assert_eq(run_help(&h,
			      "--name=t --filename=%s --rw=write --size=64k --allow-overwrite=%s",
			      path),
		     0, "%s", h.e.msg);
	run_help_fini(&h);
	cr_expect_neq(loopdev_checksum(path), before);
	fd = open(path, O_RDONLY);
	cr_expect_not(ownfile_is_ours(fd, path));
	close(fd);
	cr_expect_eq(run_help(&h, "--name=t --filename=%s --rw=write --size=64k", path), -EPERM);
	run_help_fini(&h);
}

/* fio would refill it; with consent it is made longer, and what was there stays. */
Test(run_guard, a_short_foreign_file_is_only_made_longer)
{
	char path[96], text[9] = "";
	struct stat st;
	struct run_help h;
	int fd;

	in_folder(path, "user.dat");
	fill(path, 64 << 10);
	cr_expect_eq(run_help(&h, "--name=t --filename=%s --rw=read --size=128k", path), -EPERM);
	run_help_fini(&h);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, 64 << 10);
	cr_assert_eq(run_help(&h,
			      "--name=t --filename=%s --rw=read --size=128k "
			      "--allow-overwrite=%s",
			      path),
		     0, "%s", h.e.msg);
	cr_expect_eq(run_help_bytes(&h, IO_READ), 128 << 10);
	run_help_fini(&h);
	fd = open(path, O_RDONLY);
	for (off_t at = 0; at < 64 << 10; at += 8) {
		cr_assert_eq(pread(fd, text, 8, at), 8);
		cr_assert_str_eq(text, "precious");
	}
	close(fd);
}

/* The mark is sealed after the run: what somebody puts into our file later is theirs. */
Test(run_guard, a_file_of_ours_that_somebody_wrote_to_is_theirs)
{
	static const char args[] = "--name=t --filename=%s --rw=randwrite --size=64k";
	char path[96];
	struct run_help h;
	uint64_t before;

	in_folder(path, "made");
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(run_help(&h, args, path), 0, "%s", h.e.msg);
		cr_expect_eq(h.e.code, 0, "%s", h.e.msg);
		run_help_fini(&h);
	}
	usleep(20000); /* the clock of mtime is coarse */
	fill(path, 64 << 10);
	before = loopdev_checksum(path);
	cr_expect_eq(run_help(&h, args, path), -EPERM, "%s", h.e.msg);
	run_help_fini(&h);
	cr_expect_eq(loopdev_checksum(path), before);
}

Test(run_guard, a_link_to_a_foreign_file_is_refused_even_with_consent)
{
	char path[96], link[96];
	struct run_help h;
	uint64_t before;

	in_folder(path, "user.dat");
	in_folder(link, "link");
	fill(path, 64 << 10);
	before = loopdev_checksum(path);
	cr_assert_eq(symlink(path, link), 0);
	cr_expect_lt(run_help(&h, "--name=t --filename=%s --rw=write --size=64k", link), 0);
	cr_expect(strstr(h.e.msg, "symbolic link"), "%s", h.e.msg);
	run_help_fini(&h);
	cr_expect_eq(loopdev_checksum(path), before);
}

/* The file behind a loop device is that device's. */
Test(run_guard, the_file_behind_a_device_is_not_written)
{
	struct run_help h;
	uint64_t before = sum();

	cr_expect_eq(run_help(&h,
			      "--name=t --filename=%s --rw=write --size=64k "
			      "--allow-overwrite=%s",
			      a.image),
		     -EBUSY, "%s", h.e.msg);
	run_help_fini(&h);
	cr_expect_eq(sum(), before);
}

/* ---- the end of the space ---- */

Test(run_guard, two_consents_are_for_two_devices)
{
	struct loopdev b = {.fd = -1};
	const char *consent[2] = {a.path, b.path}; /* arrays: b.path is filled below */
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = consent, .n_allow_destroy = 2};
	struct session *s;
	struct spec spec, other;
	struct err e = {0};

	loopdev_open(&b, folder, "b.img", &(struct loopdev_cfg){.bytes = 4 * MIB});
	run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	run_help_spec(&other, b.path, IO_BIT(IO_WRITE));
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_expect_eq(session_start(s, &spec, &e), 0, "%s", e.msg);
	cr_expect(session_wait(s, 60 * NSEC_PER_SEC));
	cr_expect_eq(session_start(s, &other, &e), 0, "%s", e.msg);
	cr_expect(session_wait(s, 60 * NSEC_PER_SEC));
	session_close(s);
	spec_fini(&spec);
	spec_fini(&other);
	loopdev_close(&b);
}

/* An empty answer would read as "nothing is to be asked". */
Test(run_guard, nothing_is_asked_while_a_run_is_on)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct guard_ask *ask = xcalloc(1, sizeof(*ask));
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};
	size_t n = 0;

	job = run_help_spec(&spec, a.path, IO_BIT(IO_READ));
	job->rate_iops[IO_READ] = 100;
	run_help_for_a_minute(job);
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_start(s, &spec, &e), 0, "%s", e.msg);
	cr_expect_eq(session_guard(s, &spec, ask, 1, &n, &e), -EBUSY);
	session_close(s);
	spec_fini(&spec);
	free(ask);
}

/* What is refused has no phrase; the empty text is none. */
Test(run_guard, nothing_that_is_typed_arms_what_is_refused)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct loopdev upper = {.fd = -1};
	struct guard_ask *ask = xcalloc(1, sizeof(*ask));
	struct session *s;
	struct spec spec;
	struct err e = {0};
	size_t n = 0;

	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_guard(s, &spec, ask, 1, &n, &e), 0, "%s", e.msg);
	cr_assert_eq(n, 1);
	cr_expect_eq(ask->report.verdict, GUARD_REFUSE);
	cr_expect_eq(session_arm(s, "", &e), -EPERM);
	cr_expect_eq(session_arm(s, ask->report.name, &e), -EPERM);
	session_close(s);
	spec_fini(&spec);
	free(ask);
	loopdev_close(&upper);
}

Test(run_guard, a_full_file_system_stops_all_writers)
{
	char mnt[80], path[96];
	struct run_help h;

	snprintf(mnt, sizeof(mnt), "%s/full", folder);
	cr_assert_eq(mkdir(mnt, 0700), 0);
	cr_assert_eq(mount("none", mnt, "tmpfs", 0, "size=1m"), 0, "%m");
	snprintf(path, sizeof(path), "%s/f", mnt);
	cr_assert_eq(close(open(path, O_WRONLY | O_CREAT, 0600)), 0);
	cr_assert_eq(truncate(path, 8 << 20), 0); /* sparse: nothing can be reserved */
	cr_assert_eq(run_help(&h,
			      "--filename=%s --allow-overwrite=%s --size=8m --name=w --rw=write "
			      "--name=slow --rw=write --rate_iops=10 --runtime=60",
			      path),
		     0, "%s", h.e.msg);
	cr_expect_eq(h.e.code, ENOSPC, "%s", h.e.msg);
	cr_expect_gt(run_help_bytes(&h, IO_WRITE), MIB / 2, "results are kept");
	cr_expect_geq(result_failed(h.r), 1);
	cr_expect_lt(h.r->elapsed_s, 20, "the slow writer went on");
	run_help_fini(&h);
	umount2(mnt, MNT_DETACH);
}

Test(run_guard, a_live_change_stays_in_the_region)
{
	const char *names[] = {a.path};
	struct session_cfg cfg = {
		.fsroot = "", .headroom = true, .allow_destroy = names, .n_allow_destroy = 1};
	struct session *s;
	struct tuning t;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};
	int rc = -ESRCH;

	job = run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	job->offset_increment = (struct amount){.bytes = MIB, .is_set = true};
	run_help_for_a_minute(job);
	job_spec_tuning(job, &t);
	cr_assert_eq(session_open(&s, &cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_start(s, &spec, &e), 0, "%s", e.msg);
	t.jobs = 2; /* the second would write behind the first one's region */
	for (int i = 0; i < 500 && rc == -ESRCH; i++) {
		usleep(10000);
		rc = session_tune(s, 0, &t, &e);
	}
	cr_expect_eq(rc, -ERANGE, "%s", e.msg);
	session_close(s);
	spec_fini(&spec);
}
