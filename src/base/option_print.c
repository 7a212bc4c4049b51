/* An option's field as the text that reads back the same, and what its row accepts, in words. */
#include <stdio.h>
#include <string.h>

#include "src/base/option.h"
#include "src/base/units.h"

/* A size without suffix under kb_base 1000, where 4k would be 4000. */
static void print_size(uint64_t bytes, unsigned kb_base, struct strbuf *out)
{
	char text[32];

	if (kb_base == 1000)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	else
		units_fmt_size_exact(text, sizeof(text), bytes);
	strbuf_puts(out, text);
}

static void print_triplet(const struct option_def *row, const uint64_t *v, unsigned kb_base,
			  struct strbuf *out)
{
	unsigned n = v[1] != v[2] ? 3 : v[0] != v[1] ? 2 : 1;

	for (unsigned i = 0; i < n; i++) {
		if (i)
			strbuf_putc(out, ',');
		if (row->type == OPT_SIZE3)
			print_size(v[i], kb_base, out);
		else
			strbuf_addf(out, "%llu", (unsigned long long)v[i]);
	}
}

static void print_choice(const struct option_def *row, uint32_t value, struct strbuf *out)
{
	for (const struct option_choice *c = row->choices; c->word; c++) {
		if (c->value == value) {
			strbuf_puts(out, c->word);
			return;
		}
	}
}

static void print_amount(const struct amount *a, unsigned kb_base, struct strbuf *out)
{
	if (a->is_set && a->is_pct)
		strbuf_addf(out, "%u%%", a->pct);
	else
		print_size(a->is_set ? a->bytes : 0, kb_base, out);
}

/*
 * A bare number counts in the row's own unit, so seconds need their suffix where that is not the second.
 * fio's rows in milliseconds take no suffix at all.
 */
static void print_time(const struct option_def *row, uint64_t ns, struct strbuf *out)
{
	char text[40];

	if (row->scale == UNIT_MS && ns % UNIT_MS == 0) {
		strbuf_addf(out, "%llu", (unsigned long long)(ns / UNIT_MS));
		return;
	}
	units_fmt_time_exact(text, sizeof(text), ns);
	strbuf_puts(out, text);
	if (row->scale != UNIT_SEC && ns && ns % UNIT_SEC == 0)
		strbuf_putc(out, 's');
}

void option_print_kb(const struct option_def *row, const void *obj, unsigned kb_base,
		     struct strbuf *out)
{
	const void *f = (const char *)obj + row->offset;

	switch (row->type) {
	case OPT_FLAG:
	case OPT_BOOL:
		strbuf_putc(out, *(const bool *)f ? '1' : '0');
		break;
	case OPT_U32:
		strbuf_addf(out, "%u", *(const uint32_t *)f);
		break;
	case OPT_U64:
		strbuf_addf(out, "%llu", (unsigned long long)*(const uint64_t *)f);
		break;
	case OPT_SIZE:
		print_size(*(const uint64_t *)f, kb_base, out);
		break;
	case OPT_AMOUNT:
		print_amount(f, kb_base, out);
		break;
	case OPT_TIME:
		print_time(row, *(const uint64_t *)f, out);
		break;
	case OPT_ENUM:
		print_choice(row, *(const uint32_t *)f, out);
		break;
	case OPT_STR:
		if (*(char *const *)f)
			strbuf_puts(out, *(char *const *)f);
		break;
	case OPT_SIZE3:
	case OPT_U64X3:
		print_triplet(row, f, kb_base, out);
		break;
	case OPT_CUSTOM:
		row->print(obj, row, out);
		break;
	}
}

/* -- what a row accepts ----------------------------------------------------------------------- */

static void range_numbers(const struct option_def *row, const char *what, bool as_size,
			  struct strbuf *out)
{
	strbuf_addf(out, "%s", what);
	if (!row->max) {
		if (row->min) {
			strbuf_puts(out, " of at least ");
			strbuf_addf(out, "%llu", (unsigned long long)row->min);
		}
		return;
	}
	strbuf_puts(out, " from ");
	print_size(row->min, as_size ? 1024 : 1000, out);
	strbuf_puts(out, " to ");
	print_size(row->max, as_size ? 1024 : 1000, out);
}

static void range_time(const struct option_def *row, struct strbuf *out)
{
	strbuf_puts(out, row->scale == UNIT_SEC ? "seconds" : "a number");
	strbuf_puts(out, ", or a number with d h m s ms us");
	if (row->max) {
		strbuf_puts(out, ", at most ");
		print_time(row, row->max, out);
	}
}

void option_range(const struct option_def *row, struct strbuf *out)
{
	if (row->accepts) {
		strbuf_puts(out, row->accepts);
		return;
	}
	switch (row->type) {
	case OPT_FLAG:
	case OPT_BOOL:
		strbuf_puts(out, "0 or 1");
		break;
	case OPT_U32:
	case OPT_U64:
		range_numbers(row, "a whole number", false, out);
		break;
	case OPT_SIZE:
		range_numbers(row, "a size", true, out);
		break;
	case OPT_AMOUNT:
		range_numbers(row, "a size", true, out);
		if (row->flags & OPT_PCT_OK)
			strbuf_puts(out, ", or 1% to 100%");
		break;
	case OPT_TIME:
		range_time(row, out);
		break;
	case OPT_CUSTOM:
		if (row->max) {
			range_numbers(row, "a whole number", false, out);
			break;
		}
		__attribute__((fallthrough));
	case OPT_ENUM:
		for (const struct option_choice *c = row->choices; c && c->word; c++)
			strbuf_addf(out, "%s%s", c == row->choices ? "" : ", ", c->word);
		break;
	case OPT_STR:
		strbuf_puts(out, "a text that is not empty");
		break;
	case OPT_SIZE3:
		range_numbers(row, "read,write,trim, each a size", true, out);
		break;
	case OPT_U64X3:
		range_numbers(row, "read,write,trim, each a whole number", false, out);
		break;
	}
}
