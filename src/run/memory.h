/*
 * What I/O buffers are made of (mem=, hugepage-size=), and memory that is only locked (lockmem=). The thread
 * that takes it gives it back, before and after its loop.
 */
#ifndef IODECK_RUN_MEMORY_H
#define IODECK_RUN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/spec/job_spec.h"

struct memory {
	void *p; /* page-aligned, zeroed; NULL: none */
	size_t bytes;
	enum mem_kind kind;
};

/* The message says what to set when the kernel has no such memory. */
int memory_take(struct memory *, const struct job_spec *, size_t bytes, struct err *e);
void memory_give(struct memory *);
/* Is there so much memory to lock for all clones? Locking more would bring the machine down. */
int memory_check_lock(const struct job_spec *, const char *fsroot, struct err *e);
/* Takes lockmem= and locks it; nothing for 0. */
int memory_lock(struct memory *, const struct job_spec *, struct err *e);

#endif
