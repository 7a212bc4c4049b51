/*
 * A file with a known pattern and one engine instance on it, for the engine tests. The file lives in
 * a folder of its own, which rig_close() removes. Asserts inside the calling test.
 */
#ifndef IODECK_TESTS_ENGINE_RIG_H
#define IODECK_TESTS_ENGINE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "engines/engine.h"

#define BLOCK       4096u
#define FILE_BLOCKS 64u
#define TAIL_BYTES  1000u /* after the last whole block: the file ends inside a block */
#define FILE_BYTES  (FILE_BLOCKS * BLOCK + TAIL_BYTES)
#define LONG_NS     (20 * NSEC_PER_SEC)
#define HANG_S      120

/* Where files live and how they are opened. A place that refuses O_DIRECT is left out by rig_place. */
struct place {
	char base[16];
	bool direct;
};
#define PLACE_NR 4
extern const struct place places[PLACE_NR];

struct rig_cfg {
	uint32_t depth; /* 0: 8 */
	uint32_t spare; /* slots beyond depth, that no engine may accept */
	uint32_t len;   /* buffer bytes; 0: BLOCK */
	bool readonly;  /* file O_RDONLY and env.writable false */
	bool lie;       /* file O_RDONLY but env.writable true */
	const void *opts;
	const struct rig *second; /* its file is the job's second one; NULL: one file */
};

struct rig {
	struct engine eng;
	struct engine_env env;
	struct io_slot *slots, **list, **done;
	uint32_t n_slots;
	size_t pool_bytes;
	char dir[64], path[80], what[64]; /* what: engine and place, for messages */
	int fd, fds[2];
	struct err err;
};

/* The file without an engine. false: this place does not exist or takes no O_DIRECT. */
bool rig_file(struct rig *r, const struct place *p, const struct rig_cfg *cfg);
/* The engine on the file. 0 or -errno with r->err. */
int rig_engine(struct rig *r, const struct engine_ops *ops, const struct rig_cfg *cfg);
/* Both; false: leave this place out. */
bool rig_open(struct rig *r, const struct engine_ops *ops, const struct place *p,
	      const struct rig_cfg *cfg);
void rig_close(struct rig *r);

/* Slot i as a request for block b; the list holds slots 0.. in order. */
struct io_slot *rig_slot(struct rig *r, uint32_t i, enum io_op op, uint64_t block);
int rig_submit(struct rig *r, uint32_t first, uint32_t n);
/* Hands over slots first..first+n-1, all of them, however many calls that takes. */
void rig_submit_all(struct rig *r, uint32_t first, uint32_t n);
/* Waits until n slots came back (into r->done); fails the test after 20 s. */
void rig_reap_all(struct rig *r, uint32_t n);

void pattern_fill(void *buf, uint32_t len, uint64_t offset, uint64_t version);
bool pattern_is(const void *buf, uint32_t len, uint64_t offset, uint64_t version);
/* Does the file hold version 0 in every byte? */
bool rig_file_untouched(const struct rig *r);
unsigned open_fds(void);

#endif
