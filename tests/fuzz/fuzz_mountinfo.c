/* Any bytes as /proc/self/mountinfo: refused with one line, or rows that can be found by their number. */
#include "src/dev/mounts.h"
#include "tests/fuzz/proc_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mounts m;
	struct err e = {0};

	if (mounts_load(proc_file_write("/proc/self/mountinfo", data, size), MOUNTS_USUAL, &m,
			&e)) {
		fuzz_check_message(&e);
		return 0;
	}
	for (size_t i = 0; i < m.n; i++) {
		FUZZ_CHECK(m.v[i].target && m.v[i].fstype);
		FUZZ_CHECK(mounts_find(&m, m.v[i].major, m.v[i].minor, 0));
	}
	mounts_fini(&m);
	return 0;
}
