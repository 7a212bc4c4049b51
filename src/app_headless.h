/* `iodeck run`: the engine without a screen. */
#ifndef IODECK_APP_HEADLESS_H
#define IODECK_APP_HEADLESS_H

/* argv after the word `run`. Returns the exit status (fio-language 4.12). */
int app_headless(int argc, char **argv);

#endif
