/* Student's t for two-sided 95 % intervals. Pure, any thread. */
#ifndef IODECK_STAT_STUDENT_H
#define IODECK_STAT_STUDENT_H

/*
 * The 97.5 % quantile for dof degrees of freedom; INFINITY for 0. A table up to 10, then the expansion of
 * Hill (CACM algorithm 396, 1970) around the normal quantile; error below 0.001.
 */
double student_t95(unsigned dof);

#endif
