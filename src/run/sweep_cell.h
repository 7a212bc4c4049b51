/* Measuring one cell: batch means, their interval, the numbers of the cell. Only sweep.c needs this. */
#ifndef IODECK_RUN_SWEEP_CELL_H
#define IODECK_RUN_SWEEP_CELL_H

#include "src/run/sweep.h"

/* Forgets what was measured of the cell at work. */
void sweep_cell_begin(struct sweep *);
/* One snapshot's window of dt_ns into the sums. */
void sweep_cell_add(struct sweep *, const struct lane_snap *, uint64_t dt_ns);
/* Is it measured? Sets the flags that say why. */
bool sweep_cell_is_done(struct sweep *);
/* The numbers so far into s->cell. */
void sweep_cell_numbers(struct sweep *);

#endif
