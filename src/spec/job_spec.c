#include "src/spec/job_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/engines.h"
#include "src/spec/job_lists.h"

void job_spec_init(struct job_spec *j)
{
	*j = (struct job_spec){0};
	option_defaults(job_options, j);
}

static struct given_list given_of(const struct job_spec *j)
{
	return (struct given_list){j->given, j->n_given};
}

void job_spec_note_given(struct job_spec *j, const char *key, const char *val)
{
	struct given_list list = given_of(j);

	given_add(&list, key, val);
	j->given = list.v;
	j->n_given = list.n;
}

void job_spec_copy(struct job_spec *dst, const struct job_spec *src)
{
	*dst = (struct job_spec){0};
	option_copy(job_options, dst, src);
	engine_opts_copy(dst, src);
	dst->engine_chosen = src->engine_chosen;
	for (size_t i = 0; i < src->n_given; i++)
		job_spec_note_given(dst, src->given[i].key, src->given[i].val);
}

void job_spec_fini(struct job_spec *j)
{
	struct given_list list = given_of(j);

	option_free(job_options, j);
	engine_opts_free(j);
	given_free(&list);
	j->given = NULL;
	j->n_given = 0;
}

static void split_range(const struct bssplit *s, uint64_t *lo, uint64_t *hi)
{
	*lo = UINT64_MAX;
	*hi = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		if (!s->part[i].share)
			continue;
		*lo = s->part[i].bytes < *lo ? s->part[i].bytes : *lo;
		*hi = s->part[i].bytes > *hi ? s->part[i].bytes : *hi;
	}
}

void job_spec_block_range(const struct job_spec *j, unsigned op, uint64_t *lo, uint64_t *hi)
{
	struct bssplit split[IO_OP_NR];
	struct size_range range[IO_OP_NR];

	*lo = *hi = j->bs_bytes[op];
	if (j->bssplit && bssplit_parse(j->bssplit, j->kb_base, split, NULL) == 0) {
		split_range(&split[op], lo, hi);
	} else if (j->bsrange && bsrange_parse(j->bsrange, j->kb_base, range, NULL) == 0) {
		*lo = range[op].lo;
		*hi = range[op].hi;
	}
}

void job_spec_tuning(const struct job_spec *j, struct tuning *t)
{
	*t = (struct tuning){
		.jobs = j->numjobs,
		.qd = j->iodepth,
		.ops = j->rw.ops,
		.read_pct = (uint8_t)j->rwmixread,
		.random = j->rw.random,
	};
	/* With several lengths the smallest stands for all; see run/blocks.h. */
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		uint64_t hi;

		job_spec_block_range(j, op, &t->bs_bytes[op], &hi);
	}
	memcpy(t->rate_iops, j->rate_iops, sizeof(t->rate_iops));
	memcpy(t->rate_bps, j->rate_bps, sizeof(t->rate_bps));
}

static const char *job_name(const struct job_spec *j)
{
	return j->name ? j->name : "job";
}

static bool any_rate(const uint64_t *rate)
{
	return rate[IO_READ] || rate[IO_WRITE] || rate[IO_TRIM];
}

/* A region that holds no whole block would run nothing and look like a success. */
static int check_size(const struct job_spec *j, struct err *e)
{
	char size[32], bs[32];
	uint64_t smallest = UINT64_MAX, lo, hi;

	if (!j->size.is_set || j->size.is_pct)
		return 0;
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		job_spec_block_range(j, op, &lo, &hi);
		if ((j->rw.ops & IO_BIT(op)) && lo < smallest)
			smallest = lo;
	}
	if (j->size.bytes >= smallest)
		return 0;
	units_fmt_size_exact(size, sizeof(size), j->size.bytes);
	units_fmt_size_exact(bs, sizeof(bs), smallest);
	return err_set(e, EINVAL, "%.80s: size=%s is smaller than one block (bs=%s)", job_name(j),
		       size, bs);
}

static int check_ranges(const struct job_spec *j, struct err *e)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		const char *field = (const char *)j + row->offset;
		uint64_t v;

		if (row->type != OPT_U32 || !row->max)
			continue;
		v = *(const uint32_t *)(const void *)field;
		if (v < row->min || v > row->max)
			return err_set(e, ERANGE, "%.80s: %s=%llu is out of range: %llu to %llu",
				       job_name(j), row->name, (unsigned long long)v,
				       (unsigned long long)row->min, (unsigned long long)row->max);
	}
	return 0;
}

bool job_spec_may_write(const struct job_spec *j)
{
	return j->rw.ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM)) || j->read_iolog;
}

bool job_spec_has_rate(const struct job_spec *j)
{
	return any_rate(j->rate_bps) || any_rate(j->rate_iops);
}

int job_spec_check(const struct job_spec *j, struct err *e)
{
	int rc = check_ranges(j, e);

	if (rc)
		return rc;
	if (!j->rw.ops)
		return err_set(e, EINVAL, "%.80s: rw= names no kind of I/O", job_name(j));
	for (unsigned op = 0; op < IO_OP_NR; op++)
		if (!j->bs_bytes[op])
			return err_set(e, ERANGE, "%.80s: bs=0 for %ss", job_name(j),
				       io_op_name(op));
	if (any_rate(j->rate_bps) && any_rate(j->rate_iops))
		return err_set(e, EINVAL, "%.80s: rate= and rate_iops= cannot be had together",
			       job_name(j));
	return check_size(j, e);
}
