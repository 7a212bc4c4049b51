/*
 * What a sweep has measured so far, and what follows from it: the input of the sweep's reports and of its
 * screen. Plain data of bounded size. Cells are filled by run/sweep.c; everything below "derived" is
 * computed here, once, by sweep_result_derive(). Unknown numbers are NAN.
 */
#ifndef IODECK_STAT_SWEEP_RESULT_H
#define IODECK_STAT_SWEEP_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/spec/sweep_spec.h"
#include "src/stat/fit.h"
#include "src/stat/knee.h"

#define SWEEP_CELLS_MAX (SWEEP_VALUES_MAX * SWEEP_VALUES_MAX)

enum cell_state {
	CELL_PENDING,
	CELL_RUNNING, /* numbers so far, may change */
	CELL_DONE,
	CELL_SKIPPED, /* its column is saturated */
	CELL_NO_IO,   /* measured, and nothing was completed */
	CELL_FAILED,  /* could not be set */
};

enum cell_flag {
	CELL_WIDE = 1u << 0,  /* the interval did not get narrow enough before the cap: ~ */
	CELL_DRIFT = 1u << 1, /* IOPS went one way all the time */
	CELL_STALL = 1u << 2, /* a stretch without any completion, see stall_ns */
	CELL_SHORT = 1u << 3, /* ended by cell_bytes */
};

/* p50 p90 p99 p99.9 */
#define CELL_PCT_NR 4
extern const double cell_pct_points[CELL_PCT_NR];

struct sweep_cell {
	uint8_t state, flags;   /* enum cell_state; enum cell_flag bits */
	uint32_t inflight;      /* asked: depth (1 with a synchronous engine) x jobs */
	uint64_t n, errors;     /* completions measured */
	uint64_t elapsed_ns;    /* measured, without ramp */
	uint64_t written_bytes; /* with ramp: what the device had to take */
	uint64_t pct_ns[CELL_PCT_NR], max_ns; /* meaningless while n = 0 */
	uint64_t stall_ns;                    /* longest time without completion */
	double iops, bps, mean_ns;
	double ci_pct; /* half width of the 95 % interval of iops, percent; NAN unknown */
	double little; /* X R: what really was in flight on average */
	double cpu_ns; /* processor time of the workers per I/O */
};

enum slo_state {
	SLO_UNKNOWN, /* no SLO, or nothing measured that says */
	SLO_FOUND,   /* the load is inside, the next one outside */
	SLO_ALL,     /* the highest load of the column is inside */
	SLO_NOT_ONE, /* the lowest load of the column is outside */
};

/* The highest load inside the SLO, of one column. */
struct slo_found {
	uint8_t state; /* enum slo_state */
	bool searched; /* bisected to the end; else it is one of the grid */
	uint32_t probes;
	uint64_t load;          /* value of the row axis */
	struct sweep_cell cell; /* as measured there */
};

/* One column. Indices are rows, -1: none. */
struct sweep_findings {
	unsigned points; /* cells with numbers */
	int peak, knee[KNEE_RULES];
	struct fit fit;
	double beyond_iops_pct, beyond_p99_pct; /* change from the first knee to the next row */
	int little_row;                         /* where N = X R is worst */
	double little_off_pct;
};

struct sweep_result {
	struct sweep_spec spec;
	unsigned rows, cols;
	char target[128], engine[SWEEP_WORD_SIZE], rw[16];
	char target_id[192]; /* which device that is: "MODEL, serial S, N bytes"; "" not known */
	bool simulated;      /* the engine only plays a device: every report says so */
	bool depth_axis;     /* the rows are depths: fit and Little's law mean something */
	bool load_axis;      /* depths or rates: knee and SLO mean something */
	struct sweep_cell cell[SWEEP_CELLS_MAX]; /* [row * cols + col] */
	struct slo_found slo[SWEEP_VALUES_MAX];  /* of each column; written by the search */
	/* derived */
	struct sweep_findings find[SWEEP_VALUES_MAX];
	unsigned done, skipped, wide, pending;
	int little_row, little_col; /* worst of all cells, -1 unknown */
	double little_off_pct;
};

/* Empty, of a settled spec. */
void sweep_result_init(struct sweep_result *, const struct sweep_spec *);
void sweep_result_derive(struct sweep_result *);
/* Another objective (or none) for what is measured; what was searched for the old one is dropped. */
void sweep_result_set_slo(struct sweep_result *, const struct slo *);

struct sweep_cell *sweep_cell_at(struct sweep_result *, unsigned row, unsigned col);
const struct sweep_cell *sweep_cell_get(const struct sweep_result *, unsigned row, unsigned col);
/* DONE: has throughput and latencies. */
bool sweep_cell_has(const struct sweep_cell *);
/* Fewer than ten completions lie above percentile i: it is marked ~. */
bool sweep_cell_pct_weak(const struct sweep_cell *, unsigned i);
double sweep_cell_slo_ns(const struct sweep_cell *, enum slo_metric); /* NAN unknown */
bool sweep_cell_inside(const struct sweep_cell *, const struct slo *);
/* IOPS per request in flight; NAN unknown. */
double sweep_cell_efficiency(const struct sweep_cell *);
const char *cell_state_word(enum cell_state);

#endif
