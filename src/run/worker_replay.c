/* Playing back a log (read_iolog): what comes next is looked up, when it comes is the log's affair. */
#include "src/run/worker_turn.h"

void worker_replay_start(struct worker *w, uint64_t now)
{
	w->replay = (struct replay){.base_ns = now, .begun_ns = now};
}

void worker_replay_shift(struct worker *w, uint64_t ns)
{
	w->replay.base_ns += ns;
	w->replay.begun_ns += ns;
	w->replay.due_ns += ns;
}

/*
 * As fio does it, gaps are kept, not the times themselves: after an I/O that the device was late for, the
 * next one comes its gap later, and nothing is caught up with. An overslept wait is no such lateness.
 */
static uint64_t due_of(struct worker *w, const struct iolog_rec *r, uint64_t now)
{
	struct replay *p = &w->replay;

	if (!p->looked) {
		p->due_ns = r->time_ns + (w->cfg.replay->absolute ? p->begun_ns : p->base_ns);
		p->waited = p->due_ns > now;
		p->looked = true;
	}
	return p->due_ns;
}

static void step(struct worker *w, uint64_t now)
{
	struct replay *p = &w->replay;

	p->base_ns = p->waited ? p->due_ns : now;
	p->looked = false;
	p->at++;
}

/* The time before which nothing more can be issued; 0 with *stop: for other reasons. */
static uint64_t next(struct worker *w, uint64_t now, bool *stop)
{
	const struct iolog_rec *r = &w->cfg.replay->v[w->replay.at];
	struct io_at io = {.offset = r->offset, .start_ns = now, .len = r->len, .file = r->file};
	uint64_t due = due_of(w, r, now);

	if (due > now)
		return due;
	if (r->kind == IOLOG_SYNC || r->kind == IOLOG_DATASYNC) {
		w->sync_due = *stop = true;
		w->sync_one = r->file + 1;
		w->sync_data = r->kind == IOLOG_DATASYNC;
	}
	if (r->kind >= IO_OP_NR) {
		step(w, now);
		return 0;
	}
	io.op = (enum io_op)r->kind;
	if (w->rate.any)
		io.due_ns = rate_due_ns(&w->rate, io.op);
	if (io.due_ns > now)
		return io.due_ns;
	if (worker_wants_sync(w, io.op)) {
		w->sync_due = *stop = true;
		return 0;
	}
	worker_put(w, &io);
	step(w, now);
	return 0;
}

uint64_t worker_fill_replay(struct worker *w, uint64_t now)
{
	uint64_t until_ns;
	uint32_t room = worker_room(w, now, &until_ns);
	bool stop = false;

	while (room && w->n_free && !stop) {
		uint32_t before = w->n_batch;

		if (w->replay.at == w->cfg.replay->n) {
			w->draining = true;
			break;
		}
		until_ns = next(w, now, &stop);
		if (until_ns)
			break;
		room -= w->n_batch - before;
		if (w->cfg.spec->thinktime_by_issue && w->cfg.spec->thinktime_ns &&
		    w->think.count >= w->cfg.spec->thinktime_blocks)
			break;
	}
	return until_ns;
}
