/* rw=: the words, the suffix :N, and the two options that say a thing the other way round. */
#include "src/spec/rw_spec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "src/spec/job_spec.h"

#define RD IO_BIT(IO_READ)
#define WR IO_BIT(IO_WRITE)
#define TR IO_BIT(IO_TRIM)

/* How far a sequential job may jump between two I/Os. */
#define SEQ_DELTA_MAX (1ull << 50)

struct rw_word {
	const char *word;
	uint8_t ops;
	bool random, trim_first;
};

/* Of two words for the same, the first is the one printed. */
static const struct rw_word rw_words[] = {
	{"read", RD, false, false},
	{"write", WR, false, false},
	{"trim", TR, false, false},
	{"randread", RD, true, false},
	{"randwrite", WR, true, false},
	{"randtrim", TR, true, false},
	{"rw", RD | WR, false, false},
	{"readwrite", RD | WR, false, false},
	{"randrw", RD | WR, true, false},
	{"trimwrite", TR | WR, false, true},
	{"randtrimwrite", TR | WR, true, true},
	{NULL, 0, false, false},
};

const struct option_choice rw_choices[] = {
	{"read", 0, "sequential reads"},
	{"write", 0, "sequential writes"},
	{"trim", 0, "sequential trims"},
	{"rw", 0, "sequential reads and writes, each with its own position"},
	{"randread", 0, "random reads"},
	{"randwrite", 0, "random writes"},
	{"randtrim", 0, "random trims"},
	{"randrw", 0, "random reads and writes"},
	{"trimwrite", 0, "each block trimmed, then written"},
	{"randtrimwrite", 0, "the same in random order"},
	{NULL, 0, NULL},
};

const char *job_spec_rw_word(const struct rw_spec *rw)
{
	for (const struct rw_word *w = rw_words; w->word; w++)
		if (w->ops == rw->ops && w->random == rw->random && w->trim_first == rw->trim_first)
			return w->word;
	return "?";
}

static const struct rw_word *find_word(const char *text, size_t len)
{
	for (const struct rw_word *w = rw_words; w->word; w++)
		if (strlen(w->word) == len && memcmp(w->word, text, len) == 0)
			return w;
	return NULL;
}

static int parse_every(const char *text, struct rw_spec *rw, struct err *e)
{
	uint64_t n;
	int rc = units_parse_u64(text, 1, UINT32_MAX, &n, e);

	if (rc == 0)
		rw->rand_every = (uint32_t)n;
	return rc;
}

static int parse_delta(const char *text, unsigned kb_base, struct rw_spec *rw, struct err *e)
{
	bool negative = *text == '-';
	uint64_t n;
	int rc = units_parse_size(text + negative, kb_base, &n, NULL, e);

	if (rc)
		return rc;
	if (n > SEQ_DELTA_MAX)
		return err_set(e, ERANGE, "the step after ':' is out of range, at most 1p");
	rw->seq_delta_bytes = negative ? -(int64_t)n : (int64_t)n;
	return 0;
}

int rw_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct job_spec *job = obj;
	size_t len = strcspn(text, ":");
	const struct rw_word *w = find_word(text, len);
	struct rw_spec rw = {.rand_every = 1};
	int rc = 0;

	(void)row;
	if (!w)
		return err_set(e, EINVAL, "no such word");
	rw.ops = w->ops;
	rw.random = w->random;
	rw.trim_first = w->trim_first;
	if (text[len] == ':' && rw.random)
		rc = parse_every(text + len + 1, &rw, e);
	else if (text[len] == ':')
		rc = parse_delta(text + len + 1, job->kb_base, &rw, e);
	if (rc == 0)
		job->rw = rw;
	return rc;
}

/* The suffix in plain bytes: it must read back the same under any kb_base. */
void rw_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct rw_spec *rw = &((const struct job_spec *)obj)->rw;

	(void)row;
	strbuf_puts(out, job_spec_rw_word(rw));
	if (rw->random && rw->rand_every > 1)
		strbuf_addf(out, ":%u", rw->rand_every);
	if (!rw->random && rw->seq_delta_bytes)
		strbuf_addf(out, ":%lld", (long long)rw->seq_delta_bytes);
}

int buffered_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	(void)row;
	if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
		return err_set(e, EINVAL, "not 0 or 1");
	((struct job_spec *)obj)->direct = *text == '0';
	return 0;
}

void buffered_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	(void)row;
	strbuf_putc(out, ((const struct job_spec *)obj)->direct ? '0' : '1');
}

int rwmixwrite_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	uint64_t pct;
	int rc = units_parse_u64(text, row->min, row->max, &pct, e);

	if (rc == 0)
		((struct job_spec *)obj)->rwmixread = (uint32_t)(100 - pct);
	return rc;
}

void rwmixwrite_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	(void)row;
	strbuf_addf(out, "%u", 100 - ((const struct job_spec *)obj)->rwmixread);
}
