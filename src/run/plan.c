#include "src/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"

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

/* Names */

/* The next name of a ':' list; '\:' is a literal colon. NULL at the end. */
static char *next_name(const char **list)
{
	struct strbuf sb = {0};
	const char *s = *list;

	if (!s || !*s)
		return NULL;
	for (; *s && *s != ':'; s++) {
		if (s[0] == '\\' && s[1] == ':')
			s++;
		strbuf_putc(&sb, *s);
	}
	*list = *s ? s + 1 : NULL;
	return sb.s ? sb.s : xstrdup("");
}

static char *in_directory(const struct job_spec *s, unsigned clone, const char *name)
{
	const char *list = s->directory;
	char *dir = NULL, *path;
	unsigned n = 0;

	if (!list || !*list)
		return xstrdup(name);
	for (const char *c = list; (dir = next_name(&c)); free(dir))
		n++;
	for (unsigned skip = clone % n; (dir = next_name(&list)) && skip; skip--)
		free(dir);
	path = xasprintf("%s/%s", dir, name);
	free(dir);
	return path;
}

static void add_path(struct plan *p, char *path)
{
	p->targets = xrealloc(p->targets, (p->n_targets + 1) * sizeof(*p->targets));
	p->targets[p->n_targets] = (struct target){.path = path, .fd = -1};
	p->n_targets++;
}

/* fio-language 1.4: filename (a list, shared by the clones), else JOBNAME.CLONE.FILE for each clone. */
static int name_files(struct plan *p, struct err *e)
{
	const struct job_spec *s = p->spec;
	const char *list = s->filename;
	char *name;

	p->shared_files = list != NULL;
	if (list && !*list)
		return err_set(e, EINVAL,
			       "filename= is an empty file name; name a file or a device");
	if (!list) {
		p->n_files = 1;
		for (unsigned k = 0; k < s->numjobs; k++) {
			unsigned clone = plan_clone_number(p, k);

			name = xasprintf("%s.%u.0", s->name, clone);
			for (char *c = name; *c; c++)
				if (*c == '/')
					*c = '.';
			add_path(p, in_directory(s, clone, name));
			free(name);
		}
		return 0;
	}
	while ((name = next_name(&list))) {
		bool empty = !*name;

		add_path(p, in_directory(s, 0, name));
		free(name);
		if (empty)
			return err_set(e, EINVAL, "filename=%s holds an empty file name",
				       s->filename);
	}
	p->n_files = p->n_targets;
	return 0;
}

/* Regions */

static uint64_t amount_of(const struct amount *a, uint64_t whole)
{
	if (!a->is_pct)
		return a->bytes;
	return (uint64_t)((unsigned __int128)whole * a->pct / 100);
}

static const struct target *target_of(const struct plan *p, unsigned k, unsigned f)
{
	return &p->targets[p->shared_files ? f : k * p->n_files + f];
}

/* What the job covers of a file of `whole` bytes (0: unknown yet) from `off`; 0: not known. */
static uint64_t span_of(const struct plan *p, uint64_t whole, uint64_t off)
{
	const struct job_spec *s = p->spec;

	if (s->size.is_set)
		return s->size.is_pct ? amount_of(&s->size, whole) : s->size.bytes / p->n_files;
	return whole > off ? whole - off : 0;
}

static int region_error(const struct plan *p, const char *path, uint64_t len, struct err *e)
{
	char have[32], bs[32];

	units_fmt_size_exact(have, sizeof(have), len);
	units_fmt_size_exact(bs, sizeof(bs), largest_bs(p));
	return err_set(e, EINVAL,
		       "%s: the region of %s (%llu bytes) is smaller than one block of %s",
		       path ? path : p->spec->name, have, (unsigned long long)len, bs);
}

int plan_region(const struct plan *p, unsigned k, unsigned f, uint64_t *off, uint64_t *len,
		struct err *e)
{
	const struct job_spec *s = p->spec;
	bool diskless = p->engine->flags & ENGINE_DISKLESS;
	const struct target *t = diskless ? NULL : target_of(p, k, f);
	uint64_t whole = t ? t->info.size_bytes : s->size.bytes, bs = smallest_bs(p);
	uint64_t step = amount_of(&s->offset_increment, whole);
	bool bounded = t && (t->info.kind == TARGET_BLOCK || s->size.is_pct);
	char at[32], end[32];

	*off = amount_of(&s->offset, whole) + step * plan_clone_number(p, k);
	if (s->offset.is_pct || s->offset_increment.is_pct)
		*off = *off / bs * bs;
	*len = span_of(p, whole, *off);
	if (t && *off >= whole && (bounded || !s->size.is_set)) {
		units_fmt_bytes(at, sizeof(at), (double)*off, false);
		units_fmt_bytes(end, sizeof(end), (double)whole, false);
		if (whole == 0 && *off == 0)
			return err_set(e, EINVAL, "%s: size= is needed: the file is empty",
				       t->path);
		return err_set(e, EINVAL, "%s: offset %s is past the end (%s)", t->path, at, end);
	}
	if (bounded && *off + *len > whole)
		*len = whole - *off;
	if (*len < largest_bs(p))
		return region_error(p, t ? t->path : NULL, *len, e);
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
		t->writes = p->writes;
		t->reads = p->tune.ops & IO_BIT(IO_READ);
		if (p->spec->direct && t->info.logical_block > align)
			align = t->info.logical_block;
	}
	p->align = align;
	return check_blocks(p, &p->tune, e);
}

/* Regions of every clone; how long each file must be; the clone's size limit. */
static int size_targets(struct plan *p, const struct plan_env *env, struct err *e)
{
	uint64_t total = 0, off, len;
	int rc;

	for (unsigned k = 0; k < p->spec->numjobs; k++) {
		for (unsigned f = 0; f < p->n_files; f++) {
			struct target *t = NULL;

			if (p->n_targets)
				t = &p->targets[p->shared_files ? f : k * p->n_files + f];
			if (t && t->info.kind == TARGET_MISSING && !p->spec->size.is_set)
				return err_set(e, EINVAL,
					       "%s: size= is needed: the file does not exist",
					       t->path);
			if (t && t->info.kind == TARGET_MISSING && p->spec->size.is_pct)
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
				total += len / smallest_bs(p) * smallest_bs(p);
			if (t && (t->need_bytes == 0 || off < t->off_bytes))
				t->off_bytes = off;
			if (t && off + len > t->need_bytes)
				t->need_bytes = off + len;
		}
	}
	set_limits(p, total);
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

static void plan_notes(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;

	if (!notes)
		return;
	if (p->engine->flags & ENGINE_SYNC && s->iodepth > 1)
		strbuf_addf(notes,
			    "%s: iodepth=%u with ioengine=%s: a synchronous engine, depth is "
			    "capped at 1\n",
			    s->name, s->iodepth, p->engine->name);
	if (!strcmp(p->engine->name, "libaio") && !s->direct)
		strbuf_addf(notes,
			    "%s: libaio without direct=1: submission may block, the depth is not "
			    "kept\n",
			    s->name);
	if (s->allow_mounted_write && p->writes)
		strbuf_addf(notes,
			    "%s: allow_mounted_write=1 has no effect: a device that is mounted is "
			    "not written to\n",
			    s->name);
	if (s->numjobs > 1 && p->shared_files && !p->tune.random && !s->offset_increment.is_set &&
	    p->n_targets)
		strbuf_addf(notes,
			    "%s: %u sequential jobs walk the same blocks of one file; caches may "
			    "answer, "
			    "offset_increment= gives each its own part\n",
			    s->name, s->numjobs);
}

int plan_build(struct plan *p, const struct job_spec *spec, const struct plan_env *env,
	       struct err *e)
{
	int rc;

	*p = (struct plan){.spec = spec, .align = 1, .n_files = 1};
	job_spec_tuning(spec, &p->tune);
	p->writes = p->tune.ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM));
	rc = job_spec_check(spec, e);
	if (rc)
		return rc;
	rc = find_engine(p, e);
	if (rc)
		return rc;
	if (p->writes && env->target.readonly)
		return err_set(e, EROFS, "%s: rw=%s writes, and --readonly was given", spec->name,
			       job_spec_rw_word(&spec->rw));
	if (p->engine->flags & ENGINE_DISKLESS) {
		if (!spec->size.is_set || spec->size.is_pct)
			return err_set(e, EINVAL, "%s: you need to specify size= for ioengine=%s",
				       spec->name, spec->ioengine);
		rc = check_blocks(p, &p->tune, e);
	} else {
		rc = name_files(p, e);
		if (rc == 0)
			rc = inspect_targets(p, env, e);
	}
	if (rc == 0)
		rc = size_targets(p, env, e);
	if (rc)
		return rc;
	plan_notes(p, env->notes);
	return 0;
}

void plan_fini(struct plan *p)
{
	for (unsigned i = 0; i < p->n_targets; i++)
		target_fini(&p->targets[i]);
	free(p->targets);
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
	if (check_blocks(p, want, e))
		return -e->code;
	with.tune = *want;
	return check_regions(&with, e);
}
