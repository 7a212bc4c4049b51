/*
 * What one simulated device is made of: plain numbers, a row of sim_devices.c, perhaps changed by
 * the user's `sim:NAME?key=value`. Times are in ns, rates in bytes a second, shares from 0 to 1.
 * A request passes, in this order:
 *
 *      tags -> a unit (die, spindle, server) -> link, controller -> caps -> host
 *      at most N     many, each serves one      one at a time    a rate   one a worker
 *
 * The disk statistics cover everything up to the caps; the host's part is outside of the device.
 */
#ifndef IODECK_ENGINES_SIM_PARAMS_H
#define IODECK_ENGINES_SIM_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/ioop.h"

#define SIM_UNITS_MAX 1024u
#define SIM_TAGS_MAX  65536u

/* What a request may be, beyond enum io_op. */
#define SIM_FLUSH IO_OP_NR
#define SIM_OP_NR (IO_OP_NR + 1)

/* How long something takes: a lognormal body, a second and slower mode, a rare long delay. */
struct sim_dist {
	uint64_t mean_ns; /* of the body */
	double sigma;     /* of the body's logarithm; 0: always the same */
	double slow;      /* share of requests that take slow_ns more (give or take a quarter) */
	uint64_t slow_ns;
	double tail;      /* share of requests with a rare delay */
	uint64_t tail_ns; /* mean of that delay, which is exponential */
};

/* One kind of I/O on its way through the device. */
struct sim_path {
	struct sim_dist unit; /* service time of 4 KiB in a unit */
	uint32_t units;       /* how many at once; 0: shares those of reads */
	uint64_t unit_bps;    /* bytes beyond 4 KiB inside a unit; 0: cost nothing */
	uint64_t link_ns;     /* controller and protocol, one request at a time */
	uint64_t link_bps;    /* bytes, after link_ns; 0: cost nothing */
	bool positions;       /* disk: moves the arm, then takes `unit`; else `unit` is all of it */
	double window;        /* disk: share of the queue looked at for the nearest request */
};

/* Mechanics of a spindle, and how its queue is served. rev_ns 0: not a disk. */
struct sim_disk {
	uint64_t rev_ns;                   /* one revolution */
	uint64_t seek_min_ns, seek_max_ns; /* next track, full stroke; between: square root */
	uint64_t media_bps;
	uint32_t
		elevator_from; /* up to here the oldest are looked at; from here any: some starve */
	double fair;           /* share of turns that go to the oldest request whatever it costs */
};

/* Writes that arrive faster than they can be put away. */
struct sim_cache {
	uint64_t fast_bytes; /* what fits before writing gets slow (SLC); 0: never gets slow */
	uint64_t drain_bps;  /* how fast room comes back */
	uint64_t slow_bps;   /* link_bps of writes when there is no room */
	uint64_t slow_ns;    /* more time in the unit then */
};

/* Reads that meet a unit busy with a write, and writes that meet reads. */
struct sim_mix {
	double share;     /* of reads held up, while writes are going on */
	uint64_t wait_ns; /* how long, on average (uniform) */
	uint64_t turn_ns; /* link: lost when the direction changes */
};

/* Limits of a rented volume. 0: none. */
struct sim_cap {
	uint64_t iops, bps;   /* never more than this */
	uint64_t base_iops;   /* allowed for ever; more only while credit lasts */
	uint64_t credit_ios;  /* credit at the start and at most */
	uint64_t split_bytes; /* a larger request counts as several */
	uint64_t window_ns;   /* the allowance comes at once for so long a time; 0: evenly */
};

struct sim_flush {
	struct sim_dist dist;
	uint32_t units;    /* flushes at once; more join the next one that starts */
	uint64_t clean_ns; /* nothing written since the last one */
	/* What was written since the last one goes out first, 4 MiB at most; 0: takes no time. */
	uint64_t bps;
	double hold; /* share of writes that wait for a flush that is going on */
};

/* Nothing moves for the last length_ns of every period; period 0: never. */
struct sim_stall {
	uint64_t period_ns, length_ns;
};

struct sim_params {
	const char *name, *summary;
	const char *source; /* what it was calibrated to, or "uncalibrated: why" */
	uint64_t size_bytes;
	uint32_t tags;  /* requests inside at once; the rest wait with the host */
	double requeue; /* share of requests that wait for a tag longer: sent to the end ... */
	uint32_t requeue_times; /* ... of that queue, so many times */
	uint64_t host_ns;       /* a worker's own work for each request, one at a time */
	uint64_t wake_ns;       /* host asleep: a request that was alone from start to end */
	struct sim_path path[IO_OP_NR];
	struct sim_disk disk;
	struct sim_cache cache;
	struct sim_mix mix;
	struct sim_cap cap;
	struct sim_flush flush;
	struct sim_stall stall;
	uint64_t seed;
};

#endif
