/*
 * The unit tests with a guard that allows whatever it is asked (see the Makefile: calls of these two go
 * here). The guard's own suites must fail then; tests/e2e/guard_allow.sh looks that they do.
 */
#include "src/dev/guard.h"

enum guard_verdict __real_guard_inspect(int fd, const char *path, const char *fsroot,
					const struct guard_intent *, struct guard_report *r);
enum guard_verdict __wrap_guard_inspect(int fd, const char *path, const char *fsroot,
					const struct guard_intent *, struct guard_report *r);
enum guard_verdict __real_guard_judge(const struct device_list *, const struct mounts *,
				      const struct device *d, struct guard_report *r);
enum guard_verdict __wrap_guard_judge(const struct device_list *, const struct mounts *,
				      const struct device *d, struct guard_report *r);

enum guard_verdict __wrap_guard_inspect(int fd, const char *path, const char *fsroot,
					const struct guard_intent *want, struct guard_report *r)
{
	__real_guard_inspect(fd, path, fsroot, want, r);
	return r->verdict = GUARD_ALLOW;
}

enum guard_verdict __wrap_guard_judge(const struct device_list *list, const struct mounts *mounts,
				      const struct device *d, struct guard_report *r)
{
	__real_guard_judge(list, mounts, d, r);
	return r->verdict = GUARD_ALLOW;
}
