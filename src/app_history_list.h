/* `iodeck history`: the runs that are kept, what a crash has left among them. */
#ifndef IODECK_APP_HISTORY_LIST_H
#define IODECK_APP_HISTORY_LIST_H

/* The exit status. argv without the program and the word `history`. */
int app_history_list(int argc, char *const *argv);

#endif
