/*
 * The mechanics of a simulated hard disk: an arm, a turning platter, and the choice of the next
 * request. Pure; part of sim_model. A volume of several disks is striped over them.
 */
#ifndef IODECK_ENGINES_SIM_DISK_H
#define IODECK_ENGINES_SIM_DISK_H

#include "engines/sim_model.h"
#include "src/base/rng.h"

/* One spindle and the requests waiting for it, oldest first. */
struct sim_spindle {
	struct sim_req *first, *last;
	uint32_t n;
	bool busy;
	double track;       /* where the arm is, as a share of the stroke */
	uint64_t next_byte; /* after the last transfer: going on there costs no seek */
};

/* Which of `spindles` holds this offset. */
uint32_t sim_disk_spindle(uint64_t offset, uint32_t spindles);
void sim_disk_queue(struct sim_spindle *, struct sim_req *);
/* Takes the request that the disk serves next out of the queue, which is not empty. */
struct sim_req *sim_disk_pick(struct sim_spindle *, const struct sim_params *, struct rng *,
			      uint64_t now_ns);
/*
 * Moves the arm to the request: how long until its last byte is over. extra_ns: unless sequential.
 */
uint64_t sim_disk_serve(struct sim_spindle *, const struct sim_params *, const struct sim_req *,
			uint64_t now_ns, uint64_t extra_ns);

#endif
