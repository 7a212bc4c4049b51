/*
 * run.json: what is known of a run, as one json document. Raw numbers with the unit in the key, unknown ones
 * null. Text in, text out; reading checks every field it takes.
 */
#ifndef IODECK_REC_RECORD_H
#define IODECK_REC_RECORD_H

#include "src/rec/track.h"

#define RECORD_FORMAT 1 /* grows when an older reader would misread the file */

struct record_parts {
	const struct track *track;
	const struct archive_note *note;
	const char *id;
	const char *report_json; /* the run's (or sweep's) report, one document; NULL none */
	bool partial;            /* as it will be told when nobody ends the run: compact, too */
};

void record_print(const struct record_parts *, struct strbuf *out);
/* Fills everything but id. -EINVAL with one line saying what is wrong. */
int record_parse(const char *text, size_t len, struct archive_entry *out, struct err *e);
/* The same document with another tag. */
int record_retag(const char *text, size_t len, const char *tag, struct strbuf *out, struct err *e);
/* The settings as a job file. */
int record_job(const char *text, size_t len, struct strbuf *out, struct err *e);
/* Lane A's rows of series.csv. */
int record_series(const char *text, struct archive_series *out, struct err *e);

#endif
