/* Jobs of several files: which one comes next. Loops that each begin with empty files. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/run/worker.h"

#define NO_FILE   UINT_MAX
#define DRAWS_MAX 64u

static void init_dist(struct worker *w)
{
	static const enum distribution_kind kinds[] = {[SERVE_ZIPF] = DIST_ZIPF,
						       [SERVE_PARETO] = DIST_PARETO,
						       [SERVE_NORMAL] = DIST_NORMAL};
	const struct job_spec *s = w->cfg.spec;

	if (s->file_service <= SERVE_RANDOM)
		return;
	w->file_dist_def = (struct distribution){.kind = kinds[s->file_service],
						 .param = s->service_param,
						 .center = s->service_center};
	w->file_dist = xcalloc(1, sizeof(*w->file_dist));
	dist_init(w->file_dist, &w->file_dist_def, IO_READ, w->n_places, 1, w->cfg.seed);
}

/* Every file is still to be done. */
static void begin_pass(struct worker *w)
{
	for (unsigned i = 0; i < w->n_places; i++)
		w->place_file[i] = i;
	w->n_busy = w->new_file = w->n_places;
	w->next_place = 0;
	w->turn_over = false;
	w->service_left = 0;
}

void worker_files_init(struct worker *w)
{
	unsigned n = w->cfg.n_files, open = w->cfg.spec->openfiles;

	w->n_places = open && open < n ? open : n;
	w->file_bytes = xcalloc(n, sizeof(*w->file_bytes));
	w->place_file = xcalloc(w->n_places, sizeof(*w->place_file));
	init_dist(w);
	begin_pass(w);
}

void worker_files_fini(struct worker *w)
{
	free(w->file_bytes);
	free(w->place_file);
	free(w->file_dist);
}

static bool is_busy(const struct worker *w, unsigned place)
{
	return w->place_file[place] < w->cfg.n_files;
}

/* The next place, round and round, that has a file to do. */
static unsigned busy_from(const struct worker *w, unsigned place)
{
	while (!is_busy(w, place % w->n_places))
		place++;
	return place % w->n_places;
}

/* What was drawn in vain is drawn anew, as fio does it, but not for ever. */
static unsigned draw_place(struct worker *w)
{
	unsigned place = 0, tries = 0;

	do
		place = (unsigned)(w->file_dist ? dist_next(w->file_dist, &w->rng)
						: rng_below(&w->rng, w->n_places));
	while (!is_busy(w, place) && ++tries < DRAWS_MAX);
	return busy_from(w, place);
}

unsigned worker_choose_file(struct worker *w)
{
	const struct job_spec *s = w->cfg.spec;

	if (s->file_service == SERVE_SEQUENTIAL) {
		w->next_place = busy_from(w, w->next_place);
		return w->place_file[w->next_place];
	}
	if (w->service_left == 0 || !is_busy(w, w->next_place)) {
		w->service_left = s->service_ios;
		if (s->file_service >= SERVE_RANDOM)
			w->next_place = draw_place(w);
		else
			w->next_place = busy_from(w, w->next_place + w->turn_over);
		w->turn_over = true;
	}
	w->service_left--;
	return w->place_file[w->next_place];
}

/* A file is done when as many bytes as its region holds were issued to it. */
static bool is_done(const struct worker *w, unsigned file)
{
	uint64_t bs = w->tune.bs_bytes[__builtin_ctz(w->tune.ops)];

	return w->file_bytes[file] + bs > w->cfg.files[file].len_bytes * (w->cfg.paired ? 2 : 1);
}

/* The place of a finished file goes to the next one, or is empty until all are done. */
void worker_served(struct worker *w, unsigned file, uint32_t len)
{
	w->file_bytes[file] += len;
	if (!is_done(w, file))
		return;
	w->file_bytes[file] = 0;
	if (w->new_file < w->cfg.n_files) {
		w->place_file[w->next_place] = w->new_file++;
		if (w->cfg.spec->file_service == SERVE_SEQUENTIAL)
			w->next_place = busy_from(w, w->next_place + 1);
	} else {
		w->place_file[w->next_place] = NO_FILE;
		if (--w->n_busy == 0)
			begin_pass(w);
	}
}

/* unlink_each_loop */

void worker_first_loop(struct worker *w)
{
	w->limit_bytes = w->cfg.io_bytes < w->cfg.loop_bytes ? w->cfg.io_bytes : w->cfg.loop_bytes;
}

void worker_limits_reached(struct worker *w)
{
	if (w->limit_bytes < w->cfg.io_bytes && w->issued_ios < w->cfg.number_ios)
		w->loop_due = true;
	else
		w->draining = true;
}

/*
 * The file is emptied, not made anew: all its blocks are given back, and it stays the very file that
 * the run has been allowed to write. The last loop's is deleted when the run is over.
 */
void worker_next_loop(struct worker *w)
{
	w->loop_due = false;
	w->limit_bytes += w->cfg.loop_bytes;
	if (w->limit_bytes > w->cfg.io_bytes)
		w->limit_bytes = w->cfg.io_bytes;
	for (unsigned i = 0; i < w->cfg.n_files; i++)
		if (w->cfg.files[i].made && ftruncate(w->fds[i], 0) < 0)
			worker_fail(w, errno, "unlink_each_loop: emptying %s: %s",
				    w->cfg.files[i].path, strerror(errno));
}
