#include "src/app_compare.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app_command.h"
#include "src/app_signals.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/out/out_compare.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define FAILED_MAX   125
#define LOOK_MS      100
#define DRAIN_MAX_NS (5 * NSEC_PER_SEC)

struct app {
	struct cmdline cmd;
	bool alternate;
	uint64_t slice_ns; /* 0: the default */
	struct session *session;
	struct snapshot *snap;
	struct compare_track *track;
	struct lane_report lane[LANE_MAX];
	bool tty, line_shown;
	uint64_t next_line_ns;
};

/* ---- arguments ---- */

bool app_compare_wanted(int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], "--compare") == 0)
			return true;
	return false;
}

/* --alternate or --alternate=TIME; 0: another word. */
static int take_alternate(struct app *a, const char *word, struct err *e)
{
	const size_t n = strlen("--alternate");
	int rc;

	if (strncmp(word, "--alternate", n) != 0 || (word[n] && word[n] != '='))
		return 0;
	a->alternate = true;
	if (word[n] == '\0')
		return 1;
	rc = units_parse_time(word + n + 1, UNIT_SEC, &a->slice_ns, e);
	return rc < 0 ? rc : 1;
}

/* What is not ours goes to the parser of `iodeck run`. */
static int parse(struct app *a, int argc, char *const *argv, struct err *e)
{
	char **rest = xcalloc((size_t)argc + 1, sizeof(*rest));
	int n = 0, rc = 0;

	for (int i = 0; i < argc && rc >= 0; i++) {
		if (strcmp(argv[i], "--compare") == 0)
			continue;
		rc = take_alternate(a, argv[i], e);
		if (rc == 0)
			rest[n++] = argv[i];
	}
	if (rc >= 0)
		rc = cmdline_parse(n, rest, &a->cmd, e);
	free(rest);
	return rc < 0 ? rc : 0;
}

/* Files given together run one after the other, as fio has it; not when they are to be compared. */
static void drop_walls(struct spec *s)
{
	for (size_t i = 1; i < s->n_jobs; i++)
		s->jobs[i].stonewall = false;
}

static int check(const struct app *a, struct err *e)
{
	const struct spec *s = &a->cmd.spec;

	if (a->cmd.formats & ~(unsigned)(FORMAT_NORMAL | FORMAT_JSON))
		return err_set(e, EINVAL, "--compare: the formats are normal and json");
	if (s->n_jobs < 2 || s->n_jobs > LANE_MAX)
		return err_set(e, EINVAL,
			       "--compare: two to %d jobs are needed, as in --compare a.fio b.fio; "
			       "there %s %zu",
			       LANE_MAX, s->n_jobs == 1 ? "is" : "are", s->n_jobs);
	for (size_t i = 1; i < s->n_jobs; i++)
		if (s->jobs[i].stonewall || s->jobs[i].wait_for)
			return err_set(e, EINVAL,
				       "--compare: %s runs after the others (stonewall, wait_for); "
				       "lanes run side by side",
				       s->jobs[i].name);
	return 0;
}

/* ---- the run ---- */

static void clear_line(struct app *a)
{
	if (a->line_shown)
		fputs("\r\033[K", stderr);
	a->line_shown = false;
}

static void on_note(void *arg, const char *line)
{
	clear_line(arg);
	fprintf(stderr, "iodeck: note: %s\n", line);
}

static void show_line(struct app *a)
{
	uint64_t now = clock_mono_ns();

	if (!a->tty || a->cmd.eta == ETA_NEVER || now < a->next_line_ns)
		return;
	a->next_line_ns = now + NSEC_PER_SEC;
	fputs("\r\033[K", stderr);
	for (uint32_t i = 0; i < a->snap->n_lanes && i < LANE_MAX; i++) {
		char n[32] = "waits";

		if (a->snap->lane[i].state != RUN_PAUSED)
			units_fmt_count(n, sizeof(n), a->snap->lane[i].sec[IO_OP_NR].iops);
		fprintf(stderr, "%s%c %s", i ? "   " : "", 'A' + (char)i, n);
	}
	a->line_shown = true;
}

/* What the lanes are; taken while they run, because afterwards nobody tells any more. */
static void keep_lanes(struct app *a)
{
	for (uint32_t i = 0; i < a->snap->n_lanes && i < LANE_MAX; i++) {
		const struct lane_snap *l = &a->snap->lane[i];
		struct lane_report *r = &a->lane[i];

		snprintf(r->target, sizeof(r->target), "%s", l->target);
		snprintf(r->engine, sizeof(r->engine), "%s", l->engine);
		r->tune = l->tune;
		r->simulated = l->simulated;
	}
}

static void take_snapshot(struct app *a)
{
	struct feed *f = session_feed(a->session);
	struct pollfd fd = {.fd = f->wake_fd, .events = POLLIN};
	uint64_t count;

	poll(&fd, 1, LOOK_MS);
	if (read(f->wake_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	if (f->ops->next(f, a->snap->seq, a->snap) <= 0)
		return;
	compare_track_add(a->track, a->snap);
	keep_lanes(a);
	show_line(a);
}

/* True when the workers were given up on (a device that does not answer). */
static bool wait_for_end(struct app *a)
{
	uint64_t stop_ns = 0;

	while (!session_wait(a->session, 0)) {
		uint64_t now = clock_mono_ns();

		take_snapshot(a);
		if (app_signals_seen() && !stop_ns) {
			stop_ns = now;
			clear_line(a);
			fprintf(stderr, "iodeck: terminating on signal %d\n", app_signals_last());
			session_stop(a->session, app_signals_last());
		} else if (stop_ns && (app_signals_seen() > 1 || now - stop_ns > DRAIN_MAX_NS)) {
			fprintf(stderr, "iodeck: requests are still in flight; reporting without "
					"them\n");
			return true;
		}
	}
	clear_line(a);
	return false;
}

static int print(struct app *a)
{
	struct compare_report r = {
		.n = (unsigned)a->cmd.spec.n_jobs,
		.lane = a->lane,
		.track = a->track,
		.alternate = a->alternate,
		.slice_ns = a->snap->ab.slice_ns,
	};
	FILE *out = a->cmd.output ? fopen(a->cmd.output, "we") : stdout;
	struct strbuf sb = {0};
	int status = 0;

	if (!out) {
		fprintf(stderr, "iodeck: --output=%s: %s\n", a->cmd.output, strerror(errno));
		return 1;
	}
	if (a->cmd.formats & FORMAT_JSON)
		compare_out_json(&r, &sb);
	if (a->cmd.formats & FORMAT_NORMAL)
		compare_out_normal(&r, &sb);
	status = app_command_print(&sb, out);
	if (out != stdout && fclose(out)) {
		fprintf(stderr, "iodeck: --output=%s: %s\n", a->cmd.output, strerror(errno));
		status = 1;
	}
	strbuf_fini(&sb);
	return status;
}

static int exit_status(struct app *a)
{
	const struct run_result *r = session_result(a->session);
	unsigned failed = r ? result_failed(r) : 0;
	struct err e = {0};

	for (size_t i = 0; r && i < r->n_jobs; i++)
		if (r->jobs[i].error)
			fprintf(stderr, "iodeck: %s: %s\n", r->jobs[i].spec->name,
				r->jobs[i].error_text);
	if (failed > FAILED_MAX)
		failed = FAILED_MAX;
	if (r && r->signal)
		return SIGNAL_STATUS + (int)(failed < 127 ? failed : 127);
	if (!failed && session_error(a->session, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	return (int)failed;
}

static int start(struct app *a, struct err *e)
{
	const struct cmdline *c = &a->cmd;
	struct session_cfg cfg = app_command_session(c, on_note, a);
	int rc = session_open(&a->session, &cfg, e);

	if (rc)
		return rc;
	rc = session_alternate(a->session, a->alternate, a->slice_ns, e);
	if (rc == 0)
		rc = session_start(a->session, &c->spec, e);
	if (rc)
		session_close(a->session);
	return rc;
}

static int run(struct app *a)
{
	struct err e = {0};
	bool given_up;
	int status, printed;

	if (start(a, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	for (size_t i = 0; i < a->cmd.spec.n_jobs; i++) {
		a->lane[i].name = a->cmd.spec.jobs[i].name;
		a->lane[i].rw = job_spec_rw_word(&a->cmd.spec.jobs[i].rw);
	}
	given_up = wait_for_end(a);
	printed = print(a);
	status = exit_status(a);
	status = status ? status : printed;
	if (given_up)
		_exit(status ? status : SIGNAL_STATUS);
	session_close(a->session);
	return status;
}

int app_compare(int argc, char *const *argv)
{
	struct app a = {0};
	struct err e = {0};
	int status = 0;

	if (parse(&a, argc, argv, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	if (a.cmd.several_sources)
		drop_walls(&a.cmd.spec);
	if (check(&a, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		cmdline_fini(&a.cmd);
		return 1;
	}
	fputs(strbuf_str(&a.cmd.spec.notes), stderr);
	a.snap = xcalloc(1, sizeof(*a.snap));
	a.track = xcalloc(1, sizeof(*a.track));
	a.tty = isatty(STDERR_FILENO);
	if (!a.cmd.parse_only) {
		app_signals_catch();
		status = run(&a);
	}
	free(a.snap);
	free(a.track);
	cmdline_fini(&a.cmd);
	return status;
}
