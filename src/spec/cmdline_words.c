#include "src/spec/cmdline_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"

static const struct {
	const char *word;
	unsigned bit;
} format_words[] = {
	{"normal", FORMAT_NORMAL}, {"terse", FORMAT_TERSE}, {"minimal", FORMAT_TERSE},
	{"csv", FORMAT_TERSE},     {"json", FORMAT_JSON},   {"json+", FORMAT_JSON_PLUS},
};

static unsigned format_bit(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(format_words) / sizeof(format_words[0]); i++)
		if (strlen(format_words[i].word) == len &&
		    memcmp(format_words[i].word, word, len) == 0)
			return format_words[i].bit;
	return 0;
}

static int set_format(struct cmdline *c, const char *val, struct err *e)
{
	unsigned formats = 0, bit;

	for (;; val++) {
		size_t len = strcspn(val, ",");

		bit = format_bit(val, len);
		if (!bit)
			return err_set(e, EINVAL,
				       "output-format: no format '%.*s'; accepted: a comma list of "
				       "normal, terse, json, json+",
				       (int)(len < 40 ? len : 40), val);
		formats |= bit;
		val += len;
		if (!*val)
			break;
	}
	c->formats = formats | (c->formats & FORMAT_APPEND_TERSE);
	return 0;
}

static int set_minimal(struct cmdline *c, const char *val, struct err *e)
{
	(void)val;
	return set_format(c, "terse", e);
}

static int set_append_terse(struct cmdline *c, const char *val, struct err *e)
{
	(void)val;
	(void)e;
	c->formats |= FORMAT_APPEND_TERSE;
	return 0;
}

static int set_output(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val)
		return err_set(e, EINVAL, "output: the file name is empty");
	free(c->output);
	c->output = xstrdup(val);
	return 0;
}

static int set_state_dir(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val)
		return err_set(e, EINVAL, "state-dir: the folder's name is empty");
	free(c->state_dir);
	c->state_dir = xstrdup(val);
	return 0;
}

static int set_eta(struct cmdline *c, const char *val, struct err *e)
{
	static const char *const words[] = {
		[ETA_AUTO] = "auto", [ETA_ALWAYS] = "always", [ETA_NEVER] = "never"};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(val, words[i]) == 0) {
			c->eta = (enum cmdline_eta)i;
			return 0;
		}
	}
	return err_set(e, EINVAL, "eta=%.40s: accepted: auto, always, never", val);
}

static int set_terse_version(struct cmdline *c, const char *val, struct err *e)
{
	uint64_t v;

	if (units_parse_u64(val, 2, 5, &v, NULL) < 0)
		return err_set(e, EINVAL, "terse-version=%.40s: accepted: 2 to 5", val);
	c->terse_version = (unsigned)v;
	return 0;
}

static int parse_interval(const char *word, const char *val, uint64_t min_ns, uint64_t *ns,
			  struct err *e)
{
	struct err why = {0};

	if (units_parse_time(val, UNIT_SEC, ns, &why) < 0)
		return err_set(e, EINVAL, "%s=%.40s: %.200s", word, val, why.msg);
	if (*ns < min_ns)
		return err_set(e, ERANGE, "%s=%.40s: too short, at least %llums", word, val,
			       (unsigned long long)(min_ns / UNIT_MS));
	return 0;
}

static int set_status_interval(struct cmdline *c, const char *val, struct err *e)
{
	return parse_interval("status-interval", val, UNIT_MS, &c->status_interval_ns, e);
}

static int set_eta_interval(struct cmdline *c, const char *val, struct err *e)
{
	return parse_interval("eta-interval", val, 250 * UNIT_MS, &c->eta_interval_ns, e);
}

static int set_eta_newline(struct cmdline *c, const char *val, struct err *e)
{
	return parse_interval("eta-newline", val, UNIT_MS, &c->eta_newline_ns, e);
}

static void list_add(struct word_list *list, const char *word)
{
	list->v = xrealloc(list->v, (list->n + 1) * sizeof(*list->v));
	list->v[list->n++] = xstrdup(word);
}

static int set_section(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val)
		return err_set(e, EINVAL, "section: the name is empty");
	list_add(&c->sections, val);
	return 0;
}

static int set_allow_destroy(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val)
		return err_set(e, EINVAL, "allow-destroy: the name of the device is empty");
	list_add(&c->allow_destroy, val);
	return 0;
}

static int set_allow_overwrite(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val)
		return err_set(e, EINVAL, "allow-overwrite: the name of the file is empty");
	list_add(&c->allow_overwrite, val);
	return 0;
}

static int set_set(struct cmdline *c, const char *val, struct err *e)
{
	if (!*val || *val == '=')
		return err_set(e, EINVAL, "set=%.40s: accepted: OPTION=VALUE", val);
	list_add(&c->set, val);
	return 0;
}

static void set_topic(struct cmdline *c, const char *val)
{
	free(c->help_topic);
	c->help_topic = val && *val && strcmp(val, "all") != 0 ? xstrdup(val) : NULL;
}

static int set_cmdhelp(struct cmdline *c, const char *val, struct err *e)
{
	(void)e;
	c->cmdhelp = true;
	set_topic(c, val);
	return 0;
}

static int set_enghelp(struct cmdline *c, const char *val, struct err *e)
{
	(void)e;
	c->enghelp = true;
	set_topic(c, val);
	return 0;
}

/* fio's masks; the output they switch on is fio's own affair. */
static int set_debug(struct cmdline *c, const char *val, struct err *e)
{
	static const char *const masks[] = {
		"all",          "process", "file",  "io",       "mem",      "blktrace",
		"verify",       "random",  "parse", "diskutil", "job",      "mutex",
		"profile",      "time",    "net",   "rate",     "compress", "steadystate",
		"helperthread", "zbd",     NULL};
	size_t len;

	for (const char *p = val;; p += len + 1) {
		const char *const *m = masks;

		len = strcspn(p, ",");
		while (*m && (strlen(*m) != strcspn(p, ",:") || strncmp(*m, p, strlen(*m)) != 0))
			m++;
		if (!*m)
			return err_set(e, EINVAL, "debug=%.60s: '%.*s' is none of fio's masks", val,
				       (int)(len < 40 ? len : 40), p);
		if (!p[len])
			break;
	}
	spec_note(&c->spec, "command line: --debug has no effect here");
	return 0;
}

/* Words without a value set one flag. */
#define FLAG_WORD(field)                                                                           \
	static int set_##field(struct cmdline *c, const char *val, struct err *e)                  \
	{                                                                                          \
		(void)val;                                                                         \
		(void)e;                                                                           \
		c->field = true;                                                                   \
		return 0;                                                                          \
	}

FLAG_WORD(bandwidth_log)
FLAG_WORD(readonly)
FLAG_WORD(help)
FLAG_WORD(version)
FLAG_WORD(keep_files)
FLAG_WORD(parse_only)
FLAG_WORD(showcmd)
FLAG_WORD(warnings_fatal)
FLAG_WORD(plain)
FLAG_WORD(words)

const struct cmdline_word cmdline_words[] = {
	{"output", "o", "FILE", set_output, "Write the report to FILE."},
	{"output-format", NULL, "LIST", set_format,
	 "Report formats with ',' between: normal, terse, json, json+."},
	{"minimal", NULL, NULL, set_minimal, "The same as --output-format=terse."},
	{"append-terse", "f", NULL, set_append_terse, "Terse as well as what else is asked for."},
	{"readonly", NULL, NULL, set_readonly,
	 "Refuse writes and trims, and making or extending files."},
	{"allow-destroy", NULL, "DEV", set_allow_destroy,
	 "Consent to lose all data on this block device; may be given several times."},
	{"allow-overwrite", NULL, "FILE", set_allow_overwrite,
	 "Consent to overwrite this file that iodeck did not make; may be given several times."},
	{"eta", NULL, "WHEN", set_eta, "Status line: auto (on a terminal), always, never."},
	{"plain", NULL, NULL, set_plain,
	 "A line a second that says everything, for logs and screen readers."},
	{"words", NULL, NULL, set_words, "With --plain: no abbreviations."},
	{"state-dir", NULL, "DIR", set_state_dir,
	 "Keep the run in DIR/runs, where the console's History and `iodeck history` find it."},
	{"keep-files", NULL, NULL, set_keep_files, "Keep the files that the run made."},
	{"parse-only", NULL, NULL, set_parse_only, "Check the options and stop."},
	{"help", "h", NULL, set_help, "This text."},
	{"version", "v", NULL, set_version, "The version."},
	{"set", NULL, "OPT=VAL", set_set, "Set OPT in every job, whatever the job files say."},
	{"section", NULL, "NAME", set_section,
	 "Run only this section of the job files; may be given several times."},
	{"showcmd", NULL, NULL, set_showcmd, "Print the jobs as a command line and stop."},
	{"cmdhelp", NULL, "[OPTION]", set_cmdhelp, "Help on one job option, or all of them."},
	{"enghelp", NULL, "[ENGINE]", set_enghelp,
	 "Help on an engine's options (ENGINE or ENGINE,OPTION), or the list of engines."},
	{"warnings-fatal", NULL, NULL, set_warnings_fatal, "A note on the options is an error."},
	{"terse-version", NULL, "N", set_terse_version, "Version of the terse format: 2 to 5 (3)."},
	{"status-interval", NULL, "TIME", set_status_interval,
	 "Print a report of the numbers so far this often."},
	{"eta-interval", NULL, "TIME", set_eta_interval,
	 "Time between status lines, at least 250ms (1s)."},
	{"eta-newline", NULL, "TIME", set_eta_newline,
	 "Begin a new status line this often, so that the old one stays."},
	{"bandwidth-log", NULL, NULL, set_bandwidth_log,
	 "Log the bandwidth of all jobs together to agg-read_bw.log, agg-write_bw.log, "
	 "agg-trim_bw.log."},
	{"debug", NULL, "LIST", set_debug, NULL},
	{"aux-path", NULL, "PATH", NULL, NULL},
	{"max-jobs", NULL, "N", NULL, NULL},
	{"alloc-size", NULL, "KB", NULL, NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

const char *const fio_cmdline_names[] = {
	"client",       "cpuclock-test",       "crctest",         "daemonize", "idle-prof",
	"inflate-log",  "merge-blktrace-only", "remote-config",   "server",    "trigger",
	"trigger-file", "trigger-remote",      "trigger-timeout", NULL,
};
