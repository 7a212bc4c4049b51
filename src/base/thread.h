/* Threads that leave the process's signals to the main thread. Any thread may call. */
#ifndef IODECK_BASE_THREAD_H
#define IODECK_BASE_THREAD_H

#include <pthread.h>

/*
 * Starts fn(arg) with every signal blocked but those of faults: while one of these is blocked, a fault
 * ends the process without the handler that gives the terminal back. attr may be NULL. 0/-errno.
 */
int thread_spawn(pthread_t *, const pthread_attr_t *attr, void *(*fn)(void *), void *arg);

#endif
