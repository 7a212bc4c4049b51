/*
 * The arithmetic a json report must obey, whatever was measured (relations R1 to R12 that a single
 * document can show). One checker for the unit tests, for tests/tools/arith_check and so for e2e.
 * Knows nothing of the code that wrote the report. No Criterion in here.
 */
#ifndef IODECK_TESTS_ARITH_H
#define IODECK_TESTS_ARITH_H

#include <jansson.h>

#include "src/base/strbuf.h"

enum arith_flags {
	/*
	 * Also the lower bound of Little's law (R5): the device was kept busy at the asked depth. Only
	 * for a job without rate, think time and syncs on a machine that is not starved of CPU.
	 */
	ARITH_BUSY = 1u << 0,
};

/*
 * Appends one line per violation: `job 0 "name" read: R1: ...`. Returns how many. A document of fio
 * itself (no "iodeck" object) is held to the looser form of the rules that fio keeps.
 */
unsigned arith_check(const json_t *root, unsigned flags, struct strbuf *violations);

#endif
