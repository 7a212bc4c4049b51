/*
 * The rows of sim_devices.c, in files by kind. Each names what it was calibrated to; where that
 * says nothing, `source` says so. Numbers were set by hand and by searches that brought the curve as
 * near to the published one as they could (tests/tools/sim_tune.c; sim_fit.c shows how near). So read
 * them as parts of a model, not as a data sheet: the unit stands for the flash, the spindle or the
 * server; the link for what all requests share; host_ns and wake_ns for the machine on which the
 * source measured. Another set may fit as well. Sizes and rates are decimal, as on a label.
 */
#ifndef IODECK_ENGINES_SIM_ROWS_H
#define IODECK_ENGINES_SIM_ROWS_H

#include "engines/sim_params.h"

#define US(us) ((uint64_t)((us)*1e3))
#define MB(mb) ((uint64_t)((mb)*1e6))
#define GB(gb) ((uint64_t)((gb)*1e9))

/* A distribution, in us: the body's mean and sigma; a slow mode; a rare tail. */
#define UNIT(at, us, s)     .at.mean_ns = US(us), .at.sigma = (s)
#define SLOW(at, share, us) .at.slow = (share), .at.slow_ns = US(us)
#define TAIL(at, share, us) .at.tail = (share), .at.tail_ns = US(us)
/* us for each request, MB/s for its bytes. */
#define LINK(op, us, mb) .path[op].link_ns = US(us), .path[op].link_bps = MB(mb)
/* us of a worker for each request; more when it slept. */
#define HOST(us, wake) .host_ns = US(us), .wake_ns = US(wake)
/* us: one revolution, shortest and longest seek; MB/s under the head. */
#define ARM(rev, min, max, mb)                                                                     \
	.disk.rev_ns = US(rev), .disk.seek_min_ns = US(min), .disk.seek_max_ns = US(max),          \
	.disk.media_bps = MB(mb)
/* GB that fit, MB/s at which they are put away, MB/s of writes when full. */
#define CACHE(gb, drain, slow)                                                                     \
	.cache.fast_bytes = GB(gb), .cache.drain_bps = MB(drain), .cache.slow_bps = MB(slow)
/* Share of reads held up by writes, us on average; us lost when the direction changes. */
#define MIX(part, us, turn) .mix.share = (part), .mix.wait_ns = US(us), .mix.turn_ns = US(turn)

extern const struct sim_params sim_hdd;
extern const struct sim_params sim_hdd25;
extern const struct sim_params sim_hdd10k;
extern const struct sim_params sim_raid5;
extern const struct sim_params sim_floppy;
extern const struct sim_params sim_usb;
extern const struct sim_params sim_sata2;
extern const struct sim_params sim_sata;
extern const struct sim_params sim_sata_intel;
extern const struct sim_params sim_sata_dc;
extern const struct sim_params sim_sata_hba;
extern const struct sim_params sim_nvme3;
extern const struct sim_params sim_nvme3_micron;
extern const struct sim_params sim_nvme3_evo;
extern const struct sim_params sim_nvme;
extern const struct sim_params sim_nvme_slc;
extern const struct sim_params sim_nvme_990;
extern const struct sim_params sim_nvme_dc;
extern const struct sim_params sim_nvme_plp;
extern const struct sim_params sim_nvme_intel;
extern const struct sim_params sim_nvme5;
extern const struct sim_params sim_optane;
extern const struct sim_params sim_gp2;
extern const struct sim_params sim_gp3;
extern const struct sim_params sim_io1;
extern const struct sim_params sim_essd;
extern const struct sim_params sim_ovh;
extern const struct sim_params sim_gcp_local;
extern const struct sim_params sim_gcp_pd;
extern const struct sim_params sim_ceph_hdd;
extern const struct sim_params sim_ceph_ssd;

#endif
