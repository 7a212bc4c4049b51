/*
 * What a path is as a target: a block device, a file of ours, somebody else's, or not there yet. Looks
 * only; whether a run may write is judged by the session when it opens the target. UI thread.
 */
#ifndef IODECK_UI_SETUP_TARGET_H
#define IODECK_UI_SETUP_TARGET_H

#include <stdint.h>

#include "src/base/err.h"
#include "ui/machine.h"
#include "ui/state.h"

#define TARGET_NEW_BYTES (1ull << 30) /* a new scratch file */

enum target_kind {
	TARGET_NEW,     /* does not exist; laid out at the first start */
	TARGET_BLOCK,   /* a block device */
	TARGET_OURS,    /* a file that iodeck made: writes are possible */
	TARGET_SIM,     /* a simulated device, sim:NAME */
	TARGET_FOREIGN, /* another file: writes ask first */
};

struct target_look {
	enum target_kind kind;
	uint64_t size_bytes;
	char line[256]; /* one line for the strip */
};

/* -errno with the reason when it cannot be a target (directory, character device, no such folder). */
int setup_target_look(const char *path, struct machine *, struct target_look *, struct err *e);
/* What happens to a write job: "no: mounted at /boot", or "asks first". */
void setup_target_write_note(struct machine *, const struct device *, char *out, size_t size);
/*
 * Makes path the target of the strip. A new file gets size=1g unless a size was asked for; that size
 * goes away again with the next target. Nothing is changed on an error.
 */
int setup_target_set(struct ui_state *, const char *path, struct err *e);
/* target_line anew from job.filename (a profile was loaded, the devices were read again). */
void setup_target_refresh(struct ui_state *);
/* job.filename as a path when it names one file; false: none or a list. */
bool setup_target_path(const struct ui_state *, char *out, size_t size);

#endif
