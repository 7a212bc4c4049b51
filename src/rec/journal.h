/*
 * What is known of a run goes to disk while it is on, so that a crash or a kill costs a second of it at
 * most: a folder NAME.partial with the rows of the series as they end, and a file of two places that are
 * overwritten in turn with run.json as it would be now. When the run is kept, the folder goes; when the
 * process died, the next one that looks makes a run of it.
 *
 * A thread of its own writes: under a run that fills the page cache every write of the process may wait.
 * Nothing is synced: the process may die at any time, a power cut costs what the kernel had not written
 * yet (some 30 s), and the disk under test is not made to flush.
 */
#ifndef IODECK_REC_JOURNAL_H
#define IODECK_REC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"

#define JOURNAL_END ".partial"

struct journal;

/* NULL: there is no thread for it; all functions take that. One thread may call. */
struct journal *journal_begin(const char *folder, const char *id);
/* Text for the end of series.csv; whole lines. */
void journal_rows(struct journal *, const char *text, size_t len);
/* In place of what was told before. */
void journal_state(struct journal *, const char *text, size_t len);
/* remove: it is kept elsewhere, or shall not be kept. Waits for the writer, but not for long. */
void journal_end(struct journal *, bool remove);

/* Of a folder that journal_recover() refuses. */
void journal_remove_state(const char *dir);

bool journal_is_name(const char *name);
/*
 * Makes folder/ID of folder/ID.partial. 1: done; 0: its writer lives, or it was kept already or nothing was
 * measured (then it is gone); -errno with e filled: it stays as it is.
 */
int journal_recover(const char *folder, const char *name, struct err *e);

#endif
