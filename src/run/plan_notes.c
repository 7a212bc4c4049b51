#include "src/run/plan_notes.h"
#include "src/run/plan_iolog.h"

#include <string.h>

static void note_engine(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;

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
}

static void note_offsets(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;
	bool all_random = true;

	for (unsigned op = 0; op < IO_OP_NR; op++)
		all_random &= s->percentage_random[op] == 100;
	if (s->numjobs > 1 && p->shared_files && !p->iolog && !p->tune.random &&
	    !s->offset_increment.is_set && p->n_targets)
		strbuf_addf(notes,
			    "%s: %u sequential jobs walk the same blocks of one file; caches may "
			    "answer, offset_increment= gives each its own part\n",
			    s->name, s->numjobs);
	if (s->random_generator)
		strbuf_addf(notes,
			    "%s: random_generator: random offsets come from a permutation that "
			    "covers every block, whichever generator is named\n",
			    s->name);
	if (p->tune.random && !all_random && !s->norandommap)
		strbuf_addf(notes,
			    "%s: percentage_random below 100: blocks may come more than once in a "
			    "pass\n",
			    s->name);
}

/* What somebody else made, or an earlier run left on purpose, is never deleted. */
static void note_unlink(const struct plan *p, struct strbuf *notes)
{
	const char *word = p->spec->unlink ? "unlink" : "unlink_each_loop";

	if (!p->spec->unlink && !p->spec->unlink_each_loop)
		return;
	for (unsigned i = 0; i < p->n_targets; i++)
		if (p->targets[i].info.kind == TARGET_FILE)
			strbuf_addf(notes, "%s: %s=1: %s was there before this run, it stays\n",
				    p->spec->name, word, p->targets[i].path);
}

static void note_target(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;

	if (s->latency_target_ns && !s->latency_window_ns)
		strbuf_addf(
			notes,
			"%s: latency_target without latency_window: each depth is judged by its "
			"first I/O\n",
			s->name);
	if (!s->latency_target_ns &&
	    (s->latency_window_ns || s->latency_run || s->latency_percentile < 100))
		strbuf_addf(notes,
			    "%s: latency_window, latency_percentile and latency_run have no effect "
			    "without latency_target\n",
			    s->name);
}

/* What the kernel writes back after the job has ended fails where nobody looks. */
static void note_write_back(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;

	if (!p->writes || !p->n_targets || s->direct || s->sync_io != SYNC_NONE || s->end_fsync ||
	    s->fsync_every || s->fdatasync_every || s->fsync_on_close ||
	    !(p->tune.ops & IO_BIT(IO_WRITE)))
		return;
	strbuf_addf(notes,
		    "%s: buffered writes without end_fsync=1: the cache answers, and errors of the "
		    "device may be lost\n",
		    s->name);
}

static void note_steady(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;
	const struct option_def *row = option_find(job_options, "steadystate");
	struct job_spec none;
	bool asked;

	job_spec_init(&none);
	asked = s->steady_ramp_ns || !option_equal(row, s, &none);
	job_spec_fini(&none);
	if (asked && !s->steady_ns)
		strbuf_addf(notes, "%s: steadystate has no effect without steadystate_duration\n",
			    s->name);
	if (s->steady_ns % STEADY_MIN_NS)
		strbuf_addf(notes, "%s: steadystate_duration: %llu whole seconds are looked at\n",
			    s->name, (unsigned long long)(s->steady_ns / STEADY_MIN_NS));
}

void plan_notes(const struct plan *p, struct strbuf *notes)
{
	note_engine(p, notes);
	note_offsets(p, notes);
	note_unlink(p, notes);
	note_target(p, notes);
	note_steady(p, notes);
	plan_iolog_notes(p, notes);
	if (p->spec->allow_mounted_write && p->writes)
		strbuf_addf(notes,
			    "%s: allow_mounted_write=1 has no effect: a device that is mounted is "
			    "not written to\n",
			    p->spec->name);
	note_write_back(p, notes);
	if (!p->spec->create_serialize)
		strbuf_addf(notes,
			    "%s: create_serialize=0: files are laid out one by one all the "
			    "same\n",
			    p->spec->name);
}
