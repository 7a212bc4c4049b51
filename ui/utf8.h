/*
 * UTF-8 in and out, strict (no overlong form, no surrogate, nothing above U+10FFFF). Independent of the
 * locale, so that a golden screen is the same everywhere. Pure functions, any thread.
 */
#ifndef IODECK_UI_UTF8_H
#define IODECK_UI_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD  0xffffffffu /* not UTF-8; `used` bytes of it belong together */
#define UTF8_MORE 0xfffffffeu /* the n bytes begin a sequence that is not complete; used is 0 */

/* The first code point of s[0..n), n > 0. *used: how many bytes it took. */
uint32_t utf8_decode(const char *s, size_t n, size_t *used);
/* Writes 1..4 bytes, no NUL; returns how many. What is not a code point becomes '?'. */
size_t utf8_encode(uint32_t cp, char out[4]);

#endif
