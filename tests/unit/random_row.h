/* Random legal values for option rows, for property tests. */
#ifndef IODECK_TESTS_RANDOM_ROW_H
#define IODECK_TESTS_RANDOM_ROW_H

#include <stdio.h>
#include <string.h>

#include "src/base/option.h"
#include "src/base/rng.h"

/* Small values as often as large ones. */
static inline uint64_t random_in(struct rng *r, uint64_t min, uint64_t max)
{
	uint64_t span = max - min, v = rng_next(r) >> rng_below(r, 64);

	return span == UINT64_MAX ? v : min + v % (span + 1);
}

static inline uint64_t random_row_number(struct rng *r, const struct option_def *row)
{
	uint64_t max = row->max ? row->max : row->type == OPT_U32 ? UINT32_MAX : UINT64_MAX / 2;

	return random_in(r, row->min, max);
}

/* A legal value of the row as text. `word`: what string rows get. */
static inline void random_row_text(struct rng *r, const struct option_def *row, const char *word,
				   char *out, size_t size)
{
	unsigned long long a = random_row_number(r, row), b = random_row_number(r, row);
	unsigned n_choices = 0;

	switch (row->type) {
	case OPT_FLAG:
	case OPT_BOOL:
		snprintf(out, size, "%u", (unsigned)rng_below(r, 2));
		break;
	case OPT_TIME:
		snprintf(out, size, "%lluus", a / 1000);
		break;
	case OPT_AMOUNT:
		if ((row->flags & OPT_PCT_OK) && rng_below(r, 3) == 0)
			snprintf(out, size, "%u%%", 1 + (unsigned)rng_below(r, 100));
		else
			snprintf(out, size, "%llu", a);
		break;
	case OPT_STR:
		while (row->choices && row->choices[n_choices].word)
			n_choices++;
		if (n_choices) {
			snprintf(out, size, "%s", row->choices[rng_below(r, n_choices)].word);
			break;
		}
		snprintf(out, size, "%s%u", word, (unsigned)rng_below(r, 1000));
		break;
	case OPT_SIZE3:
	case OPT_U64X3:
		snprintf(out, size, "%llu,%llu,%llu", a, rng_below(r, 2) ? a : b, b);
		break;
	case OPT_ENUM:
	case OPT_CUSTOM:
		while (row->choices && row->choices[n_choices].word)
			n_choices++;
		if (n_choices)
			snprintf(out, size, "%s", row->choices[rng_below(r, n_choices)].word);
		else
			snprintf(out, size, "%llu", a);
		if (strcmp(row->name, "rw") == 0 && rng_below(r, 2))
			snprintf(out + strlen(out), size - strlen(out), ":%u",
				 1 + (unsigned)rng_below(r, 100000));
		break;
	default:
		snprintf(out, size, "%llu", a);
	}
}

#endif
