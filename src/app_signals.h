/* Signals that end a headless command: it is told to stop, keeps what it has, and a third one leaves. */
#ifndef IODECK_APP_SIGNALS_H
#define IODECK_APP_SIGNALS_H

#define SIGNAL_STATUS 128

/* SIGINT, SIGTERM, SIGHUP from now on. The third of them ends the process with SIGNAL_STATUS + its number. */
void app_signals_catch(void);
int app_signals_seen(void);
int app_signals_last(void); /* 0: none */

#endif
