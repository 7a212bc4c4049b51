#include "src/app_manual.h"

#include <string.h>

#include "src/app_suite.h"
#include "src/app_sweep_args.h"
#include "src/spec/cmdline_words.h"
#include "src/spec/job_spec.h"
#include "src/spec/suite.h"
#include "src/spec/sweep_spec.h"

/* Text for troff: a hyphen that is meant as one, no request at the start of a line. */
static void add_roff(const char *s, struct strbuf *out)
{
	if (*s == '.' || *s == '\'')
		strbuf_puts(out, "\\&");
	for (; *s; s++) {
		if (*s == '-')
			strbuf_puts(out, "\\-");
		else if (*s == '\\')
			strbuf_puts(out, "\\e");
		else
			strbuf_putc(out, *s);
	}
}

static void add_head(const char *dashes, const char *name, const char *alias, const char *arg,
		     struct strbuf *out)
{
	strbuf_puts(out, ".TP\n.B ");
	add_roff(dashes, out);
	add_roff(name, out);
	if (arg)
		strbuf_addf(out, "\\fR=\\fI%s\\fB", arg);
	if (alias) {
		strbuf_puts(out, "\\fR, \\fB");
		add_roff(*dashes && alias[1] ? dashes : *dashes ? "-" : "", out);
		add_roff(alias, out);
	}
	strbuf_putc(out, '\n');
}

static void add_words(struct strbuf *out)
{
	for (const struct cmdline_word *w = cmdline_words; w->name; w++) {
		if (!w->help)
			continue;
		add_head("--", w->name, w->alias, w->arg, out);
		add_roff(w->help, out);
		strbuf_putc(out, '\n');
	}
}

static void add_facts(const struct option_def *row, struct strbuf *out)
{
	struct strbuf range = {0};

	option_range(row, &range);
	if (range.len) {
		strbuf_puts(out, "Accepted: ");
		add_roff(range.s, out);
		strbuf_puts(out, ".\n");
	}
	if (row->unit) {
		strbuf_puts(out, "Unit: ");
		add_roff(row->unit, out);
		strbuf_puts(out, ".\n");
	}
	if (row->def) {
		strbuf_puts(out, "Default: ");
		add_roff(row->def, out);
		strbuf_puts(out, ".\n");
	}
	if (row->flags & OPT_LIVE)
		strbuf_puts(out, "May be changed while the run is on.\n");
	strbuf_fini(&range);
}

static void add_rows(const struct option_def *rows, const char *dashes, struct strbuf *out)
{
	for (const struct option_def *row = rows; row->name; row++) {
		if (!row->help)
			continue;
		add_head(dashes, row->name, row->alias, NULL, out);
		add_roff(row->help, out);
		strbuf_putc(out, '\n');
		add_facts(row, out);
	}
}

static void add_sweep_words(struct strbuf *out)
{
	for (const struct sweep_word *w = sweep_words; w->name; w++) {
		add_head("--", w->name, NULL, w->arg, out);
		add_roff(w->help, out);
		strbuf_putc(out, '\n');
	}
}

static void add_suite_words(struct strbuf *out)
{
	for (const struct suite_word *w = suite_words; w->name; w++) {
		add_head("--", w->name, NULL, w->arg, out);
		add_roff(w->help, out);
		strbuf_putc(out, '\n');
	}
}

void app_manual_options(struct strbuf *out)
{
	strbuf_puts(out, ".SS Words of the command line\n");
	add_words(out);
	strbuf_puts(
		out,
		".SS Job options\n"
		"On the command line with one or two dashes before them, in job files without.\n");
	add_rows(job_options, "", out);
	strbuf_puts(
		out,
		".SS Options of iodeck sweep\n"
		"With the job options and the words above. An option that is given several values\n"
		"(4k,16k or 1..256 or 0..100/10) is an axis; one or two may be.\n");
	add_rows(sweep_options, "--", out);
	add_sweep_words(out);
	strbuf_puts(
		out,
		".SS Options of iodeck suite\n"
		"With the words above, and those job options that say where and through what.\n");
	add_suite_words(out);
	strbuf_puts(out, ".SS Keys of a suite\\(aqs stages\n"
			 "In comment lines of a section, as in \n"
			 ".BR \"; iodeck: sweep=qd=1..256\" .\n");
	add_rows(suite_options, "", out);
}

/* Completion: every word once, as `--name=` when it takes a value. */

static void add_dashed(const char *name, bool value, struct strbuf *out)
{
	strbuf_addf(out, " --%s%s", name, value ? "=" : "");
}

static void all_words(struct strbuf *out)
{
	for (const struct cmdline_word *w = cmdline_words; w->name; w++)
		if (w->help)
			add_dashed(w->name, w->arg != NULL, out);
	for (const struct option_def *row = job_options; row->name; row++)
		add_dashed(row->name, !option_is_bare(row), out);
}

/* "rw) read write ...": the values of the options that have a list of them. */
static void add_values(struct strbuf *out)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		if (!row->choices)
			continue;
		strbuf_addf(out, "\t--%s) values='", row->name);
		for (const struct option_choice *c = row->choices; c->word; c++)
			strbuf_addf(out, "%s%s", c == row->choices ? "" : " ", c->word);
		strbuf_puts(out, "' ;;\n");
	}
}

/* What is no job option: the first words, those of the console and of single commands. */
#define COMMANDS "run sweep suite devices history help completion"
#define CONSOLE_WORDS                                                                              \
	"--demo --script --size --virtual --ascii --no-color --readonly --allow-destroy "          \
	"--allow-overwrite "                                                                       \
	"--json --keep --version --help"
#define RUN_WORDS   "--compare --alternate"
#define SWEEP_WORDS "--export-jobs="

static const char bash_head[] =
	"# bash completion for iodeck; made by `iodeck completion bash`\n"
	"_iodeck()\n"
	"{\n"
	"\tlocal cur=${COMP_LINE:0:COMP_POINT} values=\n"
	"\tcur=${cur##*[[:space:]]}\n"
	"\tif [ \"$COMP_CWORD\" -eq 1 ] && [[ $cur != -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W '" COMMANDS "' -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tcase ${COMP_WORDS[1]} in\n"
	"\trun) words+=' " RUN_WORDS "' ;;\n"
	"\tsweep) words+=' " SWEEP_WORDS "' ;;\n"
	"\tdevices) words='--json --all' ;;\n"
	"\thistory) words='--json --state-dir' ;;\n"
	"\t*) words='" CONSOLE_WORDS "' ;;\n"
	"\tesac\n"
	"\tcase ${COMP_WORDS[1]} in\n"
	"\thelp) COMPREPLY=($(compgen -W 'terse terse2 terse4 terse5 json' -- \"$cur\")); return "
	";;\n"
	"\tcompletion) COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\")); return ;;\n"
	"\tesac\n"
	"\tcase ${cur%%=*} in\n";

static const char bash_tail[] =
	"\t--output-format) values='normal terse json json+' ;;\n"
	"\t--eta) values='auto always never' ;;\n"
	"\tesac\n"
	"\tif [[ $cur == --*=* ]]; then\n"
	"\t\t# Readline splits words at '=', so only the value is completed.\n"
	"\t\tif [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"${cur#*=}\"))\n"
	"\t\telse COMPREPLY=($(compgen -f -- \"${cur#*=}\")); fi\n"
	"\telif [[ $cur == -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	"\t\t[[ ${COMPREPLY-} == *= ]] && compopt -o nospace\n"
	"\telse\n"
	"\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	"\tfi\n"
	"}\n"
	"complete -o filenames -F _iodeck iodeck\n";

static void add_bash(struct strbuf *out)
{
	strbuf_puts(out, bash_head);
	add_values(out);
	strbuf_puts(out, bash_tail);
}

static void bash_completion(struct strbuf *out)
{
	struct strbuf body = {0};
	const char *at;

	add_bash(&body);
	/* The list of words goes to the function's first line. */
	at = strstr(body.s, " values=\n");
	strbuf_add(out, body.s, (size_t)(at - body.s) + strlen(" values="));
	strbuf_puts(out, " words='");
	all_words(out);
	strbuf_puts(out, "'\n");
	strbuf_puts(out, at + strlen(" values=\n"));
	strbuf_fini(&body);
}

/* zsh quotes of a description: no brackets, colons or quotes. */
static void add_zsh_text(const char *s, struct strbuf *out)
{
	for (; *s; s++) {
		if (*s == '\'')
			strbuf_puts(out, "'\\''");
		else if (strchr("[]:\\", *s))
			strbuf_addf(out, "\\%c", *s);
		else
			strbuf_putc(out, *s);
	}
}

static void add_zsh_word(const char *name, const char *help, const char *action, bool value,
			 struct strbuf *out)
{
	strbuf_addf(out, "\t\t'*--%s%s[", name, value ? "=" : "");
	add_zsh_text(help, out);
	strbuf_addf(out, "]%s'\n", action);
}

static void zsh_rows(struct strbuf *out)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		struct strbuf action = {0};

		if (row->choices) {
			strbuf_addf(&action, ":%s:(", row->name);
			for (const struct option_choice *c = row->choices; c->word; c++)
				strbuf_addf(&action, "%s%s", c == row->choices ? "" : " ", c->word);
			strbuf_puts(&action, ")");
		} else if (!option_is_bare(row)) {
			strbuf_addf(&action, ":%s:_files", row->name);
		}
		add_zsh_word(row->name, row->help ? row->help : "", strbuf_str(&action),
			     !option_is_bare(row), out);
		strbuf_fini(&action);
	}
}

static void zsh_completion(struct strbuf *out)
{
	strbuf_puts(out, "#compdef iodeck\n"
			 "# zsh completion for iodeck; made by `iodeck completion zsh`\n"
			 "_iodeck() {\n"
			 "\tlocal -a options=(\n");
	for (const struct cmdline_word *w = cmdline_words; w->name; w++)
		if (w->help)
			add_zsh_word(w->name, w->help, w->arg ? ":value:_files" : "",
				     w->arg != NULL, out);
	zsh_rows(out);
	strbuf_puts(out,
		    "\t)\n"
		    "\tif (( CURRENT == 2 )); then\n"
		    "\t\t_alternative 'commands:command:(" COMMANDS ")' "
		    "'words:word:(" CONSOLE_WORDS ")' 'files:target:_files'\n"
		    "\t\treturn\n"
		    "\tfi\n"
		    "\tcase $words[2] in\n"
		    "\thelp) _values 'report' terse terse2 terse4 terse5 json ;;\n"
		    "\tcompletion) _values 'shell' bash zsh ;;\n"
		    "\tdevices) _values 'word' --json --all ;;\n"
		    "\thistory) _values 'word' --json --state-dir ;;\n"
		    "\trun) _arguments $options '*--compare[Which of the jobs is faster, and how "
		    "sure.]' "
		    "'*--alternate[Compare in turns.]' '*:job file:_files' ;;\n"
		    "\tsweep|suite) _arguments $options '*--export-jobs=[Write a job file with one "
		    "section a "
		    "cell.]:file:_files' '*:job file:_files' ;;\n"
		    "\t*) _values 'word' " CONSOLE_WORDS " ;;\n"
		    "\tesac\n"
		    "}\n"
		    "_iodeck \"$@\"\n");
}

bool app_manual_completion(const char *shell, struct strbuf *out)
{
	if (strcmp(shell, "bash") == 0)
		bash_completion(out);
	else if (strcmp(shell, "zsh") == 0)
		zsh_completion(out);
	else
		return false;
	return true;
}
