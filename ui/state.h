/*
 * What the user has set and where he is: everything a view may look at besides the model. Changed by
 * ui.c (requests, dialogs, script) only; views read it.
 */
#ifndef IODECK_UI_STATE_H
#define IODECK_UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/dev/device.h"
#include "src/spec/job_spec.h"
#include "ui/model.h"
#include "ui/slo.h"
#include "ui/compare_state.h"
#include "ui/history_state.h"
#include "ui/sweep_state.h"
#include "ui/theme.h"

/* The fields of the setup strip, in order. */
enum field {
	FIELD_RW,
	FIELD_BS,
	FIELD_QD,
	FIELD_JOBS,
	FIELD_ENGINE,
	FIELD_DIRECT,
	FIELD_MIX,
	FIELD_RATE,
	FIELD_TIME,
	FIELD_NR
};

enum y_mode { Y_ZERO, Y_FITTED, Y_LOG, Y_LOCKED, Y_NR };
/*
 * What the left panes show. Where there are two, IOPS stands in the upper one and the chosen one below,
 * the heat map when IOPS are chosen.
 */
enum pane { PANE_IOPS, PANE_HEAT, PANE_HIST, PANE_JOBS, PANE_BW, PANE_QUEUE, PANE_NR };

struct engine_info {
	const char *name;
	bool sync; /* depth is 1 whatever is asked */
};

/* A device that an engine plays; what the picker lists. */
struct sim_info {
	char name[32]; /* as a target: "sim:nvme" */
	const char *summary;
	uint64_t size_bytes;
};

struct machine;

struct ui_state {
	struct job_spec job;   /* the settings shown; job.filename is the target */
	char target_line[256]; /* "/dev/nvme0n1  PM9A3 3.49 TiB NVMe", made by setup_target_set() */
	bool auto_size;        /* job.size was put there for a new scratch file, not by the user */
	enum field focus;
	bool editing; /* a value is being typed into the focused field */
	char edit[64];
	size_t edit_pos;    /* byte offset of the cursor in edit */
	bool edit_fresh;    /* nothing typed yet: the first character replaces the old value */
	char edit_echo[48]; /* what the typed text means ("4 KiB"), or why it is refused; "" none */
	uint64_t window_ns; /* time axis; 0: the whole run */
	enum y_mode y_mode;
	double y_locked[MODEL_QUANTITIES]; /* the maxima that the axes keep in Y_LOCKED */
	enum pane pane;
	bool two_panes; /* there is room for two, as drawn last */
	bool si;        /* bytes in powers of ten */
	bool totals;    /* totals instead of interval values */
	bool frozen;
	uint64_t frozen_t_ns; /* the right edge while frozen */
	uint64_t cursor_ns;   /* while frozen: the time whose values are read out; 0: none */
	struct slo slo;       /* not set: none */
	char message[200];    /* hint or error line, "" none */
	enum role message_role;
	const struct engine_info *engines; /* name NULL ends */
	const struct sim_info *sims;       /* name "" ends; NULL: none */
	const struct device_list *devices; /* those of machine */
	struct machine *machine;
	bool armed;       /* the pattern writes, and there is consent for its targets */
	bool armed_known; /* false: to be found out, where there is any consent */
	bool asking;      /* a start waits for its target to answer, since asking_ns */
	bool opening;     /* it has answered, and is opened since opening_ns */
	uint64_t asking_ns, opening_ns;
	unsigned fps;  /* frames a second just now */
	bool tty_slow; /* they are fewer than asked for: the terminal does not take more */
	/* What the console's own thread costs, of the last second; not known on the memory grid. */
	struct {
		bool known;
		double cpu_pct, bps; /* of a core; bytes written, nearly all to the terminal */
	} cost;
	struct sweep_state sweep;
	struct compare_state compare;
	struct history_state history;
};

void state_next_pane(struct ui_state *);
/* What stands in the lower pane, or in the only one. */
enum pane state_pane(const struct ui_state *);
/* The text of a field as shown in the strip: "randread", "4 KiB", "32", "max", "2:00". */
void state_field_text(const struct ui_state *, enum field, char *out, size_t size);
const char *state_field_label(enum field); /* "rw" "bs" "qd" ... */
/* The option behind a field: "iodepth" for qd. */
const char *state_field_option(enum field);
/* Does the value have an effect as things are? qd not with a synchronous engine, mix only when mixed. */
bool state_field_used(const struct ui_state *, enum field);
/* NULL: not an engine of this build. */
const struct engine_info *state_engine(const struct ui_state *);
/* " ASKING 0:03 "; "": nothing is asked. */
void state_asking_text(const struct ui_state *, char *out, size_t size);
/* Bytes as an exact text: "4 KiB", "4097 B". Never rounded. */
void state_size_text(uint64_t bytes, char *out, size_t size);

#endif
