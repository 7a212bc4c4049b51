/*
 * fio's text logs of I/O (read_iolog=, fio-language 2), versions 2 and 3: read whole before a run into
 * compact arrays, so that a worker only looks up what comes next. Several logs of one job (one for each
 * clone) share one list of files.
 *
 *   fio version 3 iolog                 the first line; again where a later run was appended
 *   TIME FILE add|open|close            TIME: us since the log was begun
 *   TIME FILE read|write|trim OFFSET LENGTH
 *   TIME FILE sync|datasync OFFSET LENGTH
 *
 * Version 2 has no times; its "FILE wait MS 0" goes on MS after the job began, as fio 3.33 does it (its manual
 * says otherwise). Files are opened before the run, so "open" and "close" are only checked.
 * Owned by the caller; any thread.
 */
#ifndef IODECK_SPEC_IOLOG_H
#define IODECK_SPEC_IOLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/ioop.h"

#define IOLOG_NAME_MAX   255u
#define IOLOG_HEADER     "fio version 3 iolog"
#define IOLOG_LENGTH_MAX (1u << 30)

/* What a record asks for: an enum io_op, or one of these. */
enum iolog_kind { IOLOG_SYNC = IO_OP_NR, IOLOG_DATASYNC, IOLOG_WAIT };

struct iolog_rec {
	uint64_t offset;
	/* Version 3: after the record before. Version 2: since the job began (IOLOG_WAIT only). */
	uint64_t time_ns;
	uint32_t len, line; /* line: of the log, from 1 */
	uint32_t file;      /* of the set's */
	uint8_t kind;
};

struct iolog {
	char *name;
	struct iolog_rec *v;
	size_t n, size;
	bool absolute; /* version 2 */
	bool syncs;    /* holds IOLOG_SYNC or IOLOG_DATASYNC */
	uint8_t ops;   /* IO_BIT() set */
	uint64_t bytes;
	uint32_t len_max[IO_OP_NR];
};

struct iolog_file {
	char *path;
	uint8_t ops;                     /* IO_BIT() set; 0: nothing is done to it but syncs */
	uint64_t begin_bytes, end_bytes; /* what is touched, of all logs */
	unsigned end_log;                /* which log and line touch the last of it */
	uint32_t end_line;
	unsigned index;             /* in the set */
	unsigned added_in, open_in; /* number of the log that added and opened it, from 1 */
};

struct iolog_set {
	struct iolog *logs;
	size_t n_logs;
	struct iolog_file **files;
	size_t n_files;
	void *by_name; /* tsearch(3) tree of files */
};

/* The replay_ options. */
struct iolog_how {
	char *redirect;   /* one file instead of all; NULL: none */
	uint8_t skip_ops; /* IO_BIT() set */
	bool skip_syncs;
	bool no_stall;     /* no times at all */
	uint32_t time_pct; /* 200: twice as fast */
	uint64_t align;    /* offsets are rounded down to it; a power of two, 0: as they are */
	uint64_t scale;    /* offsets are divided by it; 0: as they are */
};

/* Adds one log, from a file or from memory. -EINVAL and others: e says file, line and what is wrong. */
int iolog_load(struct iolog_set *, const char *path, const struct iolog_how *, struct err *e);
int iolog_parse(struct iolog_set *, const char *name, const char *text, size_t len,
		const struct iolog_how *, struct err *e);
void iolog_fini(struct iolog_set *);
/* Can a log of fio's format hold this name? -EINVAL with the reason. */
int iolog_check_name(const char *path, struct err *e);
/* replay_skip=read,write,trim,sync: into skip_ops and skip_syncs. */
int iolog_skip_parse(const char *text, struct iolog_how *, struct err *e);

#endif
