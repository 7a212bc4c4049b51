/*
 * Bytes from a terminal to keys. A pure state machine over a buffer: no clock, no file, so that it can
 * be tested and fuzzed. Used by term.c only; UI thread.
 *
 * It knows the sequences of ECMA-48 terminals (xterm, tmux, screen, linux, vt100, vt220, rxvt): cursor
 * and function keys mean the same there whatever TERM says, so terminfo is not asked.
 */
#ifndef IODECK_UI_TERM_INPUT_H
#define IODECK_UI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct term_input {
	uint8_t buf[4096];
	size_t at, len; /* unread bytes are buf[at..len) */
};

/* Where the next bytes go; *room is never 0 after input_next() has returned 0. */
uint8_t *input_space(struct term_input *, size_t *room);
void input_added(struct term_input *, size_t n);
/* The next key (see enum term_key), 0: none is complete. Unknown and broken sequences are skipped. */
uint32_t input_next(struct term_input *);
/* An Esc waits: is it the key or the beginning of a sequence? Time decides; the caller has it. */
bool input_esc_waits(const struct term_input *);
/* Nothing followed in time: takes the Esc out and returns TERM_ESC. */
uint32_t input_esc(struct term_input *);
/* Drops the beginning of a sequence whose rest did not come. */
void input_drop(struct term_input *);

#endif
