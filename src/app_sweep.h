/* `iodeck sweep`: a grid of cells measured without a screen. */
#ifndef IODECK_APP_SWEEP_H
#define IODECK_APP_SWEEP_H

/*
 * argv after the word `sweep`. Exit status: 0; 1 for a bad request or a run that failed; 128 after a
 * signal, with everything measured so far reported.
 */
int app_sweep(int argc, char **argv);

#endif
