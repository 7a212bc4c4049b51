/*
 * What curses draws, on its way to the terminal, without ever waiting for it: a terminal that takes
 * nothing (a dead link, a stopped screen) must not hold up the console, which still has a run to stop
 * and signals to answer. Curses writes to memory; from there bytes go out as the terminal takes them.
 * Used by term.c only; UI thread.
 */
#ifndef IODECK_UI_TERM_OUT_H
#define IODECK_UI_TERM_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* fd: to the terminal, non-blocking; stays the caller's. 0/-errno. */
int term_out_begin(int fd);
void term_out_end(void);
FILE *term_out_stream(void); /* for newterm() */
/* Takes over what curses has written since the last call. */
void term_out_take(void);
/* Sends what the terminal takes. 1: all is out, 0: some is left, -errno: the terminal is gone. */
int term_out_send(void);
/* What is left is not wanted any more; the terminal may have got half a sequence. */
void term_out_drop(void);
uint64_t term_out_bytes(void); /* sent since begin */

#endif
