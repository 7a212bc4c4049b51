/* hold: one for each device or file, checked while it is written, and never whole again once broken. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "src/dev/ownfile.h"
#include "src/run/hold.h"
#include "tests/unit/loopdev.h"

#define MIB (1024ull * 1024)

static char folder[64];
static struct loopdev a = {.fd = -1}, b = {.fd = -1};
static struct hold_list holds;
static struct err e;

static void setup(void)
{
	loopdev_sandbox(folder);
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.bytes = 4 * MIB});
	loopdev_open(&b, folder, "b.img", &(struct loopdev_cfg){.bytes = 4 * MIB});
}

static void cleanup(void)
{
	holds_release(&holds);
	loopdev_close(&a);
	loopdev_close(&b);
	loopdev_sandbox_remove(folder);
}

TestSuite(hold, .init = setup, .fini = cleanup, .timeout = 120);

static int agree(const char *path, struct hold **out)
{
	const char *names[] = {a.path, b.path};
	const struct guard_consent consent = {.destroy = names, .n_destroy = 2};
	const struct guard_intent intent = {.writes = true, .need_bytes = MIB};
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	cr_assert_geq(fd, 0, "%s: %m", path);
	rc = hold_agree(&holds, fd, path, "", &intent, &consent, out, &e);
	close(fd);
	return rc;
}

static struct hold *taken(const char *path)
{
	struct hold *h = NULL;

	cr_assert_eq(agree(path, &h), 0, "%s", e.msg);
	cr_assert_eq(hold_take(h, "", &e), 0, "%s", e.msg);
	return h;
}

Test(hold, two_devices_have_two_and_one_has_one)
{
	struct hold *first = NULL, *second = NULL, *again = NULL;

	cr_assert_eq(agree(a.path, &first), 0, "%s", e.msg);
	cr_assert_eq(agree(b.path, &second), 0, "%s", e.msg);
	cr_assert_eq(agree(a.path, &again), 0, "%s", e.msg);
	cr_expect_neq(first, second);
	cr_expect_eq(first, again);
	cr_expect_eq(holds.n, 2);
}

Test(hold, nothing_is_opened_before_it_is_taken)
{
	struct hold *h = NULL;

	cr_assert_eq(agree(a.path, &h), 0, "%s", e.msg);
	cr_expect_eq(hold_open(h, 0, &e), -EPERM, "%s", e.msg);
}

/* Something builds on the device while it is written: it is not ours alone any more, and never again. */
Test(hold, a_broken_one_stays_broken)
{
	struct hold *h = taken(a.path);
	struct loopdev upper = {.fd = -1};
	int fd = hold_open(h, 0, &e);

	cr_assert_geq(fd, 0, "%s", e.msg);
	close(fd);
	cr_expect_eq(hold_check(h, "", &e), 0, "%s", e.msg);
	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	cr_expect_eq(hold_check(h, "", &e), -EBUSY, "%s", e.msg);
	loopdev_close(&upper);
	cr_expect_eq(hold_open(h, 0, &e), -EPERM, "%s", e.msg);
	cr_expect_eq(hold_check(h, "", &e), -ENODEV, "%s", e.msg);
}
