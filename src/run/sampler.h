/*
 * Ten times a second: adds up what the workers counted, reads the disks' counters, and makes the derived
 * numbers of a snapshot. The sampler only reads workers and only subtracts; it stops nobody.
 *
 * sampler_tick: the session's sampler thread. sampler_tuned, sampler_segment: any thread. `lock` guards
 * everything here.
 */
#ifndef IODECK_RUN_SAMPLER_H
#define IODECK_RUN_SAMPLER_H

#include "src/dev/diskstats.h"
#include "src/run/events.h"
#include "src/run/lane.h"
#include "src/run/sampler_device.h"
#include "src/run/sampler_workers.h"
#include "src/stat/snapshot.h"

#define SAMPLER_SEC_TICKS 10u

/* Counters of one op over all workers of a lane. */
struct op_cum {
	uint64_t ops, bytes, errors, ramp_ops, ramp_bytes;
	struct lat_dist lat;
};

struct lane_cum {
	uint64_t t_ns, cpu_ns, cpu_t_ns, paused_ns; /* cpu_t_ns: see workers_cum */
	struct op_cum op[IO_OP_NR];
};

struct thermo;

struct cpu_split {
	uint64_t t_ns, usr_us, sys_us; /* as read last; t_ns 0: never */
	double usr_part;               /* of all CPU time until then; NAN: unknown */
};

struct lane_sampler {
	struct lane *lane;         /* NULL: unused */
	struct lane_cum *ring;     /* [SAMPLER_SEC_TICKS + 1], the newest at `head` */
	struct workers_cum *wring; /* the same of each worker */
	unsigned head, filled;
	struct lane_cum *seg; /* where the present segment began */
	bool seg_waiting;     /* a change is settling; the segment begins after it */
	bool seg_ramps;       /* it has settled; `seg` is where its ramp began */
	bool seg_no_ramp;     /* nothing has changed, or the job's own ramp was as good */
	uint64_t seg_event;   /* whose `after` numbers these are; 0: none */
	struct segment seg_now;
	uint64_t stall_event, stall_from_ns; /* of a stall that goes on; 0: none */
	uint64_t gap_seen_ns;                /* gaps that ended until then are dealt with */
	struct cpu_split split_cpu;
	struct time_split split;
	uint64_t bytes_seen_ns, dev_bytes, app_bytes; /* up to when; since the lane began */
	double reached_pct;
	struct device_sampler device; /* of the plan's own device */
	bool over;                    /* the lane's end was taken into account */
};

struct sampler {
	pthread_mutex_t lock;
	_Atomic uint64_t epoch; /* tick number; written by the sampler thread only */
	const char *fsroot;
	bool no_disks; /* in virtual time those of the machine mean nothing */
	struct events *events;
	struct lane_sampler lanes[LANE_MAX];
	unsigned n_lanes, n_all;       /* n_all: with those that are not looked at */
	struct diskstats disk_ring[3]; /* 500 ms apart */
	unsigned disk_head, disk_filled, disk_ticks;
	struct disk_rate disks[DISK_RATE_MAX];
	unsigned n_disks;
	uint64_t last_ns;
	struct thermo *thermo; /* NULL: nobody asks for temperatures; borrowed */
};

void sampler_init(struct sampler *, const char *fsroot, struct events *);
void sampler_fini(struct sampler *);
/* Replaces the lanes looked at (at most LANE_MAX; the lanes outlive this). */
void sampler_set_lanes(struct sampler *, struct lane *const *lanes, unsigned n);
/* Counts were not taken for long: the windows of devices begin anew, so that no rate spans the gap. */
void sampler_gap(struct sampler *);
/* Fills win_ns, lanes, disks of the snapshot; samples of 500 ms for the report. */
void sampler_tick(struct sampler *, uint64_t now_ns, struct snapshot *);
/* A tuning was published: notes the event with the numbers before it, begins a new segment. */
void sampler_tuned(struct sampler *, uint32_t lane, const struct tuning *before,
		   const struct tuning *now, uint64_t now_ns);
void sampler_segment(struct sampler *, uint32_t lane, uint64_t now_ns);
/* The samples (bwavgtime, iopsavgtime) of a lane's workers (all lanes of a run, also those beyond LANE_MAX). */
void sampler_lane_samples(struct lane *, uint64_t now_ns);

#endif
