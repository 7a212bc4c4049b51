#include "src/app_headless.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/app_command.h"
#include "src/app_dump.h"
#include "src/app_keep.h"
#include "src/app_plain.h"
#include "src/app_signals.h"
#include "src/app_status.h"
#include "src/base/xalloc.h"
#include "src/out/end_notes.h"
#include "src/out/report.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define FAILED_MAX   125 /* exit codes above mean something else to shells */
#define LOOK_NS      (100 * NSEC_PER_MSEC)
#define DRAIN_MAX_NS (5 * NSEC_PER_SEC)

struct headless {
	struct cmdline cmd;
	struct session *session;
	FILE *out;
	bool live;              /* a status line is wanted */
	bool live_tty;          /* it can be overwritten in place */
	struct snapshot *plain; /* as shown last; NULL: --plain is not asked for */
	struct app_keep *keep;  /* into the history; NULL: --state-dir is not given */
	bool line_shown;
	pthread_mutex_t
		header_lock; /* the first layout line and the main thread both want it out */
	bool header_done;
	uint64_t next_status_ns, next_newline_ns, next_dump_ns;
};

static bool wants_normal(const struct headless *h)
{
	return h->cmd.formats & FORMAT_NORMAL;
}

/* Once the request was accepted, before anything else on the output. */
static void print_header(struct headless *h)
{
	struct strbuf sb = {0};

	pthread_mutex_lock(&h->header_lock);
	if (!h->header_done && wants_normal(h)) {
		report_header(&h->cmd.spec, &sb);
		fputs(strbuf_str(&sb), h->out);
		fflush(h->out);
	}
	h->header_done = true;
	pthread_mutex_unlock(&h->header_lock);
	strbuf_fini(&sb);
}

static void on_note(void *arg, const char *line)
{
	struct headless *h = arg;

	/* fio's own lines belong to its normal output; stdout holds nothing else than the report. */
	if (strstr(line, ": Laying out IO file") && wants_normal(h)) {
		print_header(h);
		fprintf(h->out, "%s\n", line);
		return;
	}
	fprintf(stderr, "iodeck: note: %s\n", line);
}

static void clear_line(struct headless *h)
{
	if (h->line_shown && h->live_tty)
		fputs("\r\033[K", stderr);
	h->line_shown = false;
}

static unsigned tty_columns(void)
{
	struct winsize ws;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col ? ws.ws_col : 80;
}

static void show_status(struct headless *h)
{
	uint64_t now = clock_mono_ns();
	struct session_progress p;
	struct strbuf sb = {0};
	size_t len;

	if (!h->live || now < h->next_status_ns)
		return;
	h->next_status_ns = now + h->cmd.eta_interval_ns;
	session_progress(h->session, &p);
	status_line(&p, &sb);
	len = sb.len;
	if (h->live_tty && len >= tty_columns())
		len = tty_columns() - 1;
	fprintf(stderr, "%s%.*s%s", h->live_tty ? "\r" : "", (int)len, strbuf_str(&sb),
		h->live_tty ? "\033[K" : "\n");
	h->line_shown = true;
	strbuf_fini(&sb);
	if (h->live_tty && h->cmd.eta_newline_ns && now >= h->next_newline_ns) {
		fputc('\n', stderr);
		h->line_shown = false;
		h->next_newline_ns = now + h->cmd.eta_newline_ns;
	}
}

static int report(struct headless *h)
{
	const struct run_result *r = session_result(h->session);
	struct strbuf sb = {0};
	int status = 0;

	if (r)
		report_print_as(&(struct report_how){.formats = h->cmd.formats,
						     .terse_version = h->cmd.terse_version},
				r, &sb);
	if (app_command_print(&sb, h->out))
		status = 1;
	strbuf_fini(&sb);
	return status;
}

/* --status-interval, SIGUSR1, a trigger file: the numbers since the start, one whole document after another. */
static void show_dump(struct headless *h)
{
	uint64_t now = clock_mono_ns(), every = h->cmd.status_interval_ns;

	if (!app_dump_asked() && (!every || now < h->next_dump_ns))
		return;
	while (every && h->next_dump_ns <= now)
		h->next_dump_ns += every;
	clear_line(h);
	report(h);
}

/* How long the main thread may sleep: until the next line or dump is due. */
static uint64_t look_ns(const struct headless *h)
{
	uint64_t now = clock_mono_ns(), until = now + LOOK_NS;

	if (h->cmd.status_interval_ns && h->next_dump_ns < until)
		until = h->next_dump_ns;
	return until > now ? until - now : 0;
}

/*
 * The lines of --plain. On standard output, where they precede the report; a report that is for machines has
 * that for itself.
 */
static void show_plain(struct headless *h)
{
	uint64_t now = clock_mono_ns();
	struct feed *f = session_feed(h->session);
	FILE *to = h->cmd.output || h->cmd.formats == FORMAT_NORMAL ? stdout : stderr;
	struct strbuf sb = {0};

	if (!h->plain || now < h->next_status_ns)
		return;
	h->next_status_ns = now + h->cmd.eta_interval_ns;
	if (f->ops->next(f, h->plain->seq, h->plain) < 0)
		return;
	plain_lines(h->plain, h->cmd.words, &sb);
	fputs(strbuf_str(&sb), to);
	fflush(to);
	strbuf_fini(&sb);
}

/* Returns true when the workers were given up on (a device that does not answer). */
static bool wait_for_end(struct headless *h)
{
	int handled = 0;
	uint64_t drain_from = 0;

	while (!session_wait(h->session, look_ns(h))) {
		uint64_t now = clock_mono_ns();

		show_dump(h);
		show_status(h);
		show_plain(h);
		app_keep_look(h->keep);
		if (app_signals_seen() > handled && handled == 0) {
			handled = 1;
			drain_from = now;
			clear_line(h);
			fprintf(stderr, "\niodeck: terminating on signal %d\n", app_signals_last());
			session_stop(h->session, app_signals_last());
		} else if (handled && (app_signals_seen() > 1 || now - drain_from > DRAIN_MAX_NS)) {
			fprintf(stderr,
				"iodeck: requests are still in flight; reporting without them\n");
			return true;
		}
	}
	clear_line(h);
	return false;
}

static void print_end_notes(const struct headless *h)
{
	const struct run_result *r = session_result(h->session);
	struct strbuf sb = {0};

	if (r)
		end_notes(r, &sb);
	for (char *save = NULL, *line = sb.s ? strtok_r(sb.s, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		fprintf(stderr, "iodeck: note: %s\n", line);
	strbuf_fini(&sb);
}

static void print_errors(const struct run_result *r)
{
	for (size_t i = 0; r && i < r->n_jobs; i++)
		if (r->jobs[i].error && !r->jobs[i].survived)
			fprintf(stderr, "iodeck: %s: %s\n", r->jobs[i].spec->name,
				r->jobs[i].error_text);
}

static int exit_status(const struct headless *h)
{
	const struct run_result *r = session_result(h->session);
	unsigned failed = r ? result_failed(r) : 0;

	print_errors(r);
	if (failed > FAILED_MAX)
		failed = FAILED_MAX;
	if (r && r->signal)
		return SIGNAL_STATUS + (int)failed < 255 ? SIGNAL_STATUS + (int)failed : 255;
	return (int)failed;
}

static int run_session(struct headless *h)
{
	const struct cmdline *c = &h->cmd;
	struct session_cfg cfg = app_command_session(c, on_note, h);
	struct err e = {0};
	bool given_up;
	int status, unwritten;

	if (session_open(&h->session, &cfg, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	if (session_start(h->session, &h->cmd.spec, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		session_close(h->session);
		return 1;
	}
	print_header(h);
	h->keep = app_keep_begin(h->session, &h->cmd);
	given_up = wait_for_end(h);
	unwritten = report(h);
	print_end_notes(h);
	status = exit_status(h);
	if (status == 0)
		status = unwritten;
	if (status == 0 && session_error(h->session, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		status = 1;
	}
	if (app_keep_end(h->keep, app_signals_seen() > 0, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		status = status ? status : 1;
	}
	/* A worker stuck in the kernel cannot be joined; the report is out, leave. */
	if (given_up)
		_exit(status ? status : SIGNAL_STATUS);
	session_close(h->session);
	return status;
}

static int open_output(struct headless *h)
{
	h->out = stdout;
	if (!h->cmd.output)
		return 0;
	h->out = fopen(h->cmd.output, "we");
	if (h->out)
		return 0;
	fprintf(stderr, "iodeck: --output=%s: %s\n", h->cmd.output, strerror(errno));
	return 1;
}

static void show_command(const struct headless *h)
{
	struct strbuf sb = {0};

	cmdline_show(&h->cmd, &sb);
	fputs(strbuf_str(&sb), h->out);
	strbuf_fini(&sb);
}

static int run_parsed(struct headless *h)
{
	int status;

	fputs(strbuf_str(&h->cmd.spec.notes), stderr);
	if (h->cmd.parse_only && !h->cmd.showcmd)
		return 0;
	if (open_output(h))
		return 1;
	h->live_tty = isatty(STDERR_FILENO);
	if (h->cmd.plain)
		h->plain = xcalloc(1, sizeof(*h->plain));
	h->live =
		!h->plain && (h->cmd.eta == ETA_ALWAYS || (h->cmd.eta == ETA_AUTO && h->live_tty));
	/* Lines in a log are whole lines (no carriage returns). */
	h->next_status_ns = clock_mono_ns() + h->cmd.eta_interval_ns;
	h->next_newline_ns = clock_mono_ns() + h->cmd.eta_newline_ns;
	h->next_dump_ns = clock_mono_ns() + h->cmd.status_interval_ns;
	if (h->cmd.showcmd) {
		show_command(h);
		status = 0;
	} else {
		app_signals_catch();
		app_dump_catch_signal();
		status = run_session(h);
	}
	if (h->out != stdout && fclose(h->out)) {
		fprintf(stderr, "iodeck: --output=%s: %s\n", h->cmd.output, strerror(errno));
		status = 1;
	}
	return status;
}

/* --help and its like: text on standard output, nothing is run. */
static int show_help(const struct cmdline *c)
{
	struct strbuf help = {0};
	struct err e = {0};
	int rc = 0;

	if (c->help)
		cmdline_help(&help);
	else if (c->cmdhelp)
		rc = cmdline_cmdhelp(c->help_topic, &help, &e);
	else
		rc = cmdline_enghelp(c->help_topic, &help, &e);
	fputs(strbuf_str(&help), stdout);
	if (rc)
		fprintf(stderr, "iodeck: %s\n", e.msg);
	strbuf_fini(&help);
	return rc ? 1 : 0;
}

int app_headless(int argc, char **argv)
{
	struct headless h = {.header_lock = PTHREAD_MUTEX_INITIALIZER};
	struct err e = {0};
	int status = 0;

	if (cmdline_parse(argc, argv, &h.cmd, &e)) {
		fprintf(stderr, "iodeck: %s\n", e.msg);
		return 1;
	}
	if (h.cmd.version) {
		puts("iodeck-" IODECK_VERSION);
	} else if (h.cmd.help || h.cmd.cmdhelp || h.cmd.enghelp) {
		status = show_help(&h.cmd);
	} else {
		status = run_parsed(&h);
	}
	free(h.plain);
	cmdline_fini(&h.cmd);
	return status;
}
