#include "src/run/plan.h"
#include "src/run/plan_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/run/plan_iolog.h"
#include "src/run/plan_names.h"
#include "src/run/plan_notes.h"

unsigned plan_clone_number(const struct plan *p, unsigned k)
{
	return k == 0 || k >= p->spec->numjobs ? k : p->spec->numjobs - k;
}

static uint64_t smallest_bs(const struct plan *p)
{
	uint64_t min = UINT64_MAX;

	for (unsigned i = 0; i < IO_OP_NR; i++)
		if (p->tune.ops & IO_BIT(i) && p->tune.bs_bytes[i] < min)
			min = p->tune.bs_bytes[i];
	return min;
}

static uint64_t largest_bs(const struct plan *p)
{
	uint64_t max = 1;

	for (unsigned i = 0; i < IO_OP_NR; i++)
		if (p->tune.ops & IO_BIT(i) && p->tune.bs_bytes[i] > max)
			max = p->tune.bs_bytes[i];
	return max;
}

/* What all lengths of the job are multiples of; with one block size, that size. */
static uint64_t unit_of(const struct plan *p)
{
	uint64_t min = UINT64_MAX;

	if (!p->many_lengths)
		return smallest_bs(p);
	for (unsigned i = 0; i < IO_OP_NR; i++)
		if (p->tune.ops & IO_BIT(i) && p->blocks.op[i].unit < min)
			min = p->blocks.op[i].unit;
	return min;
}

/* Regions */

static uint64_t amount_of(const struct amount *a, uint64_t whole)
{
	if (!a->is_pct)
		return a->bytes;
	return (uint64_t)((unsigned __int128)whole * a->pct / 100);
}

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return v % to ? v - v % to + to : v;
}

static const struct target *target_of(const struct plan *p, unsigned k, unsigned f)
{
	return &p->targets[p->shared_files ? f : k * p->n_files + f];
}

static bool has_size(const struct plan *p)
{
	return p->spec->size.is_set || p->file_sizes;
}

/* What the job covers of a file of `whole` bytes (0: unknown yet) from `off`; 0: not known. */
static uint64_t span_of(const struct plan *p, unsigned k, unsigned f, uint64_t whole, uint64_t off)
{
	const struct job_spec *s = p->spec;

	if (p->file_sizes)
		return p->file_sizes[(p->shared_files ? 0 : k) % s->numjobs * p->n_files + f];
	if (s->size.is_set)
		return s->size.is_pct ? amount_of(&s->size, whole) : s->size.bytes / p->n_files;
	return whole > off ? whole - off : 0;
}

static int region_error(const struct plan *p, const char *path, uint64_t len, struct err *e)
{
	char bs[32];

	units_fmt_size_exact(bs, sizeof(bs), largest_bs(p));
	return err_set(e, EINVAL,
		       "%s: the region of %llu bytes is smaller than one block of %s (%llu bytes)",
		       path ? path : p->spec->name, (unsigned long long)len, bs,
		       (unsigned long long)largest_bs(p));
}

int plan_region(const struct plan *p, unsigned k, unsigned f, uint64_t *off, uint64_t *len,
		struct err *e)
{
	const struct job_spec *s = p->spec;
	bool diskless = p->engine->flags & ENGINE_DISKLESS;
	const struct target *t = diskless ? NULL : target_of(p, k, f);
	uint64_t whole = t ? t->info.size_bytes : plan_device_bytes(p), bs = smallest_bs(p);
	uint64_t step = amount_of(&s->offset_increment, whole);
	bool bounded = t ? t->info.kind == TARGET_BLOCK || s->size.is_pct : p->device != NULL;
	const char *path = t ? t->path : p->device_name;
	char at[32], end[32];

	if (p->iolog) {
		*off = 0;
		return plan_iolog_region(p, f, len, e);
	}
	*off = amount_of(&s->offset, whole) + step * plan_clone_number(p, k);
	if (s->offset.is_pct || s->offset_increment.is_pct)
		*off = round_up(*off, s->offset_align ? s->offset_align : bs);
	*len = span_of(p, k, f, whole, *off);
	if (path && *off >= whole && (bounded || !has_size(p))) {
		units_fmt_bytes(at, sizeof(at), (double)*off, false);
		units_fmt_bytes(end, sizeof(end), (double)whole, false);
		if (whole == 0 && *off == 0)
			return err_set(e, EINVAL, "%s: size= is needed: the file is empty", path);
		return err_set(e, EINVAL, "%s: offset %s is past the end (%s)", path, at, end);
	}
	if (bounded && *off + *len > whole)
		*len = whole - *off;
	if (*len < largest_bs(p))
		return region_error(p, path, *len, e);
	return 0;
}

/* Limits */

static void set_limits(struct plan *p, uint64_t region_bytes)
{
	const struct job_spec *s = p->spec;
	uint64_t loops = s->loops ? s->loops : 1;
	bool endless = s->time_based && s->runtime_ns;

	p->number_ios = s->number_ios ? s->number_ios : UINT64_MAX;
	p->io_bytes = region_bytes * loops;
	/* With filesize, size says how much is done in all (fio). */
	if (p->file_sizes && s->size.is_set && !s->size.is_pct && s->size.bytes < region_bytes)
		p->io_bytes = s->size.bytes / unit_of(p) * unit_of(p) * loops;
	if (s->io_size.is_set)
		p->io_bytes = amount_of(&s->io_size, region_bytes) * loops;
	/* Every block is trimmed and written: twice the bytes. */
	if (s->rw.trim_first)
		p->io_bytes *= 2;
	p->size_bound = !endless;
	if (endless)
		p->io_bytes = UINT64_MAX;
}

static int check_blocks(const struct plan *p, const struct tuning *t, struct err *e)
{
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		if (!(t->ops & IO_BIT(i)))
			continue;
		if (t->bs_bytes[i] > UINT32_MAX / 2)
			return err_set(e, EINVAL, "bs=%llu: at most 2 GiB",
				       (unsigned long long)t->bs_bytes[i]);
		if (t->bs_bytes[i] % p->align)
			return err_set(
				e, EINVAL,
				"bs=%llu is not a multiple of %u, the target's logical block "
				"(direct=1)",
				(unsigned long long)t->bs_bytes[i], p->align);
	}
	return 0;
}

static struct target_how how_of(const struct job_spec *s)
{
	static const int sync_flags[] = {
		[SYNC_NONE] = 0, [SYNC_FULL] = O_SYNC, [SYNC_DATA] = O_DSYNC};

	return (struct target_how){
		.open_flags = sync_flags[s->sync_io],
		.fallocate = s->fallocate,
		.no_create = !s->allow_file_create,
		.empty = s->create_on_open,
		.fill = s->overwrite,
		.no_fsync = !s->create_fsync,
	};
}

/* Of the files of a log each is only used as the log says. */
static void set_use(const struct plan *p, struct target *t, unsigned i)
{
	uint8_t ops = p->iolog ? p->iolog->files[i]->ops : p->tune.ops;

	t->writes = ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM));
	t->reads = ops & IO_BIT(IO_READ);
}

static int inspect_targets(struct plan *p, const struct plan_env *env, struct err *e)
{
	uint32_t align = 1;
	int rc;

	for (unsigned i = 0; i < p->n_targets; i++) {
		struct target *t = &p->targets[i];
		char *path = t->path;

		rc = target_inspect(t, path, env->target.fsroot, e);
		free(path);
		if (rc)
			return rc;
		t->how = how_of(p->spec);
		set_use(p, t, i);
		if (p->spec->direct && t->info.logical_block > align)
			align = t->info.logical_block;
	}
	p->align = align;
	if (p->many_lengths && unit_of(p) % align)
		return err_set(
			e, EINVAL,
			"block sizes are multiples of %llu, the target needs multiples of %u "
			"(direct=1)",
			(unsigned long long)unit_of(p), align);
	return p->iolog ? plan_iolog_check_align(p, e) : check_blocks(p, &p->tune, e);
}

/* filesize=lo-hi: each file has its own size, the same in every run. */
static void draw_file_sizes(struct plan *p)
{
	struct size_range r;
	struct rng rng;
	unsigned n = p->n_files * (p->shared_files ? 1 : p->spec->numjobs);

	if (!p->spec->filesize ||
	    size_range_parse(p->spec->filesize, p->spec->kb_base, &r, NULL) < 0)
		return;
	rng_seed(&rng, p->spec->randseed ? p->spec->randseed : 0x66696c65);
	p->file_sizes = xcalloc(n, sizeof(*p->file_sizes));
	for (unsigned i = 0; i < n; i++)
		p->file_sizes[i] = r.lo + rng_below(&rng, r.hi - r.lo + 1);
}

/* Regions of every clone; how long each file must be; the clone's size limit. */
static int size_regions(struct plan *p, struct err *e)
{
	uint64_t total = 0, off, len;
	int rc;

	for (unsigned k = 0; k < p->spec->numjobs; k++) {
		for (unsigned f = 0; f < p->n_files; f++) {
			struct target *t = NULL;

			if (p->n_targets)
				t = &p->targets[p->shared_files ? f : k * p->n_files + f];
			if (t && t->info.kind == TARGET_MISSING && !has_size(p))
				return err_set(e, EINVAL,
					       "%s: size= is needed: the file does not exist",
					       t->path);
			if (t && t->info.kind == TARGET_MISSING && p->spec->size.is_pct &&
			    !p->file_sizes)
				return err_set(
					e, EINVAL,
					"%s: size=%u%% of a file that does not exist; give bytes",
					t->path, p->spec->size.pct);
			rc = plan_region(p, k, f, &off, &len, e);
			if (rc)
				return rc;
			if (off % p->align)
				return err_set(e, EINVAL,
					       "offset=%llu is not a multiple of %u (direct=1)",
					       (unsigned long long)off, p->align);
			if (k == 0)
				total += len / unit_of(p) * unit_of(p);
			if (t && (t->need_bytes == 0 || off < t->off_bytes))
				t->off_bytes = off;
			if (t && off + len > t->need_bytes)
				t->need_bytes = off + len;
		}
	}
	set_limits(p, total);
	return 0;
}

static int size_targets(struct plan *p, const struct plan_env *env, struct err *e)
{
	int rc = p->iolog ? plan_iolog_size(p, e) : size_regions(p, e);

	if (rc)
		return rc;
	for (unsigned i = 0; i < p->n_targets; i++) {
		rc = target_admit(&p->targets[i], &env->target, e);
		if (rc)
			return rc;
	}
	return 0;
}

static int find_engine(struct plan *p, struct err *e)
{
	struct strbuf known = {0};
	int rc;

	p->engine = engine_find(p->spec->ioengine);
	if (!p->engine) {
		for (unsigned i = 0; engine_table[i]; i++)
			strbuf_addf(&known, " %s", engine_table[i]->name);
		rc = err_set(e, EINVAL, "engine %s not loadable; known:%s", p->spec->ioengine,
			     strbuf_str(&known));
		strbuf_fini(&known);
		return rc;
	}
	return p->engine->probe ? p->engine->probe(e) : 0;
}

/* Options that are lists: taken apart once, for all workers. */
static int plan_lists(struct plan *p, const struct plan_env *env, struct err *e)
{
	const struct job_spec *s = p->spec;
	int rc = 0;

	p->first_worker = env->first_worker;
	p->many_lengths = blocks_init(&p->blocks, s) && !p->iolog;
	if (s->ignore_error)
		rc = error_list_parse(s->ignore_error, &p->ignore, e);
	if (rc == 0 && s->random_distribution && !p->iolog &&
	    strcmp(s->random_distribution, "random") != 0) {
		p->dist = xcalloc(1, sizeof(*p->dist));
		rc = distribution_parse(s->random_distribution, s->kb_base, p->dist, e);
	}
	if (rc)
		return err_wrap(e, "%s", s->name);
	return affinity_plan(&p->affinity, s, env->target.fsroot, e);
}

/*
 * Are the buffers to be had? Tried now, with address space only (huge pages are set aside for a moment),
 * because the layout of files comes before the workers take theirs.
 */
static int check_memory(const struct plan *p, struct err *e)
{
	uint64_t depth = p->engine->flags & ENGINE_SYNC ? 1 : p->tune.qd, bs = largest_bs(p);
	uint64_t bytes = p->tune.jobs * depth * (p->writes ? 2 : 1) * bs;
	char need[32], one[32];
	struct memory memory;

	if (memory_take(&memory, p->spec, bytes, e) == 0) {
		memory_give(&memory);
		return 0;
	}
	if (p->spec->mem > MEM_MMAP)
		return err_wrap(e, "%s", p->spec->name);
	units_fmt_bytes(need, sizeof(need), (double)bytes, false);
	units_fmt_bytes(one, sizeof(one), (double)bs, false);
	return err_set(e, ENOMEM,
		       "%s: needs %s of buffers: numjobs=%u x iodepth=%llu x %s%s, which are not "
		       "to be had",
		       p->spec->name, need, p->tune.jobs, (unsigned long long)depth, one,
		       p->writes ? " x 2" : "");
}

/* A file may hold it, but such a run would never come to an end by it. */
static int check_steady(const struct job_spec *s, struct err *e)
{
	if (s->steady_ns && s->steady_ns < STEADY_MIN_NS)
		return err_set(e, ERANGE,
			       "%s: steadystate_duration: at least 1 s, a figure is taken a second",
			       s->name);
	if (s->steady_ns && s->steady_ns < 2 * STEADY_MIN_NS && steady_is_slope(s->steady_kind))
		return err_set(e, ERANGE,
			       "%s: steadystate_duration: a slope needs at least two seconds",
			       s->name);
	return 0;
}

static int check_loops(const struct plan *p, struct err *e)
{
	const struct job_spec *s = p->spec;

	if (!s->unlink_each_loop || s->loops < 2 || !(s->rw.ops & IO_BIT(IO_READ)) ||
	    p->engine->flags & ENGINE_DISKLESS)
		return 0;
	return err_set(
		e, EINVAL,
		"%s: unlink_each_loop: rw=%s reads, and after the first of %u loops there is "
		"nothing left to read",
		s->name, job_spec_rw_word(&s->rw), s->loops);
}

static int refuse_readonly(const struct plan *p, struct err *e)
{
	const struct job_spec *s = p->spec;

	if (p->iolog)
		return err_set(e, EROFS,
			       "%s: read_iolog=%.200s writes, and --readonly was given; see "
			       "replay_skip=write,trim",
			       s->name, s->read_iolog);
	return err_set(e, EROFS, "%s: rw=%s writes, and --readonly was given", s->name,
		       job_spec_rw_word(&s->rw));
}

static int plan_diskless(struct plan *p, const struct plan_env *env, struct err *e)
{
	const struct job_spec *s = p->spec;
	int rc;

	p->n_files = s->nrfiles;
	draw_file_sizes(p);
	rc = plan_device_open(p, env->clock ? env->clock : &clock_real, e);
	if (rc)
		return rc;
	if (p->iolog) {
		plan_iolog_files(p);
		return 0;
	}
	if (!p->device && (!has_size(p) || (s->size.is_pct && !p->file_sizes)))
		return err_set(e, EINVAL, "%s: you need to specify size= for ioengine=%s", s->name,
			       s->ioengine);
	return check_blocks(p, &p->tune, e);
}

static int plan_with_files(struct plan *p, const struct plan_env *env, struct err *e)
{
	int rc = plan_device_refuse(p->spec, p->engine->name, e);

	if (rc)
		return rc;
	if (p->iolog)
		plan_iolog_files(p);
	else
		rc = plan_name_files(p, e);
	if (rc)
		return rc;
	if (!p->iolog)
		draw_file_sizes(p);
	return inspect_targets(p, env, e);
}

int plan_build(struct plan *p, const struct job_spec *spec, const struct plan_env *env,
	       struct err *e)
{
	int rc;

	*p = (struct plan){.spec = spec, .align = 1, .n_files = 1};
	job_spec_tuning(spec, &p->tune);
	p->writes = p->tune.ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM));
	rc = job_spec_check(spec, e);
	if (rc == 0)
		rc = check_steady(spec, e);
	if (rc == 0)
		rc = plan_iolog_load(p, e);
	if (rc)
		return rc;
	rc = find_engine(p, e);
	if (rc == 0)
		rc = check_loops(p, e);
	if (rc)
		return rc;
	if (env->clock && env->clock->is_virtual && !(p->engine->flags & ENGINE_SIM))
		return err_set(e, EINVAL, "%s: ioengine=%s works in real time, not in virtual time",
			       spec->name, spec->ioengine);
	if (p->writes && env->target.readonly)
		return refuse_readonly(p, e);
	rc = plan_lists(p, env, e);
	if (rc)
		return rc;
	rc = p->engine->flags & ENGINE_DISKLESS ? plan_diskless(p, env, e)
						: plan_with_files(p, env, e);
	if (rc == 0)
		rc = plan_iolog_check_written(p, e);
	if (rc == 0)
		rc = size_targets(p, env, e);
	if (rc == 0)
		rc = check_memory(p, e);
	if (rc == 0)
		rc = memory_check_lock(spec, env->target.fsroot, e);
	if (rc)
		return rc;
	if (env->notes)
		plan_notes(p, env->notes);
	return 0;
}

void plan_fini(struct plan *p)
{
	for (unsigned i = 0; i < p->n_targets; i++)
		target_fini(&p->targets[i]);
	plan_device_close(p);
	if (p->iolog)
		iolog_fini(p->iolog);
	free(p->iolog);
	p->iolog = NULL;
	free(p->targets);
	free(p->dist);
	free(p->file_sizes);
	p->dist = NULL;
	p->file_sizes = NULL;
	p->targets = NULL;
	p->n_targets = 0;
}

/* Every clone of a live change stays within what was agreed to, and what was laid out. */
static int check_regions(const struct plan *p, struct err *e)
{
	uint64_t off, len;

	for (unsigned k = 0; k < p->tune.jobs; k++)
		for (unsigned f = 0; f < p->n_files; f++) {
			const struct target *t = p->n_targets ? target_of(p, k, f) : NULL;
			int rc = plan_region(p, k, f, &off, &len, e);

			if (rc)
				return rc;
			if (!t || (!p->writes && t->info.kind == TARGET_BLOCK))
				continue;
			if (off < t->off_bytes || off + len > t->need_bytes)
				return err_set(e, ERANGE,
					       "jobs=%u: job %u would go beyond the region that "
					       "this run began with; stop, then start it so",
					       p->tune.jobs, k + 1);
		}
	return 0;
}

/* What the log says stays as it is. */
static int check_replayed(const struct tuning *now, const struct tuning *want, struct err *e)
{
	bool same = want->jobs == now->jobs && want->ops == now->ops &&
		    want->random == now->random && want->read_pct == now->read_pct &&
		    memcmp(want->bs_bytes, now->bs_bytes, sizeof(now->bs_bytes)) == 0;

	return same ? 0
		    : err_set(e, EBUSY,
			      "a log is played back (read_iolog): only depth and rates can change");
}

int plan_check_tuning(const struct plan *p, const struct tuning *now, const struct tuning *want,
		      struct err *e)
{
	struct plan with = *p;

	if (want->jobs < 1 || want->jobs > TUNING_JOBS_MAX)
		return err_set(e, ERANGE, "jobs=%u: 1 to %u", want->jobs, TUNING_JOBS_MAX);
	if (want->qd < 1 || want->qd > TUNING_QD_MAX)
		return err_set(e, ERANGE, "qd=%u: 1 to %u", want->qd, TUNING_QD_MAX);
	if (want->jobs > now->jobs && !p->shared_files && p->n_targets)
		return err_set(
			e, EBUSY,
			"jobs: each job of this run has its own file; set it before the start");
	if (want->ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM)) && !p->writes)
		return err_set(
			e, EROFS,
			"rw: the target is open read-only; stop, then choose a write pattern");
	if (want->ops == 0)
		return err_set(e, EINVAL, "rw: nothing to do");
	if (p->iolog)
		return check_replayed(now, want, e);
	if (check_blocks(p, want, e))
		return -e->code;
	with.tune = *want;
	return check_regions(&with, e);
}
