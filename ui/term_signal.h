/*
 * Signals that the event loop answers (WINCH INT TERM HUP TSTP CONT), brought to it through a pipe.
 * Used by term.c only. The handler writes one byte and sets one bit; everything else is the loop's.
 */
#ifndef IODECK_UI_TERM_SIGNAL_H
#define IODECK_UI_TERM_SIGNAL_H

#include <stdint.h>

int term_signal_begin(void); /* 0/-errno. Also ignores SIGPIPE */
void term_signal_end(void);  /* the former handlers are back */
int term_signal_pipe(void);  /* readable after a signal */
uint64_t term_signal_take(void);
void term_signal_post(int sig); /* as if sig had come; async-signal-safe */
void term_signal_stop(void);    /* stops the process as Ctrl-Z does; returns when continued */

#endif
