/*
 * The runs that are kept: one folder each, with run.json, series.csv and screen.svg, all plain text. A
 * folder appears whole or not at all (made beside, synced, renamed). What cannot be read is listed as
 * damaged and left as it is. One thread.
 */
#ifndef IODECK_REC_STORE_H
#define IODECK_REC_STORE_H

#include "src/stat/archive.h"

struct store_cfg {
	const char *folder; /* copied */
	/*
	 * The report of the run (or sweep) that is over, appended as one json document; may be NULL. What is
	 * left empty is not kept.
	 */
	void (*report)(void *arg, const struct snapshot *last, bool sweep, const struct job_spec *,
		       struct strbuf *out);
	void *arg;
};

struct archive *store_open(const struct store_cfg *);
void store_close(struct archive *);
/* $XDG_DATA_HOME/iodeck/runs or ~/.local/share/iodeck/runs; NULL: no home. Owned by the caller. */
char *store_default_folder(void);

#endif
