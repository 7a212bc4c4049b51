/*
 * Options whose value is a small language of its own, taken apart: block size lists, ranges, offset
 * distributions, CPU lists, error lists. The job keeps the text as written; the checks of the rows and
 * the running side both read it with these functions. Pure; the caller owns the result.
 */
#ifndef IODECK_SPEC_JOB_LISTS_H
#define IODECK_SPEC_JOB_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/ioop.h"

/* Shares are counted in parts of this. */
#define SHARE_ALL 1000000u

#define BSSPLIT_MAX 64u

/* bssplit=4k/10:64k/50:32k/40, directions with ',' between. Shares add up to SHARE_ALL. */
struct bssplit {
	uint32_t n;
	struct {
		uint64_t bytes;
		uint32_t share;
	} part[BSSPLIT_MAX];
};

int bssplit_parse(const char *text, unsigned kb_base, struct bssplit out[IO_OP_NR], struct err *e);

struct size_range {
	uint64_t lo, hi;
};

/* bsrange=lo-hi, directions with ',' between. */
int bsrange_parse(const char *text, unsigned kb_base, struct size_range out[IO_OP_NR],
		  struct err *e);
/* filesize=N or lo-hi. */
int size_range_parse(const char *text, unsigned kb_base, struct size_range *out, struct err *e);

#define ZONES_MAX 64u

enum distribution_kind {
	DIST_RANDOM,
	DIST_ZIPF,
	DIST_PARETO,
	DIST_NORMAL,
	DIST_ZONED,     /* sizes are shares of the region */
	DIST_ZONED_ABS, /* sizes are bytes */
};

/* random_distribution=zipf:theta[:center], pareto:h, normal:dev, zoned:access/size:... */
struct distribution {
	enum distribution_kind kind;
	double param;  /* theta, h, deviation in percent of the region */
	double center; /* 0..1 of the region; negative: none given */
	struct zones {
		uint32_t n;
		struct {
			uint32_t access; /* share */
			uint64_t size;   /* share or bytes */
		} v[ZONES_MAX];
	} zones[IO_OP_NR];
};

int distribution_parse(const char *text, unsigned kb_base, struct distribution *out, struct err *e);

#define CPUS_MAX 8192u

struct cpu_list {
	uint64_t bits[CPUS_MAX / 64];
};

/* "0-3,8" */
int cpu_list_parse(const char *text, struct cpu_list *out, struct err *e);
bool cpu_list_has(const struct cpu_list *, uint32_t cpu);
void cpu_list_add(struct cpu_list *, uint32_t cpu);

#define IGNORE_ERRORS_MAX 16u

/* ignore_error=EIO:ENOSPC,EIO: errors of reads, then of writes; trims go with writes. */
struct error_list {
	uint32_t n[IO_OP_NR];
	int v[IO_OP_NR][IGNORE_ERRORS_MAX];
};

int error_list_parse(const char *text, struct error_list *out, struct err *e);

enum mem_policy { MEM_DEFAULT, MEM_PREFER, MEM_BIND, MEM_INTERLEAVE, MEM_LOCAL };

/* numa_mem_policy=mode[:nodes] */
int mem_policy_parse(const char *text, enum mem_policy *mode, struct cpu_list *nodes,
		     struct err *e);

#endif
