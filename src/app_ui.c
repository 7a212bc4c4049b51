#include "src/app_ui.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/engine.h"
#include "engines/sim_devices.h"
#include "engines/sim_target.h"
#include "src/app_demo.h"
#include "src/app_history.h"
#include "src/app_sweep_files.h"
#include "src/base/fsutil.h"
#include "src/base/turns.h"
#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"
#include "src/out/report.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"
#include "src/spec/jobfile.h"
#include "src/spec/profile.h"
#include "ui/rc.h"
#include "ui/ui.h"

#define ENGINES_MAX    32
#define VIRTUAL_ASK_NS (60 * NSEC_PER_SEC)

/* --virtual: of this thread, the session's and its workers, who take turns. It begins anywhere but at 0. */
static struct clock virtual_clock = {.now_ns = 1000 * NSEC_PER_SEC};

struct args {
	const char *target, *profile, *script, *json, *state_dir, *config;
	const char *demo, *demo_step; /* NULL: none */
	bool demo_list;
	char *demo_text; /* its script; owned */
	struct rc rc;
	int w, h;
	bool ascii, no_color, readonly, keep, virtual;
	/* words of argv, which outlives this */
	const char **destroy, **overwrite;
	size_t n_destroy, n_overwrite;
};

/* ---- arguments ---- */

static int parse_size(const char *text, struct args *a, struct err *e)
{
	char tail;

	if (sscanf(text, "%4dx%4d%c", &a->w, &a->h, &tail) != 2 || a->w < 1 || a->h < 1 ||
	    a->w > 1000 || a->h > 1000)
		return err_set(e, EINVAL, "--size %s: WxH is needed, as in 120x40", text);
	return 0;
}

static bool is_profile(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".fio") == 0;
}

static int take_operand(const char *text, struct args *a, struct err *e)
{
	const char **slot = is_profile(text) ? &a->profile : &a->target;

	if (*slot)
		return err_set(e, EINVAL, "%s: one target and one profile at most", text);
	*slot = text;
	return 0;
}

/* The value of `--name=V` or `--name V`; NULL: arg is not that word. */
static const char *value_of(const char *name, int argc, char *const *argv, int *i, struct err *e)
{
	size_t n = strlen(name);

	if (strncmp(argv[*i], name, n) != 0)
		return NULL;
	if (argv[*i][n] == '=')
		return argv[*i] + n + 1;
	if (argv[*i][n] != '\0')
		return NULL;
	if (*i + 1 >= argc) {
		err_set(e, EINVAL, "%s: a value is needed", name);
		return NULL;
	}
	return argv[++*i];
}

/* `--demo`, `--demo NAME`, `--demo=NAME`: the name may be left out. false: another word. */
static bool take_demo(int argc, char *const *argv, int *i, struct args *a, struct err *e)
{
	const char *word = argv[*i] + strlen("--demo");
	struct strbuf known = {0};

	if (strncmp(argv[*i], "--demo", strlen("--demo")) != 0 || (*word && *word != '='))
		return false;
	if (*word)
		a->demo = word + 1;
	else if (*i + 1 < argc && argv[*i + 1][0] != '-')
		a->demo = argv[++*i];
	else
		a->demo = DEMO_DEFAULT;
	a->demo_list = strcmp(a->demo, "list") == 0;
	if (a->demo_list || app_demo_known(a->demo))
		return true;
	app_demo_list(&known);
	err_set(e, EINVAL, "--demo %.40s: there is none of that name; known:\n%s", a->demo,
		strbuf_str(&known));
	strbuf_fini(&known);
	return true;
}

static void add_name(const char ***list, size_t *n, const char *name)
{
	*list = xrealloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = name;
}

static int take_word(int argc, char *const *argv, int *i, struct args *a, struct err *e)
{
	const char *word = argv[*i], *v;

	if (strcmp(word, "--ascii") == 0)
		a->ascii = true;
	else if (strcmp(word, "--no-color") == 0)
		a->no_color = true;
	else if (strcmp(word, "--readonly") == 0)
		a->readonly = true;
	else if (strcmp(word, "--virtual") == 0)
		a->virtual = true;
	else if (strcmp(word, "--keep") == 0)
		a->keep = true;
	else if ((v = value_of("--script", argc, argv, i, e)))
		a->script = v;
	else if (take_demo(argc, argv, i, a, e))
		;
	else if ((v = value_of("--demo-step", argc, argv, i, e)))
		a->demo_step = v;
	else if ((v = value_of("--json", argc, argv, i, e)))
		a->json = v;
	else if ((v = value_of("--state-dir", argc, argv, i, e)))
		a->state_dir = v;
	else if ((v = value_of("--config", argc, argv, i, e)))
		a->config = v;
	else if ((v = value_of("--allow-destroy", argc, argv, i, e)))
		add_name(&a->destroy, &a->n_destroy, v);
	else if ((v = value_of("--allow-overwrite", argc, argv, i, e)))
		add_name(&a->overwrite, &a->n_overwrite, v);
	else if ((v = value_of("--size", argc, argv, i, e)))
		return parse_size(v, a, e);
	else if (!e->code)
		return err_set(e, EINVAL, "%s: no such option; see iodeck --help", word);
	return e->code ? -e->code : 0;
}

static int parse_args(int argc, char *const *argv, struct args *a, struct err *e)
{
	bool only_operands = false;
	int rc;

	for (int i = 1; i < argc; i++) {
		if (!only_operands && strcmp(argv[i], "--") == 0) {
			only_operands = true;
			continue;
		}
		if (!only_operands && strncmp(argv[i], "--", 2) == 0)
			rc = take_word(argc, argv, &i, a, e);
		else
			rc = take_operand(argv[i], a, e);
		if (rc < 0)
			return rc;
	}
	if (a->demo && (a->script || a->target || a->profile))
		return err_set(e, EINVAL, "--demo brings its own script and devices");
	if (a->virtual && !a->script && !a->demo)
		return err_set(e, EINVAL, "--virtual is for --script and --demo");
	if (a->w && !a->script && !a->demo)
		return err_set(e, EINVAL, "--size is for --script and --demo");
	return 0;
}

/* ---- the run ---- */

static void list_engines(struct engine_info out[ENGINES_MAX + 1])
{
	size_t n = 0;

	for (; n < ENGINES_MAX && engine_table[n]; n++)
		out[n] = (struct engine_info){
			.name = engine_table[n]->name,
			.sync = engine_table[n]->flags & ENGINE_SYNC,
		};
	out[n] = (struct engine_info){0};
}

/* Ended by an empty name; to be freed. */
static struct sim_info *list_sims(void)
{
	struct sim_info *v;
	size_t n = 0;

	while (sim_devices[n])
		n++;
	v = xcalloc(n + 1, sizeof(*v));
	for (size_t i = 0; i < n; i++) {
		v[i].summary = sim_devices[i]->summary;
		v[i].size_bytes = sim_devices[i]->size_bytes;
		snprintf(v[i].name, sizeof(v[i].name), SIM_PREFIX "%s", sim_devices[i]->name);
	}
	return v;
}

/* A run that was cancelled during its layout has nothing to report. */
static bool has_measured(const struct run_result *r)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		if (r->jobs[i].started)
			return true;
	return false;
}

static int write_json(const struct run_result *r, const char *json, struct err *e)
{
	struct strbuf sb = {0};
	int rc;

	report_print(FORMAT_JSON, r, &sb);
	rc = fs_write_atomic(json, sb.s, sb.len);
	strbuf_fini(&sb);
	return rc < 0 ? err_set(e, -rc, "--json %s: %s", json, strerror(-rc)) : 0;
}

/*
 * The last run's report: json where --json asks for it, then text for the person. In this order, as the
 * terminal may be gone or take nothing.
 */
static int print_report(struct session *s, const char *json, struct err *e)
{
	const struct run_result *r = session_result(s);
	struct strbuf sb = {0};
	int rc = 0;

	if (!r || !has_measured(r))
		return 0;
	if (json)
		rc = write_json(r, json, e);
	report_header(r->spec, &sb);
	report_print(FORMAT_NORMAL, r, &sb);
	fputs(strbuf_str(&sb), stdout);
	strbuf_fini(&sb);
	return rc;
}

/* Workers stuck in the kernel cannot be joined; the terminal is restored already. */
static void __attribute__((noreturn))
leave_without_them(struct session *s, const struct args *a, const struct ui_end *end, struct err *e)
{
	if (!end->discard && print_report(s, a->json, e) < 0)
		fprintf(stderr, "iodeck: %s\n", e->msg);
	fflush(stdout);
	_exit(end->signo ? 128 + end->signo : 130);
}

/* Scratch files that runs of this console have made. ownfile_unlink() removes nothing that is not ours. */
static void remove_files(const struct ui_end *end)
{
	for (size_t i = 0; i < end->n_new_files; i++) {
		int fd = open(end->new_files[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		struct err e = {0};

		if (fd < 0)
			continue;
		if (ownfile_unlink(fd, end->new_files[i], &e) < 0)
			fprintf(stderr, "iodeck: %s is left behind: %s\n", end->new_files[i],
				e.msg);
		close(fd);
	}
}

/* What a person runs is kept; what a script or a demo runs only where it is told to. */
static struct archive *open_history(struct session *s, const struct args *a)
{
	if (!a->state_dir && (a->script || a->demo))
		return NULL;
	return app_history_open(s, a->state_dir);
}

/*
 * Once the screen is closed we are leaving anyway, and the report is on its way: one more signal (a third
 * Ctrl-C, typed too fast) must not cost it. Two mean that the report itself hangs.
 */
static void on_leaving(int signo)
{
	static volatile sig_atomic_t seen;

	if (++seen >= 2)
		_exit(128 + signo);
}

/* The console puts its own over these while it is up. */
static void catch_while_leaving(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction sa = {.sa_handler = on_leaving, .sa_flags = SA_RESTART};

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
	/* A lost reader and a full `ulimit -f` are errors of a write, not ends of the program. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static int run_console(struct session *s, const struct args *a, const struct spec *profile,
		       struct ui_end *end, struct err *e)
{
	struct engine_info engines[ENGINES_MAX + 1];
	struct sim_info *sims = list_sims();
	bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct archive *history = open_history(s, a);
	int rc;
	const struct ui_cfg cfg = {
		.feed = session_feed(s),
		.archive = history,
		.engines = engines,
		.sims = sims,
		.fsroot = "",
		.term = {.force_ascii = a->ascii, .no_color = a->no_color},
		.fps = a->rc.fps,
		.si = a->rc.si,
		.bell = a->rc.bell,
		.clock = a->virtual ? &virtual_clock : NULL,
		/* Nothing may depend on how fast a target is looked at. */
		.ask_wait_ns = a->virtual ? VIRTUAL_ASK_NS : 0,
		.no_terminal = (a->script || a->demo) && (a->w || a->virtual || !tty),
		.w = a->w,
		.h = a->h,
		.script = a->script,
		.script_text = a->demo_text,
		.start_target = a->target,
		.start_spec = profile,
		.start_profile = a->profile,
		.export_sweep = app_sweep_export,
		.load_sweep = app_sweep_read,
		.has_consent = a->n_destroy + a->n_overwrite > 0,
	};

	list_engines(engines);
	rc = ui_run(&cfg, end, e);
	app_history_close(history);
	free(sims);
	return rc;
}

static int status_of(int rc, const struct ui_end *end)
{
	if (rc == -ENOTTY || rc == -ENOTSUP)
		return 2;
	if (rc < 0)
		return 1;
	return end->signo ? 128 + end->signo : 0;
}

static void leave_stuck(int rc, const struct ui_end *end)
{
	fprintf(stderr, "iodeck: a target does not answer; its question is left behind\n");
	fflush(stdout);
	_exit(status_of(rc, end));
}

static int with_session(const struct args *a, const struct spec *profile, struct err *e)
{
	const struct session_cfg cfg = {
		.fsroot = "",
		.readonly = a->readonly,
		.headroom = true,
		.temperatures = true,
		.allow_destroy = a->destroy,
		.n_allow_destroy = a->n_destroy,
		.allow_overwrite = a->overwrite,
		.n_allow_overwrite = a->n_overwrite,
		.clock = a->virtual ? &virtual_clock : NULL,
	};
	struct session *s;
	struct ui_end end = {0};
	int rc, status;

	if (a->virtual)
		clock_turns_begin(&virtual_clock);
	rc = session_open(&s, &cfg, e);
	if (rc < 0)
		return 1;
	catch_while_leaving();
	rc = run_console(s, a, profile, &end, e);
	if (end.abandoned)
		leave_without_them(s, a, &end, e);
	if (rc == 0 && !end.discard)
		rc = print_report(s, a->json, e);
	/* A device that does not answer holds a thread that uses the session; all is told by now. */
	if (end.stuck)
		leave_stuck(rc, &end);
	session_close(s);
	if (a->virtual)
		clock_turns_end(&virtual_clock);
	if (!a->keep)
		remove_files(&end);
	status = status_of(rc, &end);
	ui_end_fini(&end);
	return status;
}

static int list_demos(void)
{
	struct strbuf sb = {0};

	app_demo_list(&sb);
	fputs(strbuf_str(&sb), stdout);
	strbuf_fini(&sb);
	return 0;
}

/* Into a->demo_text. */
static void write_demo(struct args *a)
{
	struct strbuf sb = {0};

	if (!a->demo || a->demo_list)
		return;
	app_demo_script(a->demo, a->demo_step ? a->demo_step : DEMO_STEP_SECONDS, &sb);
	a->demo_text = xstrdup(strbuf_str(&sb));
	strbuf_fini(&sb);
}

/* The user's file; scripts and demos look the same for everybody unless --config says otherwise. */
static int load_rc(struct args *a, struct err *e)
{
	char *dir = NULL, *path = NULL, *slash;
	int rc = 0;

	if (!a->config && !a->script && !a->demo)
		dir = profile_user_dir(); /* .../iodeck/profiles */
	slash = dir ? strrchr(dir, '/') : NULL;
	if (slash)
		path = xasprintf("%.*s/iodeckrc", (int)(slash - dir), dir);
	if (a->config || path)
		rc = rc_load(&a->rc, a->config ? a->config : path, a->config != NULL, e);
	if (!a->rc.theme_said && !a->script && !a->demo)
		a->rc.theme.id = theme_for_ground(getenv("COLORFGBG"));
	rc_use(&a->rc);
	free(path);
	free(dir);
	return rc;
}

int app_ui(int argc, char *const *argv)
{
	struct args a = {0};
	struct err e = {0};
	struct spec profile;
	int status = 1, rc;

	spec_init(&profile);
	rc = parse_args(argc, argv, &a, &e);
	if (rc == 0)
		rc = load_rc(&a, &e);
	if (rc == 0)
		write_demo(&a);
	if (rc == 0 && a.profile)
		rc = jobfile_load(a.profile, NULL, &profile, &e);
	if (rc == 0 && a.demo_list)
		status = list_demos();
	else if (rc == 0)
		status = with_session(&a, &profile, &e);
	if (e.code)
		fprintf(stderr, "iodeck: %s\n", e.msg);
	spec_fini(&profile);
	rc_fini(&a.rc);
	free(a.demo_text);
	free(a.destroy);
	free(a.overwrite);
	return status;
}
