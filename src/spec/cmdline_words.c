#include "src/spec/cmdline_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

static const struct {
	const char *word;
	unsigned bit;
} format_words[] = {
	{"normal",  FORMAT_NORMAL	},
	   {"terse",   FORMAT_TERSE	 },
	    {"minimal", FORMAT_TERSE    },
	{"csv",	FORMAT_TERSE    },
	   {"json",    FORMAT_JSON     },
	    {"json+",   FORMAT_JSON_PLUS},
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

/* Words without a value set one flag. */
#define FLAG_WORD(field)                                                                           \
	static int set_##field(struct cmdline *c, const char *val, struct err *e)                  \
	{                                                                                          \
		(void)val;                                                                         \
		(void)e;                                                                           \
		c->field = true;                                                                   \
		return 0;                                                                          \
	}

FLAG_WORD(readonly)
FLAG_WORD(help)
FLAG_WORD(version)
FLAG_WORD(keep_files)
FLAG_WORD(parse_only)

const struct cmdline_word cmdline_words[] = {
	{"output",	   "o",	"FILE", set_output,	    "Write the report to FILE."			       },
	{"output-format", NULL, "LIST", set_format,
	 "Report formats with ',' between: normal, terse, json, json+."				       },
	{"minimal",	    NULL, NULL,	set_minimal,	     "The same as --output-format=terse."		 },
	{"append-terse",	 "f",  NULL,   set_append_terse, "Terse as well as what else is asked for."		},
	{"readonly",	     NULL, NULL,	 set_readonly,
	 "Refuse writes and trims, and making or extending files."						  },
	{"eta",		NULL, "WHEN", set_eta,	       "Status line: auto (on a terminal), always, never."},
	{"keep-files",    NULL, NULL,   set_keep_files,   "Keep the files that the run made."		      },
	{"parse-only",    NULL, NULL,   set_parse_only,   "Check the options and stop."			},
	{"help",		 "h",  NULL,   set_help,	      "This text."					  },
	{"version",	    "v",	 NULL,   set_version,	    "The version."					  },
	{"max-jobs",	     NULL, "N",	NULL,	      NULL					       },
	{"alloc-size",    NULL, "KB",   NULL,		 NULL					       },
	{NULL,	       NULL, NULL,   NULL,		 NULL					       },
};

const char *const fio_cmdline_names[] = {
	"aux-path",	   "bandwidth-log",
	"client",	   "cmdhelp",
	"cpuclock-test",   "crctest",
	"daemonize",	   "debug",
	"enghelp",	   "eta-interval",
	"eta-newline",	   "idle-prof",
	"inflate-log",	   "merge-blktrace-only",
	"remote-config",   "section",
	"server",	   "showcmd",
	"status-interval", "terse-version",
	"trigger",	   "trigger-file",
	"trigger-remote",  "trigger-timeout",
	"warnings-fatal",  NULL,
};
