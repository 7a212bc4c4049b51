#include "src/app_sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/app_command.h"
#include "src/app_signals.h"
#include "src/app_sweep_args.h"
#include "src/app_sweep_line.h"
#include "src/app_target.h"
#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/out/out_sweep.h"
#include "src/run/session.h"

#define LOOK_US      100000u
#define DRAIN_MAX_NS (5 * NSEC_PER_SEC)

struct app {
	struct sweep_args args;
	struct session *session;
	struct sweep_view *v;
	FILE *out;
	bool tty, quiet, line_shown;
	unsigned told; /* cells whose line is printed */
};

/* -- progress --------------------------------------------------------------------------------- */

static unsigned tty_columns(void)
{
	struct winsize ws;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col ? ws.ws_col : 80;
}

static void clear_line(struct app *a)
{
	if (a->line_shown)
		fputs("\r\033[K", stderr);
	a->line_shown = false;
}

/* On a terminal one line is overwritten; elsewhere each cell begun is a line of its own. */
static void show_progress(struct app *a)
{
	unsigned n = a->v->total - a->v->todo;
	struct strbuf sb = {0};
	size_t len;

	if (a->quiet || !sweep_view_runs(a->v) || (!a->tty && n + 1 == a->told))
		return;
	app_sweep_line(a->v, &sb);
	len = sb.len;
	if (a->tty && len >= tty_columns())
		len = tty_columns() - 1;
	fprintf(stderr, "%s%.*s%s", a->tty ? "\r" : "", (int)len, strbuf_str(&sb),
		a->tty ? "\033[K" : "\n");
	a->line_shown = a->tty;
	a->told = n + 1;
	strbuf_fini(&sb);
}

/* -- the run ---------------------------------------------------------------------------------- */

static void on_note(void *arg, const char *line)
{
	clear_line(arg);
	fprintf(stderr, "iodeck: note: %s\n", line);
}

static void look(struct app *a)
{
	session_sweep_view(a->session, a->v);
}

/* True when workers were given up on. */
static bool wait_for_end(struct app *a)
{
	uint64_t stop_ns = 0;

	for (;; usleep(LOOK_US)) {
		uint64_t now = clock_mono_ns();

		look(a);
		show_progress(a);
		if (app_signals_seen() && !stop_ns) {
			stop_ns = now;
			clear_line(a);
			fprintf(stderr,
				"iodeck: terminating on signal %d; what is measured is "
				"kept\n",
				app_signals_last());
			session_sweep_stop(a->session, app_signals_last());
			continue;
		}
		if (!sweep_view_runs(a->v) && session_wait(a->session, 0))
			return false;
		if (stop_ns && (app_signals_seen() > 1 || now - stop_ns > DRAIN_MAX_NS))
			return true;
	}
}

static int export_jobs(struct app *a, const struct sweep_result *r)
{
	const char *path = a->args.export_jobs;
	struct strbuf sb = {0};
	int rc;

	if (!path)
		return 0;
	sweep_out_jobs(r, &a->args.cmd.spec.jobs[0], &sb);
	rc = fs_write_atomic(path, strbuf_str(&sb), sb.len);
	strbuf_fini(&sb);
	if (rc)
		fprintf(stderr, "iodeck: --export-jobs=%s: %s\n", path, strerror(-rc));
	return rc ? 1 : 0;
}

static int report(struct app *a)
{
	struct strbuf sb = {0};
	int status = export_jobs(a, &a->v->r);

	app_target_identity(a->args.cmd.spec.jobs[0].filename, a->v->r.target_id,
			    sizeof(a->v->r.target_id));
	sweep_report(a->args.formats, &a->v->r, &a->args.cmd.spec.jobs[0], &sb);
	if (app_command_print(&sb, a->out))
		status = 1;
	strbuf_fini(&sb);
	return status;
}

static int finish(struct app *a)
{
	int status;

	clear_line(a);
	if (a->v->why[0])
		fprintf(stderr, "iodeck: %s\n", a->v->why);
	status = report(a);
	if (a->v->phase == SWEEP_FAILED)
		status = 1;
	return app_signals_seen() ? SIGNAL_STATUS : status;
}

static int begin(struct app *a, struct err *e)
{
	if (a->args.saved)
		return session_sweep_go_on(a->session, &a->args.cmd.spec, &a->args.saved->r, e);
	return session_sweep(a->session, &a->args.cmd.spec, &a->args.spec, e);
}

static int run(struct app *a)
{
	const struct cmdline *c = &a->args.cmd;
	struct session_cfg cfg = app_command_session(c, on_note, a);
	struct err e = {0};
	bool given_up;
	int status;

	cfg.headroom = true;
	if (session_open(&a->session, &cfg, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	if (begin(a, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		session_close(a->session);
		return 1;
	}
	given_up = wait_for_end(a);
	status = finish(a);
	/* A worker stuck in the kernel cannot be joined; the report is out. */
	if (given_up)
		_exit(status);
	session_close(a->session);
	return status;
}

static int open_output(struct app *a)
{
	const char *path = a->args.cmd.output;

	a->out = path ? fopen(path, "we") : stdout;
	if (a->out)
		return 0;
	fprintf(stderr, "iodeck: --output=%s: %s\n", path, strerror(errno));
	return 1;
}

static int run_parsed(struct app *a)
{
	int status;

	fputs(strbuf_str(&a->args.cmd.spec.notes), stderr);
	if (a->args.cmd.parse_only) {
		sweep_result_init(&a->v->r, &a->args.spec);
		return export_jobs(a, &a->v->r);
	}
	if (open_output(a))
		return 1;
	a->tty = isatty(STDERR_FILENO);
	a->quiet = a->args.cmd.eta == ETA_NEVER;
	app_signals_catch();
	status = run(a);
	if (a->out != stdout && fclose(a->out)) {
		fprintf(stderr, "iodeck: --output=%s: %s\n", a->args.cmd.output, strerror(errno));
		status = 1;
	}
	return status;
}

int app_sweep(int argc, char **argv)
{
	struct app a = {0};
	struct strbuf help = {0};
	struct err e = {0};
	int status = 0;

	if (sweep_args_parse(argc, argv, &a.args, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	a.v = xcalloc(1, sizeof(*a.v));
	if (a.args.cmd.help) {
		sweep_args_help(&help);
		fputs(strbuf_str(&help), stdout);
	} else if (a.args.cmd.version) {
		puts("iodeck-" IODECK_VERSION);
	} else {
		status = run_parsed(&a);
	}
	strbuf_fini(&help);
	sweep_args_fini(&a.args);
	free(a.v);
	return status;
}
