#include "src/app_keep.h"

#include <stdlib.h>
#include <time.h>

#include "src/app_history.h"
#include "src/app_target.h"
#include "src/base/clock.h"
#include "src/base/xalloc.h"

#define END_LOOKS 100 /* the snapshot of the end comes within a tick or two */
#define LOOK_NS   (20 * NSEC_PER_MSEC)

struct app_keep {
	struct session *session;
	struct archive *archive;
	const struct job_spec *job; /* the first stands for all */
	struct snapshot *snap;
	char device[256];
};

struct app_keep *app_keep_begin(struct session *s, const struct cmdline *c)
{
	struct app_keep *k;

	if (!c->state_dir || !c->spec.n_jobs)
		return NULL;
	k = xcalloc(1, sizeof(*k));
	k->session = s;
	k->archive = app_history_open(s, c->state_dir);
	k->job = &c->spec.jobs[0];
	k->snap = xcalloc(1, sizeof(*k->snap));
	app_target_identity(k->job->filename, k->device, sizeof(k->device));
	return k;
}

static struct archive_note note_of(const struct app_keep *k, bool stopped)
{
	return (struct archive_note){.job = k->job, .device = k->device, .stopped = stopped};
}

static enum run_state pull(struct app_keep *k)
{
	struct feed *f = session_feed(k->session);

	if (f->ops->next(f, k->snap->seq, k->snap) > 0)
		k->archive->ops->see(k->archive, k->snap);
	return k->snap->state;
}

void app_keep_look(struct app_keep *k)
{
	const struct archive_note note = k ? note_of(k, false) : (struct archive_note){0};

	if (!k)
		return;
	pull(k);
	k->archive->ops->checkpoint(k->archive, &note);
}

int app_keep_end(struct app_keep *k, bool stopped, struct err *e)
{
	const struct timespec nap = {.tv_nsec = LOOK_NS};
	char id[ARCHIVE_ID_SIZE];
	struct archive_note note;
	enum run_state state;
	int rc;

	if (!k)
		return 0;
	state = pull(k);
	for (int i = 0; i < END_LOOKS && state != RUN_DONE && state != RUN_FAILED; i++) {
		nanosleep(&nap, NULL);
		state = pull(k);
	}
	note = note_of(k, stopped);
	rc = k->archive->ops->save(k->archive, &note, id, e);
	app_history_close(k->archive);
	free(k->snap);
	free(k);
	return rc < 0 ? rc : 0;
}
