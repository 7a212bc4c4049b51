/*
 * What the History screen shows and where the user is in it. Changed by console_history.c; the view reads
 * it (and keeps the scroll position). UI thread.
 */
#ifndef IODECK_UI_HISTORY_STATE_H
#define IODECK_UI_HISTORY_STATE_H

#include <stdbool.h>

#include "src/stat/archive.h"

#define HISTORY_PICKS 6

enum history_metric { HISTORY_IOPS, HISTORY_BW, HISTORY_P99, HISTORY_METRICS };

struct history_pick {
	char id[ARCHIVE_ID_SIZE];
	struct archive_entry entry;
	struct archive_series series; /* owned; empty: it could not be read */
};

struct history_state {
	bool available; /* false: this console keeps nothing */
	struct archive_list list;
	size_t *shown; /* indices into list that pass the filter; owned */
	int n_shown, at;
	char filter[64];
	char why[200];                           /* the list could not be read; "" it could */
	struct history_pick pick[HISTORY_PICKS]; /* in the order in which they were picked */
	int n_picks;
	bool overlay;
	enum history_metric metric;
};

/* NULL: the list is empty. */
static inline const struct archive_entry *history_selected(const struct history_state *h)
{
	return h->at < h->n_shown ? &h->list.v[h->shown[h->at]] : NULL;
}

/* "07-26 17:46", local time. */
void history_when(const struct archive_entry *, char *out, size_t size);
/* The last part of a path; "sim:nvme" as it is. */
const char *history_target(const struct archive_entry *);
/* Its number among the picks, from 0; -1 not picked. */
int history_pick_of(const struct history_state *, const char *id);

#endif
