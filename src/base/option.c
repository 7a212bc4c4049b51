#include "src/base/option.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/option_value.h"
#include "src/base/xalloc.h"

#define NAME_LEN_MAX 64u

const struct option_def *option_find(const struct option_def *rows, const char *name)
{
	for (; rows->name; rows++)
		if (strcmp(rows->name, name) == 0 ||
		    (rows->alias && strcmp(rows->alias, name) == 0))
			return rows;
	return NULL;
}

bool option_is_bare(const struct option_def *row)
{
	return row->type == OPT_FLAG;
}

bool option_prints_bare(const struct option_def *row, const void *obj)
{
	const void *field = (const char *)obj + row->offset;
	const char *text;

	if (row->type == OPT_FLAG)
		return *(const bool *)field;
	if (!(row->flags & OPT_BARE_STR))
		return false;
	text = *(char *const *)field;
	return text && !*text;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein, one row of the table at a time. A word further than `limit` is given up early. */
static unsigned distance_within(const char *a, const char *b, unsigned limit)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned row[NAME_LEN_MAX + 1], diagonal, up, least;

	/* A change moves the length by one at most, so most names are too far at a glance. */
	if (na > NAME_LEN_MAX || nb > NAME_LEN_MAX || (na > nb ? na - nb : nb - na) > limit)
		return UINT_MAX;
	for (unsigned j = 0; j <= nb; j++)
		row[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		diagonal = row[0];
		least = row[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			up = row[j];
			row[j] =
				min3(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = up;
			least = row[j] < least ? row[j] : least;
		}
		if (least > limit)
			return UINT_MAX;
	}
	return row[nb];
}

unsigned option_distance(const char *a, const char *b)
{
	return distance_within(a, b, NAME_LEN_MAX);
}

static void keep_nearer(const char *candidate, const char *name, const char **best, unsigned *dist)
{
	unsigned d, limit;

	if (!candidate)
		return;
	limit = (unsigned)strlen(candidate) / 2;
	d = distance_within(candidate, name, limit < *dist ? limit : *dist);
	if (d < *dist && d <= limit) {
		*dist = d;
		*best = candidate;
	}
}

const char *option_nearest(const struct option_def *rows, const char *name)
{
	const char *best = NULL;
	unsigned dist = UINT_MAX;

	for (; rows->name; rows++) {
		keep_nearer(rows->name, name, &best, &dist);
		keep_nearer(rows->alias, name, &best, &dist);
	}
	return best;
}

void option_defaults(const struct option_def *rows, void *obj)
{
	int rc;

	for (; rows->name; rows++) {
		if (rows->flags & OPT_MIRROR)
			continue;
		option_value_clear(rows, obj);
		if (!rows->def)
			continue;
		rc = option_set(rows, obj, rows->def, 1024, NULL);
		/* A default that its own row refuses is a mistake in the table, not of the user. */
		assert(rc == 0);
		(void)rc;
	}
}

int option_set(const struct option_def *row, void *obj, const char *text, unsigned kb_base,
	       struct err *e)
{
	return option_set_note(row, obj, text, kb_base, NULL, e);
}

void option_print(const struct option_def *row, const void *obj, struct strbuf *out)
{
	option_print_kb(row, obj, 1024, out);
}

bool option_equal(const struct option_def *row, const void *a, const void *b)
{
	struct strbuf ta = {0}, tb = {0};
	bool same;

	option_print(row, a, &ta);
	option_print(row, b, &tb);
	same = strcmp(strbuf_str(&ta), strbuf_str(&tb)) == 0 &&
	       option_prints_bare(row, a) == option_prints_bare(row, b);
	strbuf_fini(&ta);
	strbuf_fini(&tb);
	return same;
}

void option_copy(const struct option_def *rows, void *dst, const void *src)
{
	for (; rows->name; rows++)
		if (!(rows->flags & OPT_MIRROR))
			option_value_copy(rows, dst, src);
}

void option_free(const struct option_def *rows, void *obj)
{
	for (; rows->name; rows++)
		if (rows->type == OPT_STR)
			option_value_clear(rows, obj);
}
