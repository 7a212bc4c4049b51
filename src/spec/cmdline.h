/*
 * fio's command line (fio-language 1.5): `--opt=v`, `-opt v`, job files between, jobs by --name.
 * The same rows as job files; the words that exist on the command line only are fields here.
 */
#ifndef IODECK_SPEC_CMDLINE_H
#define IODECK_SPEC_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/spec/spec.h"

enum cmdline_format { /* bits, printed in the order terse, json, normal */
		      FORMAT_NORMAL = 1u << 0,
		      FORMAT_TERSE = 1u << 1,
		      FORMAT_JSON = 1u << 2,
		      FORMAT_JSON_PLUS = 1u << 3,
		      FORMAT_APPEND_TERSE = 1u << 8, /* never in a parsed cmdline */
};

enum cmdline_eta { ETA_AUTO, ETA_ALWAYS, ETA_NEVER };

/* Words given several times. */
struct word_list {
	char **v;
	size_t n;
};

struct cmdline {
	struct spec spec;
	unsigned formats;   /* enum cmdline_format bits; never 0 after cmdline_parse */
	char *output;       /* --output FILE, owned; NULL: stdout */
	char *state_dir;    /* --state-dir DIR, owned; NULL: the run is not kept */
	bool bandwidth_log; /* of the whole run */
	bool readonly, help, version, keep_files;
	enum cmdline_eta eta;
	bool parse_only, showcmd, warnings_fatal;
	bool plain, words;     /* lines that say everything instead of a status line; in words */
	bool cmdhelp, enghelp; /* ... was asked for, */
	char *help_topic;      /* for this option or engine[,option]; NULL: all. Owned */
	struct word_list sections, set;                  /* --section=NAME, --set=OPT=VAL */
	struct word_list allow_destroy, allow_overwrite; /* devices, files; never in a job file */
	uint64_t status_interval_ns; /* dump the numbers so far this often; 0: never */
	uint64_t eta_interval_ns;    /* between status lines, at least 250 ms */
	uint64_t eta_newline_ns;     /* keep a status line this often; 0: never */
	unsigned terse_version;      /* 2..5 */
	bool several_sources;        /* the jobs come from more than one file or command line */
				     /* A new word joins here, with a row in cmdline_words.c. */
};

/* argv without the program and the word `run`. 0 or -errno; nothing half-done is left. */
int cmdline_parse(int argc, char *const *argv, struct cmdline *out, struct err *e);
void cmdline_fini(struct cmdline *);
/* True for a word that exists on the command line only (fio's too): an error in a job file. */
bool cmdline_is_word(const char *name);
/* The text of `iodeck run --help`, generated from the rows. */
void cmdline_help(struct strbuf *out);
/* --cmdhelp[=OPTION], --enghelp[=ENGINE[,OPTION]]. topic NULL: a list of all. */
int cmdline_cmdhelp(const char *topic, struct strbuf *out, struct err *e);
int cmdline_enghelp(const char *topic, struct strbuf *out, struct err *e);
/* --showcmd: the jobs as one command line that a shell reads back. */
void cmdline_show(const struct cmdline *, struct strbuf *out);

#endif
