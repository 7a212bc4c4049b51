#include "src/app_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/app_command.h"
#include "src/app_signals.h"
#include "src/app_suite_stage.h"
#include "src/app_target.h"
#include "src/base/xalloc.h"
#include "src/out/out_suite.h"
#include "src/spec/cmdline.h"

#define QUICK_SCALE 0.04

enum word { WORD_PRECONDITION, WORD_STAGES, WORD_QUICK, WORD_SCALE, WORD_LIST, WORD_NR };

const struct suite_word suite_words[] = {
	[WORD_PRECONDITION] =
		{"precondition", NULL,
		 "Run the stages that fill the drive and age it first; needs consent to "
		 "write."},
	[WORD_STAGES] = {"stages", "LIST", "Only these, in the suite's order, with ',' between."},
	[WORD_QUICK] =
		{"quick", NULL,
		 "Seconds instead of minutes, coarser axes: does it work, not how fast is it."},
	[WORD_SCALE] = {"scale", "FACTOR", "All times multiplied, 0.01 to 100."},
	[WORD_LIST] = {"list", NULL, "Say what the suite's stages are, run nothing."},
	[WORD_NR] = {NULL, NULL, NULL},
};

struct app {
	const char *name, *stages; /* of argv */
	bool precondition, quick, list;
	double scale;
	struct cmdline cmd;
	struct suite suite;
	struct suite_result r;
	struct session *session;
	FILE *out;
	bool tty, quiet, line_shown, given_up;
	size_t at, told; /* stage at work; told + 1: its line is printed */
};

/* ---- arguments ---- */

static int parse_scale(const char *text, double *out, struct err *e)
{
	char *end;
	double v = strtod(text, &end);

	/* Digits only: strtod would take "inf", "nan" and hexadecimals. */
	if (strspn(text, "0123456789.") != strlen(text) || end == text || *end || v < 0.01 ||
	    v > 100)
		return err_set(e, EINVAL, "scale=%.40s: a factor, 0.01 to 100", text);
	*out = v;
	return 0;
}

static enum word find_word(const char *arg, const char **value)
{
	size_t n;

	if (strncmp(arg, "--", 2) != 0)
		return WORD_NR;
	n = strcspn(arg + 2, "=");
	*value = arg[2 + n] ? arg + 3 + n : NULL;
	for (unsigned i = 0; i < WORD_NR; i++)
		if (strlen(suite_words[i].name) == n &&
		    strncmp(arg + 2, suite_words[i].name, n) == 0)
			return (enum word)i;
	return WORD_NR;
}

static int set_word(struct app *a, enum word w, const char *value, struct err *e)
{
	if (suite_words[w].arg && !value)
		return err_set(e, EINVAL, "suite: --%s=%s: a value is needed", suite_words[w].name,
			       suite_words[w].arg);
	if (!suite_words[w].arg && value)
		return err_set(e, EINVAL, "suite: --%s: takes no value", suite_words[w].name);
	switch (w) {
	case WORD_PRECONDITION:
		a->precondition = true;
		break;
	case WORD_STAGES:
		a->stages = value;
		break;
	case WORD_QUICK:
		a->quick = true;
		break;
	case WORD_SCALE:
		return parse_scale(value, &a->scale, e);
	case WORD_LIST:
		a->list = true;
		break;
	case WORD_NR:
		break;
	}
	return 0;
}

/* What is not ours goes to the parser of `iodeck run`. */
static int split(struct app *a, int argc, char *const *argv, char **rest, int *n, struct err *e)
{
	static char named[] = "--name=suite";
	const char *value;
	int rc = 0;

	rest[(*n)++] = named;
	for (int i = 0; i < argc && rc == 0; i++) {
		enum word w = find_word(argv[i], &value);

		if (w != WORD_NR)
			rc = set_word(a, w, value, e);
		else if (argv[i][0] != '-' && !a->name)
			a->name = argv[i];
		else
			rest[(*n)++] = argv[i];
	}
	return rc;
}

static int load(struct app *a, struct err *e)
{
	char *path;
	int rc;

	if (!a->name)
		return err_set(e, EINVAL, "suite: which one? iodeck suite ssd --filename=...");
	path = suite_find(a->name);
	if (!path)
		return err_set(
			e, ENOENT,
			"suite %.60s: there is no suite-%.60s.fio in the folders of profiles",
			a->name, a->name);
	rc = suite_load(path, &a->suite, e);
	free(path);
	return rc;
}

static int prepare(struct app *a, struct err *e)
{
	int rc = load(a, e);

	if (rc == 0)
		rc = suite_override(&a->suite, &a->cmd.spec.jobs[0], e);
	if (rc == 0 && a->stages)
		rc = suite_only(&a->suite, a->stages, e);
	if (rc)
		return rc;
	for (size_t i = 0; i < a->suite.n && !a->list; i++)
		if (!a->suite.spec.jobs[i].filename)
			return err_set(
				e, EINVAL,
				"suite: --filename= is needed: a device, or a file with --size=");
	suite_scale(&a->suite, a->scale, a->quick);
	return 0;
}

static int parse(struct app *a, int argc, char *const *argv, struct err *e)
{
	char **rest = xcalloc((size_t)argc + 1, sizeof(*rest));
	int n = 0, rc = split(a, argc, argv, rest, &n, e);

	if (rc == 0)
		rc = cmdline_parse(n, rest, &a->cmd, e);
	free(rest);
	if (rc || a->cmd.help || a->cmd.version)
		return rc;
	if (a->cmd.formats & ~(unsigned)(FORMAT_NORMAL | FORMAT_JSON))
		return err_set(e, EINVAL, "suite: the formats are normal and json");
	if (a->cmd.spec.n_jobs != 1)
		return err_set(e, EINVAL, "suite: its stages are its jobs; give options only");
	if (a->scale <= 0)
		a->scale = a->quick ? QUICK_SCALE : 1;
	return prepare(a, e);
}

void app_suite_help(struct strbuf *out)
{
	strbuf_puts(out,
		    "usage: iodeck suite NAME [options] [job options]\n\n"
		    "Runs the stages of a suite one after the other: sweeps, loads until they are\n"
		    "steady, and preconditioning. NAME is ssd, or a job file with stages in it.\n"
		    "Stages that may not write what they would write are left out.\n\n");
	for (const struct suite_word *w = suite_words; w->name; w++)
		strbuf_addf(out, "  --%s%s%s\n        %s\n", w->name, w->arg ? "=" : "",
			    w->arg ? w->arg : "", w->help);
	strbuf_puts(
		out,
		"  --output-format=LIST\n        normal, json, with ',' between.\n"
		"  --output=FILE --eta=WHEN --readonly\n"
		"  --allow-destroy=DEV --allow-overwrite=FILE\n"
		"        As of iodeck run.\n\n"
		"Job options: where and through what (filename, size, ioengine ...); see iodeck\n"
		"run --help. What a stage measures is the suite's.\n");
}

/* ---- progress ---- */

static void clear_line(struct app *a)
{
	if (a->line_shown)
		fputs("\r\033[K", stderr);
	a->line_shown = false;
}

static int tty_columns(void)
{
	struct winsize ws;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col ? ws.ws_col : 80;
}

/* On a terminal one line is overwritten; elsewhere each stage begun is a line of its own. */
static void on_progress(void *arg, const char *line)
{
	struct app *a = arg;
	struct strbuf sb = {0};

	if (a->quiet || (!a->tty && a->told == a->at + 1))
		return;
	strbuf_addf(&sb, "%zu/%zu %s: %s", a->at + 1, a->suite.n, a->suite.stage[a->at].name, line);
	if (a->tty)
		fprintf(stderr, "\r%.*s\033[K", tty_columns() - 1, strbuf_str(&sb));
	else
		fprintf(stderr, "%s\n", strbuf_str(&sb));
	a->line_shown = a->tty;
	a->told = a->at + 1;
	strbuf_fini(&sb);
}

static void on_note(void *arg, const char *line)
{
	clear_line(arg);
	fprintf(stderr, "iodeck: note: %s\n", line);
}

/* ---- the run ---- */

static struct stage_run stage_at(struct app *a, size_t i)
{
	a->at = i;
	return (struct stage_run){.session = a->session,
				  .stage = &a->suite.stage[i],
				  .job = &a->suite.spec.jobs[i],
				  .r = &a->r.stage[i],
				  .progress = on_progress,
				  .arg = a};
}

static bool is_wanted(const struct app *a, size_t i)
{
	return a->precondition || !a->suite.stage[i].opts.precondition;
}

/* What cannot be right for any stage is told before the first one, and nothing is begun. */
static int check_all(struct app *a, struct err *e)
{
	for (size_t i = 0; i < a->suite.n; i++) {
		struct stage_run s = stage_at(a, i);
		bool may = !is_wanted(a, i) || stage_may_run(&s);

		if (may || (s.r->state == SUITE_SKIPPED && !s.stage->opts.precondition))
			continue;
		return err_set(e, EPERM, "suite %s: [%s]: %s", a->name, s.stage->name, s.r->why);
	}
	return 0;
}

static void run_one(struct app *a, size_t i)
{
	struct stage_run s = stage_at(a, i);

	s.r->state = SUITE_PENDING;
	s.r->why[0] = '\0';
	if (!is_wanted(a, i)) {
		s.r->state = SUITE_SKIPPED;
		snprintf(s.r->why, sizeof(s.r->why), "not asked for; --precondition does");
		return;
	}
	if (stage_may_run(&s))
		stage_run(&s);
	a->given_up = s.given_up;
	clear_line(a);
}

static void run_stages(struct app *a)
{
	uint64_t begin = clock_mono_ns();

	a->r.begin_wall_ms = clock_wall_ms();
	for (size_t i = 0; i < a->suite.n && !app_signals_seen() && !a->given_up; i++)
		run_one(a, i);
	if (app_signals_seen())
		fprintf(stderr, "iodeck: terminating on signal %d; what is measured is kept\n",
			app_signals_last());
	a->r.took_ns = clock_mono_ns() - begin;
}

static void identify(struct app *a)
{
	const struct job_spec *j = &a->suite.spec.jobs[0];

	suite_result_init(&a->r, a->name, &a->suite);
	a->r.scale = a->scale;
	a->r.quick = a->quick;
	snprintf(a->r.target, sizeof(a->r.target), "%s", j->filename);
	snprintf(a->r.engine, sizeof(a->r.engine), "%s", j->ioengine);
	a->r.simulated = strcmp(j->ioengine, "sim") == 0;
	app_target_identity(j->filename, a->r.target_id, sizeof(a->r.target_id));
}

static int report(struct app *a)
{
	struct strbuf sb = {0};
	int status = 0;

	if (a->cmd.formats & FORMAT_JSON)
		suite_out_json(&a->r, &sb);
	if (a->cmd.formats & FORMAT_NORMAL)
		suite_out_normal(&a->r, &sb);
	if (app_command_print(&sb, a->out))
		status = 1;
	strbuf_fini(&sb);
	return status;
}

static int status_of(const struct app *a)
{
	size_t ran = 0, failed = 0;

	for (size_t i = 0; i < a->r.n; i++) {
		ran += a->r.stage[i].state == SUITE_DONE || a->r.stage[i].state == SUITE_STOPPED;
		failed += a->r.stage[i].state == SUITE_FAILED;
	}
	if (app_signals_seen())
		return SIGNAL_STATUS;
	return failed || !ran;
}

static int run(struct app *a, struct err *e)
{
	const struct cmdline *c = &a->cmd;
	struct session_cfg cfg = app_command_session(c, on_note, a);
	int status = 1;

	cfg.headroom = true;
	if (session_open(&a->session, &cfg, e))
		return 1;
	identify(a);
	if (check_all(a, e) == 0) {
		run_stages(a);
		status = report(a);
		if (status == 0)
			status = status_of(a);
	}
	/* A worker stuck in the kernel cannot be joined; the report is out. */
	if (a->given_up)
		_exit(status);
	session_close(a->session);
	suite_result_fini(&a->r);
	return status;
}

static int run_to_output(struct app *a, struct err *e)
{
	const char *path = a->cmd.output;
	int status;

	a->out = path ? fopen(path, "we") : stdout;
	if (!a->out) {
		err_set(e, errno, "--output=%s: %s", path, strerror(errno));
		return 1;
	}
	a->tty = isatty(STDERR_FILENO);
	a->quiet = a->cmd.eta == ETA_NEVER;
	app_signals_catch();
	status = run(a, e);
	if (a->out != stdout && fclose(a->out)) {
		err_set(e, errno, "--output=%s: %s", path, strerror(errno));
		status = 1;
	}
	return status;
}

static void list_stages(const struct app *a)
{
	for (size_t i = 0; i < a->suite.n; i++) {
		const struct suite_stage *st = &a->suite.stage[i];

		printf("%-16s %s%s%s%s\n", st->name, st->opts.title ? st->opts.title : "",
		       st->opts.sweep ? "  (" : "", st->opts.sweep ? st->opts.sweep : "",
		       st->opts.sweep ? ")" : "");
	}
}

int app_suite(int argc, char *const *argv)
{
	struct app a = {0};
	struct strbuf help = {0};
	struct err e = {0};
	int status = parse(&a, argc, argv, &e) ? 1 : 0;

	if (status == 0 && a.cmd.help) {
		app_suite_help(&help);
		fputs(strbuf_str(&help), stdout);
	} else if (status == 0 && a.cmd.version) {
		puts("iodeck-" IODECK_VERSION);
	} else if (status == 0 && a.list) {
		list_stages(&a);
	} else if (status == 0) {
		status = run_to_output(&a, &e);
	}
	if (e.code)
		fprintf(stderr, "iodeck: %s\n", e.msg);
	strbuf_fini(&help);
	suite_fini(&a.suite);
	cmdline_fini(&a.cmd);
	return status;
}
