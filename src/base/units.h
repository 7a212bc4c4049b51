/*
 * Sizes, durations and numbers as text, in and out. One suffix table. Parsers follow fio's value
 * grammar where it is sane and refuse the rest with a message (junk, decimals of sizes, blanks,
 * negative numbers, out of range). Printers never print a rounded-up wrong digit, never "0" for a
 * small non-zero value.
 */
#ifndef IODECK_BASE_UNITS_H
#define IODECK_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

/* What a bare number of a duration means, as nanoseconds per unit. */
#define UNIT_NS  1ull
#define UNIT_US  1000ull
#define UNIT_MS  1000000ull
#define UNIT_SEC 1000000000ull

/*
 * "4k", "1m", "0x1000", "4KiB" -> bytes. kb_base 1024: k = kb = ki = 1024, kib = 1000 (fio's own
 * rule); kb_base 1000: the other way round. *iec_note (may be NULL) is set when an iB suffix was
 * read with kb_base 1024, which surprises people. 0 or -EINVAL/-ERANGE with e filled.
 */
int units_parse_size(const char *text, unsigned kb_base, uint64_t *bytes, bool *iec_note,
		     struct err *e);
/* The console's own reading: 4k = 4K = 4kB = 4KiB = 4096, "1.5g" allowed. */
int units_parse_size_ui(const char *text, uint64_t *bytes, struct err *e);
/* "10", "1m", "500ms", "1.5s", "2min", "1h" -> ns. bare_ns: what a number without suffix counts. */
int units_parse_time(const char *text, uint64_t bare_ns, uint64_t *ns, struct err *e);
/* A plain unsigned decimal or 0xhex number in [min, max]. */
int units_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct err *e);

/*
 * fio's number printer (fio-language 3.1): at most `maxlen` characters of digits, then a prefix
 * (Ki Mi .. for base 1024, k M .. for 1000), then `unit`.  4096 "B" 1024 -> "4096B".
 */
void units_fmt_fio(char *out, size_t size, uint64_t n, unsigned maxlen, unsigned base,
		   const char *unit);

/*
 * The console's printers: three significant digits, no unit-less "K".
 *   count: 7.00 84.1 612 9.99k 84.1k 1.23M    duration: 840 ns, 84.1 us, 1.23 ms, 12.3 s
 *   bytes: 512 B, 4 KiB, 1.39 GiB (iec) or 4.10 kB (si)
 * micro: the text for "u" in "us": "u" in ASCII, the micro sign in UTF-8. Values below the last
 * digit that would print as zero give "<0.01". NaN or negative gives "-". All NUL-terminate.
 */
void units_fmt_count(char *out, size_t size, double n);
void units_fmt_ns(char *out, size_t size, double ns, const char *micro);
void units_fmt_bytes(char *out, size_t size, double bytes, bool si);
/* The same for a rate: "1.39 GiB/s". */
void units_fmt_bps(char *out, size_t size, double bytes_per_s, bool si);
/* Percent: "100" only when exact, else at most "99.9"; below 10 one decimal. No '%' sign. */
void units_fmt_pct(char *out, size_t size, double pct);
/* "0:42", "12:05", "1:02:03" from nanoseconds, whole seconds rounded down. */
void units_fmt_clock(char *out, size_t size, uint64_t ns);
/* A size as fio writes and reads it, exact: "4k", "1m", "1g", "4097". */
void units_fmt_size_exact(char *out, size_t size, uint64_t bytes);
/* A duration as fio reads it with unit seconds, exact: "60", "1500ms", "250us". */
void units_fmt_time_exact(char *out, size_t size, uint64_t ns);

#endif
