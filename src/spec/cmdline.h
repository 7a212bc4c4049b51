/*
 * fio's command line (fio-language 1.5): `--opt=v`, `-opt v`, job files between, jobs by --name.
 * The same rows as job files; the words that exist on the command line only are fields here.
 */
#ifndef IODECK_SPEC_CMDLINE_H
#define IODECK_SPEC_CMDLINE_H

#include <stdbool.h>

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

struct cmdline {
	struct spec spec;
	unsigned formats; /* enum cmdline_format bits; never 0 after cmdline_parse */
	char *output;	  /* --output FILE, owned; NULL: stdout */
	bool readonly, help, version, keep_files;
	enum cmdline_eta eta;
	bool parse_only;
	/* showcmd, status-interval ... join here, with a row in cmdline_words.c. */
};

/* argv without the program and the word `run`. 0 or -errno; nothing half-done is left. */
int cmdline_parse(int argc, char *const *argv, struct cmdline *out, struct err *e);
void cmdline_fini(struct cmdline *);
/* True for a word that exists on the command line only (fio's too): an error in a job file. */
bool cmdline_is_word(const char *name);
/* The text of `iodeck run --help`, generated from the rows. */
void cmdline_help(struct strbuf *out);

#endif
