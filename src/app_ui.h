/* The console: a session in front, the terminal behind, the last run's report at the end. */
#ifndef IODECK_APP_UI_H
#define IODECK_APP_UI_H

/*
 * argv[0] is the program's name:
 *   [TARGET | PROFILE.fio] [--script FILE] [--size WxH] [--ascii] [--no-color] [--readonly] [--keep]
 * Returns the exit status: 0; 1 for a bad request or a script that failed; 2 without a terminal;
 * 128 + n after signal n.
 */
int app_ui(int argc, char *const *argv);

#endif
