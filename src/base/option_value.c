#include "src/base/option_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"

/* What the parsers of one value share. */
struct reading {
	const struct option_def *row;
	void *field;
	const char *text;
	unsigned kb_base;
	struct strbuf *note;
	bool is_bare; /* a text option's bare word */
};

static void *field_of(const struct option_def *row, void *obj)
{
	return (char *)obj + row->offset;
}

static const void *field_of_const(const struct option_def *row, const void *obj)
{
	return (const char *)obj + row->offset;
}

static size_t field_size(enum option_type type)
{
	switch (type) {
	case OPT_FLAG:
	case OPT_BOOL:
		return sizeof(bool);
	case OPT_U32:
	case OPT_ENUM:
		return sizeof(uint32_t);
	case OPT_U64:
	case OPT_SIZE:
	case OPT_TIME:
		return sizeof(uint64_t);
	case OPT_AMOUNT:
		return sizeof(struct amount);
	case OPT_STR:
		return sizeof(char *);
	case OPT_SIZE3:
	case OPT_U64X3:
		return 3 * sizeof(uint64_t);
	case OPT_CUSTOM:
		break;
	}
	return 0;
}

void option_value_clear(const struct option_def *row, void *obj)
{
	char **s;

	if (row->type == OPT_STR) {
		s = field_of(row, obj);
		free(*s);
	}
	memset(field_of(row, obj), 0, field_size(row->type));
}

void option_value_copy(const struct option_def *row, void *dst, const void *src)
{
	struct strbuf text = {0};
	char *const *from;
	char **to;

	if (row->type == OPT_STR) {
		from = field_of_const(row, src);
		to = field_of(row, dst);
		free(*to);
		*to = xstrdup(*from);
	} else if (row->type == OPT_CUSTOM) {
		row->print(src, row, &text);
		row->parse(dst, row, strbuf_str(&text), NULL);
		strbuf_fini(&text);
	} else {
		memcpy(field_of(row, dst), field_of_const(row, src), field_size(row->type));
	}
}

/* -- text into a field ------------------------------------------------------------------------ */

static uint64_t row_max(const struct option_def *row)
{
	uint64_t type_max = row->type == OPT_U32 ? UINT32_MAX : UINT64_MAX;

	return row->max ? row->max : type_max;
}

static bool is_count(const struct option_def *row)
{
	return row->type == OPT_U32 || row->type == OPT_U64 || row->type == OPT_U64X3;
}

/* fio reads every number with the suffixes of sizes (iodepth=1k), so they are taken here too. */
static int read_number(const struct reading *r, const char *text, uint64_t *v, struct err *e)
{
	size_t n = strlen(text);
	bool iec = false;
	int rc;

	if (n && (text[n - 1] == '%' || text[n - 1] == '-'))
		return err_set(e, EINVAL,
			       text[n - 1] == '%' ? "a percentage has no meaning here"
						  : "not a number");
	if (is_count(r->row) && (!n || text[0] == '-' || strchr("0123456789", text[n - 1])))
		rc = units_parse_u64(text, 0, UINT64_MAX, v, e);
	else
		rc = units_parse_size(text, r->kb_base, v, &iec, e);
	if (rc)
		return rc;
	if (*v < r->row->min || *v > row_max(r->row))
		return err_set(e, ERANGE, "out of range");
	if (iec && r->note)
		strbuf_addf(r->note,
			    "%s=%.60s is %llu bytes: with kb_base=1024 a suffix of three letters "
			    "counts in thousands (fio's rule)",
			    r->row->name, text, (unsigned long long)*v);
	return 0;
}

static int read_flag(const struct reading *r, struct err *e)
{
	const char *t = r->text;

	if (!t && r->row->type == OPT_FLAG)
		t = "1";
	if (strcmp(t, "0") != 0 && strcmp(t, "1") != 0)
		return err_set(e, EINVAL, "not 0 or 1");
	*(bool *)r->field = *t == '1';
	return 0;
}

static int read_percent(const struct reading *r, size_t len, struct amount *a, struct err *e)
{
	char digits[24];
	uint64_t pct;

	if (!(r->row->flags & OPT_PCT_OK))
		return err_set(e, EINVAL, "a percentage has no meaning here");
	if (len > sizeof(digits))
		return err_set(e, ERANGE, "more than 100%%");
	memcpy(digits, r->text, len - 1);
	digits[len - 1] = '\0';
	if (units_parse_u64(digits, 0, 100, &pct, e) < 0)
		return -e->code;
	*a = (struct amount){.pct = (uint32_t)pct, .is_pct = pct > 0, .is_set = pct > 0};
	return 0;
}

/* 0 and 0% are "not set": fio's size=0 means all of it, offset=0 the start. */
static int read_amount(const struct reading *r, struct err *e)
{
	struct amount a = {0};
	size_t len = strlen(r->text);
	int rc;

	if (len && r->text[len - 1] == '%') {
		rc = read_percent(r, len, &a, e);
	} else {
		rc = read_number(r, r->text, &a.bytes, e);
		a.is_set = a.bytes > 0;
	}
	if (rc == 0)
		*(struct amount *)r->field = a;
	return rc;
}

/* fio's own time suffixes; anything else it takes for microseconds, decimals it cuts off. */
static bool fio_reads_the_same(const char *text)
{
	static const char *const words[] = {"",   "d",    "h",  "m",    "s",
					    "ms", "msec", "us", "usec", NULL};
	const char *suffix = text + strspn(text, "+0123456789");

	for (unsigned i = 0; words[i]; i++)
		if (strcasecmp(suffix, words[i]) == 0)
			return true;
	return false;
}

static int read_time(const struct reading *r, struct err *e)
{
	uint64_t ns;
	int rc = units_parse_time(r->text, r->row->scale, &ns, e);

	if (rc)
		return rc;
	if (ns % UNIT_US)
		return err_set(e, EINVAL, "finer than a microsecond");
	if (ns < r->row->min || ns > row_max(r->row))
		return err_set(e, ERANGE, "out of range");
	if (!fio_reads_the_same(r->text) && r->note)
		strbuf_addf(r->note,
			    "%s=%.60s is read as what it says; fio would take it for "
			    "something else",
			    r->row->name, r->text);
	*(uint64_t *)r->field = ns;
	return 0;
}

static int read_enum(const struct reading *r, struct err *e)
{
	for (const struct option_choice *c = r->row->choices; c->word; c++) {
		if (strcmp(c->word, r->text) == 0) {
			*(uint32_t *)r->field = c->value;
			return 0;
		}
	}
	return err_set(e, EINVAL, "no such word");
}

static int read_string(const struct reading *r, struct err *e)
{
	char **s = r->field, *copy;

	if (!*r->text && !r->is_bare)
		return err_set(e, EINVAL, "the value is empty");
	if (r->row->check && *r->text && r->row->check(r->text, r->kb_base, e) < 0)
		return -e->code;
	copy = xstrdup(r->text); /* before free: the text may be the old value */
	free(*s);
	*s = copy;
	return 0;
}

/*
 * read,write,trim with `,` `:` or `-` between. A field left empty keeps what it had; a field not
 * there at all is a copy of the last one written, if that was not empty. (fio 3.33: bs=8k is all
 * three, bs=8k, only reads, bs=8k,,16k reads and trims.)
 */
static int read_triplet(const struct reading *r, struct err *e)
{
	uint64_t v[3], *field = r->field;
	const char *p = r->text;
	unsigned i = 0, given = 0;
	bool last_given = false, dash = false;
	char part[48];
	size_t len;

	memcpy(v, field, sizeof(v));
	if (*p == '-')
		return err_set(e, EINVAL, "cannot be negative");
	for (;; p++, i++) {
		len = strcspn(p, ",:-");
		if (i == 3)
			return err_set(e, EINVAL, "more than three values");
		if (len >= sizeof(part))
			return err_set(e, EINVAL, "too long for a number");
		memcpy(part, p, len);
		part[len] = '\0';
		last_given = len > 0;
		given += last_given;
		if (last_given && read_number(r, part, &v[i], e) < 0)
			return -e->code;
		p += len;
		dash |= *p == '-';
		if (!*p)
			break;
	}
	if (!given)
		return err_set(e, EINVAL, "the value is empty");
	for (unsigned k = i + 1; k < 3 && last_given; k++)
		v[k] = v[i];
	if (dash && r->note)
		strbuf_addf(r->note,
			    "%s=%.60s sets reads and writes apart (fio's rule), it is not a "
			    "range",
			    r->row->name, r->text);
	memcpy(field, v, sizeof(v));
	return 0;
}

static int read_plain(const struct reading *r, struct err *e)
{
	uint64_t v;
	int rc = read_number(r, r->text, &v, e);

	if (rc)
		return rc;
	if (r->row->type == OPT_U32)
		*(uint32_t *)r->field = (uint32_t)v;
	else
		*(uint64_t *)r->field = v;
	return 0;
}

static int read_value(const struct reading *r, void *obj, struct err *e)
{
	switch (r->row->type) {
	case OPT_FLAG:
	case OPT_BOOL:
		return read_flag(r, e);
	case OPT_U32:
	case OPT_U64:
	case OPT_SIZE:
		return read_plain(r, e);
	case OPT_AMOUNT:
		return read_amount(r, e);
	case OPT_TIME:
		return read_time(r, e);
	case OPT_ENUM:
		return read_enum(r, e);
	case OPT_STR:
		return read_string(r, e);
	case OPT_SIZE3:
	case OPT_U64X3:
		return read_triplet(r, e);
	case OPT_CUSTOM:
		return r->row->parse(obj, r->row, r->text, e);
	}
	return err_set(e, EINVAL, "no such type");
}

int option_set_note(const struct option_def *row, void *obj, const char *text, unsigned kb_base,
		    struct strbuf *note, struct err *e)
{
	bool bare_str = !text && (row->flags & OPT_BARE_STR);
	const struct reading r = {row,     field_of(row, obj), bare_str ? "" : text, kb_base, note,
				  bare_str};
	struct strbuf range = {0};
	struct err why = {0};
	int rc;

	if (!text && !option_is_bare(row) && !bare_str) {
		option_range(row, &range);
		rc = err_set(e, EINVAL, "%s needs a value: %.300s", row->name, strbuf_str(&range));
		strbuf_fini(&range);
		return rc;
	}
	rc = read_value(&r, obj, &why);
	if (rc == 0)
		return 0;
	option_range(row, &range);
	/* A custom value says itself what it wants. */
	rc = err_set(e, why.code, "%s=%.60s: %.150s%s%.200s", row->name, text, why.msg,
		     range.len ? "; accepted: " : "", strbuf_str(&range));
	strbuf_fini(&range);
	return rc;
}
