/*
 * What stands on each device (file systems, tables, members), read in the background: opening a dead
 * device takes as long as it does not answer, and the screen must not wait for it. Shared between the
 * console and the threads that read; ends with the last of them. All functions: UI thread.
 */
#ifndef IODECK_UI_SIGNS_H
#define IODECK_UI_SIGNS_H

#include <stdint.h>

#include "src/dev/device.h"

#define SIGNS_TEXT 96

enum signs_state {
	SIGNS_UNKNOWN, /* cannot be read, or was not asked for */
	SIGNS_READING,
	SIGNS_NONE,  /* nothing that libblkid knows */
	SIGNS_FOUND, /* "gpt", "ext4", "LVM2_member" */
};

struct signs;

struct signs *signs_new(const char *fsroot);
/* Those with a size that were not asked for yet; devices that have gone stay known. */
void signs_want(struct signs *, const struct device_list *);
/* Until all are read, at most so long. */
void signs_wait(struct signs *, uint64_t wait_ns);
enum signs_state signs_get(struct signs *, const struct device *, char out[SIGNS_TEXT]);
void signs_release(struct signs *); /* NULL: nothing */

#endif
