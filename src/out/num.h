/*
 * Numbers as the reports spell them. The only place of src/out where a real number becomes text, so
 * that a decimal comma of the user's locale never reaches a report (cases 118).
 * Each function returns a small text by value: usable directly as a %s argument.
 */
#ifndef IODECK_OUT_NUM_H
#define IODECK_OUT_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "src/spec/job_spec.h"

/* Digits of latency bounds; those of other numbers are the job's significant_figures. */
#define NUM_LAT_FIGS 6

/* How a job wants its numbers. */
struct num_style {
	unsigned base; /* 1024 or 1000 */
	unsigned figs; /* significant_figures */
	bool bits;     /* bandwidth in bits (unit_base=1); sizes are bytes all the same */
};

struct num_style num_style(const struct job_spec *);
/* Bandwidths are printed twice: in the base of the job's kb_base, then in the other one. */
struct num_style num_other(struct num_style);

struct num {
	char s[48];
};

/* Like %*.*f, always with a dot. Not finite (unknown) or too large for the text: "-". */
struct num num_real(double v, int width, int decimals);
/* "404MiB", "202MiB/s" for base 1024; "424MB", "212MB/s" for base 1000. */
struct num num_bytes(uint64_t bytes, struct num_style);
struct num num_bps(uint64_t bytes_s, struct num_style);
/* "51.7k" with four figures, "3609.2k" with NUM_LAT_FIGS. */
struct num num_count(uint64_t n, unsigned figs);
/* "Mon Nov 30 14:26:02 2026", local time, no newline. */
struct num num_ctime(uint64_t wall_ms);

#endif
