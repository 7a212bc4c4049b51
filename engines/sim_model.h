/*
 * A simulated device as arithmetic: requests and times go in, completion times come out. It reads
 * no clock, starts no thread, and allocates only in sim_model_new and sim_model_reserve. Whoever
 * calls it passes the time, which must not go back; the same calls with the same seed give the same
 * answers. Not thread-safe: sim.c holds a lock around it.
 *
 * Requests and hosts are the caller's memory. A request belongs to the model from submit until
 * sim_model_reap gives it back.
 */
#ifndef IODECK_ENGINES_SIM_MODEL_H
#define IODECK_ENGINES_SIM_MODEL_H

#include "engines/engine.h"
#include "engines/sim_params.h"

struct sim_model;
struct sim_req;

/* One worker: its processor is busy with one request at a time. {0} is a new one. */
struct sim_host {
	uint64_t free_ns;             /* busy until */
	struct sim_req *first, *last; /* finished, in the order of their times */
};

struct sim_req {
	/* the caller's */
	uint64_t offset;
	struct sim_host *host;
	uint32_t len, index; /* index: for the caller only */
	uint8_t op;          /* enum io_op or SIM_FLUSH */
	/* the model's */
	uint8_t stage;
	uint32_t passes; /* times it was sent to the end of the queue */
	uint32_t unit;
	uint64_t arrive_ns; /* the caller's time */
	uint64_t time_ns;   /* device time it leaves; then the caller's time it is done */
	struct sim_req *next;
};

#define SIM_NEVER UINT64_MAX

struct sim_model *sim_model_new(const struct sim_params *);
void sim_model_free(struct sim_model *);
/* Room for so many requests in flight in all. 0 or -ENOMEM. */
int sim_model_reserve(struct sim_model *, uint32_t reqs);
/* No more requests than reserved may be in flight. */
void sim_model_submit(struct sim_model *, struct sim_req *, uint64_t now_ns);
/* A request of this host that is done by now_ns, or NULL. */
struct sim_req *sim_model_reap(struct sim_model *, struct sim_host *, uint64_t now_ns);
/*
 * The earliest time at which one of this host's requests may be done; before it there is no use in
 * asking. Perhaps none is done then: ask again. SIM_NEVER: the model is empty.
 */
uint64_t sim_model_next_ns(const struct sim_model *, const struct sim_host *);
void sim_model_count(struct sim_model *, uint64_t now_ns, struct engine_counters *out);
/* The most requests that ever held a tag at once. */
uint32_t sim_model_tags_peak(const struct sim_model *);

#endif
