/*
 * A monkey at the keyboard of the real binary: bound keys, typed commands, pieces of escape sequences and
 * of UTF-8, mouse reports, pastes and resizes, by weight, from a seed. No Criterion in here.
 *
 * What it can reach: the binary runs in a folder of its own; as root it becomes nobody first, so that no
 * block device can be opened for writing; and the target it begins with is a foreign file whose phrase of
 * consent holds a letter that the monkey does not have. What is in that file must never change.
 */
#ifndef IODECK_TESTS_MONKEY_H
#define IODECK_TESTS_MONKEY_H

#include <stdbool.h>
#include <stdint.h>

struct monkey_cfg {
	uint64_t seed;
	unsigned seconds;
	const char *replay; /* a log of keys, NULL: from the seed */
};

/* False: it died, hung, left the terminal broken, or changed the file; all of it told on stderr. */
bool monkey_run(const struct monkey_cfg *);

#endif
