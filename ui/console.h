/*
 * The console without its terminal: keys and verbs in, commands to the feed and a picture out. The
 * loop (ui.c) and the tests drive it alike. UI thread; time comes in as now_ns (monotonic, the clock of
 * the snapshots).
 */
#ifndef IODECK_UI_CONSOLE_H
#define IODECK_UI_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/asking.h"
#include "ui/dialog.h"
#include "ui/machine.h"
#include "ui/model.h"
#include "ui/ui.h"
#include "ui/view.h"

enum console_quit {
	QUIT_NO,
	QUIT_DRAINING, /* the run was told to stop; the loop ends when it is over */
	QUIT_NOW,
};

enum text_purpose {
	TEXT_MARK,
	TEXT_SAVE,
	TEXT_COMMAND,
	TEXT_SWEEP,
	TEXT_SLO,
	TEXT_SWEEP_SLO,
	TEXT_SWEEP_EXPORT,
	/* console_history.c */
	TEXT_TAG,
	TEXT_FILTER,
	TEXT_EXPORT,
	TEXT_DELETE,
};

/* Wishes only the loop can fulfil; it clears them. */
struct console_wish {
	bool repaint, suspend, bell;
};

struct console {
	const struct ui_cfg *cfg;
	struct feed *feed;
	struct ui_state st;
	struct model model;
	struct snapshot *next; /* scratch for feed->next */
	struct machine machine;
	enum command_kind asked_by; /* the start that the guard's question holds back */
	struct asking *asking;      /* a start whose target has not answered yet; NULL none */
	uint64_t asking_since_ns;
	size_t files_before;   /* of end.new_files, when it began */
	struct asking *probe;  /* is there consent for what the strip would write? NULL none */
	char *probed;          /* the filename it was about, NULL none */
	int ask_fd;            /* eventfd: an answer is there */
	bool has_consent;      /* to something: given with the command line, or typed */
	uint64_t scan_ns;      /* when the devices were read for an open picker */
	struct spec sweep_job; /* of the sweep that was started last; no job: none was */
	struct spec profile;   /* as loaded; jobs[0] is replaced by the strip at a start */
	char profile_name[64];
	const struct view_ops *view;
	struct dialog dialog;
	enum text_purpose text_for;
	char overwrite[64]; /* the name asked about: Enter again replaces it */
	struct cmd_history history;
	struct key_compose compose;
	/* The running lanes as last asked for; the strip's is lane[st.compare.focus]. */
	struct console_lane {
		struct tuning live;
		uint8_t start_ops;
		/* `live` is to be sent once the run counts: it was changed during the layout */
		bool tune_due;
	} lane[LANE_MAX];
	uint32_t n_started;            /* of them, by the last start */
	bool start_pending;            /* started, no snapshot of the new run seen yet */
	bool stopped;                  /* the user ended the run */
	bool laying_out;               /* in the newest snapshot */
	enum command_kind kept_as;     /* how the run was started */
	char kept_id[ARCHIVE_ID_SIZE]; /* the run that ended last, in the archive; "" none */
	uint64_t start_ns;
	enum console_quit quit;
	uint64_t interrupt_ns; /* last Ctrl-C, 0 none */
	bool interrupted;      /* it was Ctrl-C that stopped the run: the next one leaves */
	struct ui_end end;
	struct console_wish wish;
	struct canvas *screen; /* the loop's, for verbs that look at it or save it */
	unsigned fps;          /* frames a second as set, 1..10; st.fps is what the terminal gets */
};

int console_init(struct console *, const struct ui_cfg *, struct err *e);
void console_fini(struct console *);

/* Takes over what the feed has; true: there was a new snapshot. */
bool console_pull(struct console *);
void console_draw(struct console *, struct canvas *);
void console_key(struct console *, uint32_t key, uint64_t now_ns);
/* Every turn of the loop: an open picker follows hot plug and unplug within a second. */
void console_tick(struct console *, uint64_t now_ns);
/* Has Esc nothing to close or to cancel just now? */
bool console_esc_is_free(const struct console *);
/* A signal that ends: 2nd one abandons a run that does not drain. */
void console_signal(struct console *, int signo);
bool console_is_running(const struct console *);

/*
 * Field f of the strip was changed from what `before` holds: a running lane takes it over, or refuses
 * and the strip is put back, or it waits for the next start. `before` is used up.
 */
int console_changed(struct console *, enum field f, struct job_spec *before, struct err *e);
/* Sends what was changed before the run could take it over. */
void console_tune_due(struct console *);

/* console_view.c: requests that only look. false: not one of them. */
bool console_look(struct console *, enum request);
/* The actions behind keys and verbs. 0 or -errno; the message is shown by whoever called. */
int console_request(struct console *, enum request, struct err *e);
/*
 * What would be destroyed is asked first: the guard dialog is open then, and nothing is started. A target
 * that does not answer at once is waited for: st.asking is set, and the start comes with the answer.
 */
/* What the screen shows: the strip's run, all lanes on Compare. */
int console_start(struct console *, struct err *e);
/* Any command that starts a run: a run, a sweep, the rest of one. */
int console_start_as(struct console *, const struct command *, struct err *e);
int console_stop(struct console *, struct err *e);
int console_slo(struct console *, const char *text, struct err *e); /* "" clears */
/* Consent by the typed phrase, then the start that asked for it. */
int console_arm(struct console *, const char *typed, struct err *e);
/* Back to a pattern that reads; consents are taken back, a run that writes is stopped. */
int console_read_only(struct console *, struct err *e);
int console_use_test_file(struct console *, struct err *e);
int console_mark(struct console *, const char *text, struct err *e);
int console_set(struct console *, const char *words, struct err *e); /* "qd=64 bs=16k" */
int console_set_target(struct console *, const char *path, struct err *e);
int console_load_profile(struct console *, const char *name_or_path, struct err *e);
/* A loaded job file becomes the profile, its first job the strip. path (may be NULL) names it. */
int console_use_spec(struct console *, const struct spec *, const char *path, struct err *e);
/* overwrite false: an existing profile of that name is -EEXIST. */
int console_save_profile(struct console *, const char *name, bool overwrite, struct err *e);
/* Lanes exist and count; before that (layout, ramp) and while paused they take nothing. */
bool console_can_tune(const struct console *);
/* The strip's target is not there yet: the caller may want to remove it in the end. */
void console_note_new_file(struct console *);
/* console_compare.c: requests of the Compare screen, and of coming and going. false: go on with it. */
bool console_compare_request(struct console *, enum request, int *rc, struct err *e);
void console_compare_open(struct console *);
/* Before another screen shows the strip: it is lane A's. */
void console_compare_leave(struct console *);
int console_compare_start(struct console *, struct err *e);
/* "both", or "alternate" with the time of a slice behind it: "alternate 5s". */
int console_compare_mode(struct console *, const char *words, struct err *e);
/* The strip is lane `letter`'s ("A".."D"); a lane is added when it is the next one. */
int console_compare_lane(struct console *, const char *letter, struct err *e);
/* A job file of two to four jobs side by side becomes the lanes, and the screen opens. */
bool console_compare_use_spec(struct console *, const struct spec *);
/* Field f of the strip was changed: linked lanes follow. */
void console_compare_changed(struct console *, enum field f);
/* Looks whether lanes have a disk in common. */
void console_compare_shared(struct console *);
void console_compare_pull(struct console *, const struct snapshot *);
void console_compare_fini(struct console *);
/* console_history.c: requests of the History screen, export and tag. false: not one of them. */
bool console_history_request(struct console *, enum request, int *rc, struct err *e);
/* The answer to one of its questions. */
int console_history_text(struct console *, const char *text, struct err *e);
/* What is known of the run that is on goes to disk, at most once a second. */
void console_history_checkpoint(struct console *);
/* The run that is over; true: it is kept. */
bool console_history_keep(struct console *, struct err *e);
/* "html", "csv FILE", "FILE.svg". replace: also when the file is there. */
int console_export(struct console *, const char *words, bool replace, struct err *e);
void console_history_fini(struct console *);
/* console_sweep.c: requests of the Sweep screen. false: not one of them. */
bool console_sweep_request(struct console *, enum request, int *rc, struct err *e);
/* "qd=1..64 bs=4k,16k slo=p99<1ms": what the next sweep measures. */
int console_sweep_set(struct console *, const char *words, struct err *e);
/* Of the next sweep, and of what is measured; "": none. */
int console_sweep_slo(struct console *, const char *text, struct err *e);
/* Writes what is measured to a new file: NAME.json, .csv, .txt or .fio. */
/* A sweep of the history (its run.json) with its job and its cells, to be gone on with. */
int console_sweep_open(struct console *, const char *name, const char *text, struct err *e);
int console_sweep_export(struct console *, const char *path, struct err *e);
/* What a start of the strip would run. The caller ends it with spec_fini(). */
void console_build_spec(const struct console *, struct spec *out);
/* console_asking.c: sends a start once its target has answered and nothing is to be asked. */
int console_ask(struct console *, const struct command *, struct err *e);
/* Takes over answers that have come; now and then asks whether there is consent for the strip. */
void console_ask_tick(struct console *, uint64_t now_ns);
/* false: nothing is asked. */
bool console_ask_give_up(struct console *);
/* At the end; false: a target does not answer, and the feed must stay. */
bool console_ask_end(struct console *);
void console_quit(struct console *, bool discard); /* no question asked */
void console_say(struct console *, enum role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
