/* iodeck: argv to mode. Only main ends the program. */
#include <errno.h>
#include <libgen.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/app_devices.h"
#include "src/app_compare.h"
#include "src/app_engines.h"
#include "src/app_headless.h"
#include "src/app_history_list.h"
#include "src/app_manual.h"
#include "src/app_suite.h"
#include "src/app_sweep.h"
#include "src/app_ui.h"
#include "src/out/report.h"

static const char usage[] =
	"iodeck: interactive I/O benchmark console\n"
	"\n"
	"  iodeck [TARGET | PROFILE.fio]    the console, on a device, a file, or a profile\n"
	"  iodeck run OPTIONS | JOBFILE...  the same engine without a screen; fio's command line\n"
	"  iodeck run --help                every job option\n"
	"  iodeck devices [--json] [--all]  block devices, and why a write job would be refused\n"
	"  iodeck history [--json]          the runs that are kept; --state-dir DIR\n"
	"  iodeck sweep OPTIONS | JOBFILE   a grid of cells: depth x block size, its knee and SLO\n"
	"  iodeck run --compare A.fio B.fio which is faster, and how sure; --alternate: in turns\n"
	"  iodeck suite ssd OPTIONS         what a drive does: standard sweeps and mixes on a "
	"page\n"
	"  iodeck sweep --help              its options; iodeck suite --help too\n"
	"  iodeck help terse | json         every field of a report with its unit\n"
	"  iodeck completion bash | zsh     completion for the shell\n"
	"  iodeck --demo [NAME]             simulated devices, with captions; --demo list\n"
	"\n"
	"console options:\n"
	"  --script FILE    run the verbs in FILE, then leave\n"
	"  --size WxH       with --script: a screen in memory of this size\n"
	"  --virtual        with --script, --demo: simulated devices in virtual time, the same "
	"each time\n"
	"  --ascii          no Unicode        --no-color  no colours (NO_COLOR too)\n"
	"  --readonly       write nothing, make no file\n"
	"  --allow-destroy DEV     consent to lose all data on this block device\n"
	"  --allow-overwrite FILE  consent to overwrite this file; both for this program's life\n"
	"  --json FILE      write the last run's report as json when the console ends\n"
	"  --keep           keep the scratch file that this console made\n"
	"  --config FILE    keys and colours from FILE, not from ~/.config/iodeck/iodeckrc\n"
	"  --state-dir DIR  keep runs (the History screen) in DIR/runs instead of the home folder\n"
	"  --version  --help\n"
	"\n"
	"Without your consent iodeck writes only to files that it made itself. A device that is\n"
	"mounted, swapped on, part of something else or below / is never written to.\n";

static bool is_word(int argc, char **argv, const char *word)
{
	return argc == 2 && strcmp(argv[1], word) == 0;
}

static int completion(const char *shell)
{
	struct strbuf sb = {0};
	bool known = app_manual_completion(shell, &sb);

	if (known)
		fputs(strbuf_str(&sb), stdout);
	else
		fprintf(stderr, "iodeck: completion %s: there is completion bash, zsh\n", shell);
	strbuf_fini(&sb);
	return !known;
}

/* For `make man`. */
static int help_man(void)
{
	struct strbuf sb = {0};

	app_manual_options(&sb);
	fputs(strbuf_str(&sb), stdout);
	strbuf_fini(&sb);
	return 0;
}

static int help(const char *topic)
{
	struct strbuf sb = {0};
	bool known = report_help(topic, &sb);

	if (known)
		fputs(strbuf_str(&sb), stdout);
	else
		fprintf(stderr,
			"iodeck: help %s: there is help terse, terse2, terse4, terse5, json\n",
			topic);
	strbuf_fini(&sb);
	return !known;
}

static int run(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	app_engines_register();
	if (argc > 0 && strcmp(basename(argv[0]), "fio") == 0)
		return app_headless(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "run") == 0 && app_compare_wanted(argc - 2, argv + 2))
		return app_compare(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "run") == 0)
		return app_headless(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "devices") == 0)
		return app_devices(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "sweep") == 0)
		return app_sweep(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "suite") == 0)
		return app_suite(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "history") == 0)
		return app_history_list(argc - 2, argv + 2);
	if (is_word(argc, argv, "--version")) {
		puts("iodeck-" IODECK_VERSION);
		return 0;
	}
	if (is_word(argc, argv, "--help") || is_word(argc, argv, "-h")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "help") == 0)
		return help(argv[2]);
	if (argc == 3 && strcmp(argv[1], "completion") == 0)
		return completion(argv[2]);
	if (is_word(argc, argv, "--help-man"))
		return help_man();
	return app_ui(argc, argv);
}

/* What was asked for and could not be written is a failure, whichever mode it was. */
int main(int argc, char **argv)
{
	int status = run(argc, argv);

	if ((fflush(stdout) || ferror(stdout)) && status == 0) {
		fprintf(stderr, "iodeck: standard output: %s\n", strerror(errno));
		status = 1;
	}
	return status;
}
