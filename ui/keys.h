/*
 * Keys to requests: one const table, printed by the footer and by the help page, so that no key can
 * exist without its text. A row holds for one place (a screen or a dialog); rows of KEYS_COMMON hold
 * everywhere unless the place has its own. Only what works is in the table. Pure data, any thread.
 */
#ifndef IODECK_UI_KEYS_H
#define IODECK_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/strbuf.h"
#include "ui/canvas.h"

/* Where a key is pressed. */
enum key_screen {
	KEYS_COMMON,
	KEYS_RUN,     /* the Run screen */
	KEYS_SWEEP,   /* the Sweep screen */
	KEYS_COMPARE, /* the Compare screen */
	KEYS_HISTORY, /* the History screen */
	KEYS_EDIT,    /* a value is typed into a field of the strip */
	KEYS_TEXT,    /* one line of text: mark, file name */
	KEYS_COMMAND, /* the command line */
	KEYS_DEVICE,  /* the device picker */
	KEYS_PROFILE, /* the profile list */
	KEYS_HELP,
	KEYS_QUIT,  /* "a run is on" */
	KEYS_GUARD, /* "this run writes" */
	KEYS_NR
};

enum request {
	REQ_NONE,
	/* Run screen */
	REQ_START_STOP,
	REQ_FIELD_PREV,
	REQ_FIELD_NEXT,
	REQ_STEP_UP,
	REQ_STEP_DOWN,
	REQ_TYPE,
	REQ_QD_DOWN,
	REQ_QD_UP,
	REQ_BS_DOWN,
	REQ_BS_UP,
	REQ_JOBS_DOWN,
	REQ_JOBS_UP,
	REQ_DEVICES,
	REQ_PROFILES,
	REQ_SAVE,
	REQ_MARK,
	REQ_SEGMENT,
	REQ_PANE,
	REQ_WINDOW,
	REQ_Y_MODE,
	REQ_TOTALS,
	REQ_UNITS,
	REQ_FREEZE,
	REQ_SLO,
	REQ_READ_ONLY,
	REQ_COMMAND,
	REQ_HELP,
	REQ_QUIT,
	/* screens */
	REQ_VIEW_RUN,
	REQ_VIEW_SWEEP,
	REQ_VIEW_COMPARE,
	REQ_VIEW_HISTORY,
	/* Compare screen */
	REQ_LANE_NEXT,
	REQ_LANE_PREV,
	REQ_LANE_LINK,
	REQ_LANE_MODE,
	REQ_LANE_AXIS,
	REQ_LANE_OVERLAY,
	REQ_LANE_ADD,
	REQ_LANE_REMOVE,
	/* Sweep screen; the cursor moves by REQ_UP, REQ_DOWN, REQ_LEFT, REQ_RIGHT */
	REQ_SWEEP_GO,
	REQ_SWEEP_ANEW,
	REQ_SWEEP_REDO,
	REQ_SWEEP_EDIT,
	REQ_SWEEP_OPEN,
	REQ_SWEEP_METRIC,
	REQ_SWEEP_RULE,
	REQ_SWEEP_BOTH,
	REQ_SWEEP_CURVE,
	REQ_SWEEP_EXPORT,
	/* History screen; the cursor moves as in lists, REQ_ACCEPT opens */
	REQ_HISTORY_PICK,
	REQ_HISTORY_OVERLAY,
	REQ_HISTORY_DELETE,
	REQ_HISTORY_TAG, /* elsewhere: the run that ended last, as REQ_EXPORT */
	REQ_EXPORT,
	/* everywhere */
	REQ_CANCEL, /* Esc: closes, leaves, never quits */
	REQ_INTERRUPT,
	REQ_REPAINT,
	REQ_SUSPEND,
	/* lists and dialogs */
	REQ_UP,
	REQ_DOWN,
	REQ_PAGE_UP,
	REQ_PAGE_DOWN,
	REQ_TOP,
	REQ_BOTTOM,
	REQ_ACCEPT,
	REQ_FILTER,
	REQ_RESCAN,
	REQ_FILE,
	REQ_QUIT_SAVE,
	REQ_QUIT_DISCARD,
	/* a line of text */
	REQ_LEFT,
	REQ_RIGHT,
	REQ_ERASE,
	REQ_DELETE,
	REQ_COMPLETE,
	REQ_COMPLETE_BACK,
	REQ_NR
};

struct keybind {
	enum key_screen screen;
	uint32_t key; /* a code point or enum term_key */
	enum request request;
	const char *verb; /* its name on the command line, NULL: none */
	const char
		*cap; /* how the footer names the key or the pair ("[ ]"); NULL: the key's name */
	const char *word; /* the footer's word, NULL: not in the footer */
	const char *help; /* one line; NULL: a second key of the request above */
};

/* Ended by REQ_NONE. Rows of one place stand together, most wanted first: the footer cuts the rest. */
extern const struct keybind keys_table[];

enum request keys_lookup(enum key_screen, uint32_t key);
/* The request behind a command-line verb ("freeze"), REQ_NONE: no such verb. */
enum request keys_verb(const char *verb);

/*
 * Keys of the user's own, before those of the table; footer and help show them. For this process; v
 * outlives its use, n 0: none.
 */
struct key_user {
	enum key_screen screen;
	uint32_t key;
	char *line; /* the command, without ':' */
};
void keys_use(const struct key_user *v, size_t n);
/* The command behind a user's key, NULL: none. */
const char *keys_user_line(enum key_screen, uint32_t key);

#define KEY_NAME_SIZE 16
/* "Space" "F5" "Ctrl-C" "a". Always NUL-terminated; "?" for a code that has no name. */
void keys_name(uint32_t key, char out[KEY_NAME_SIZE]);
/* The code of a name as keys_name() prints it (letters' case counts only for one letter); 0: unknown. */
uint32_t keys_code(const char *name);

/* Prints as many footer items as fit into r, whole items only, in table order. */
void keys_footer(enum key_screen, struct canvas *, struct rect r);
/* One "keys<TAB>text" line per request of the place, ended by newlines. */
void keys_help_lines(enum key_screen, struct strbuf *out);
const char *keys_screen_title(enum key_screen);

/*
 * Esc and then a digit within a second is a function key, for terminals that keep F-keys to themselves.
 * Returns the key to act on. esc_free: Esc has nothing to close here; where it has, it acts at once and
 * only a digit that was already waiting (Alt+digit) makes a function key, see ui.c.
 */
struct key_compose {
	uint64_t esc_ns; /* when Esc was pressed; 0: not */
};
uint32_t keys_compose(struct key_compose *, uint32_t key, uint64_t now_ns, bool esc_free);
/* F1..F9 for '1'..'9', F10 for '0', 0 for anything else. */
uint32_t keys_digit_fkey(uint32_t digit);

#endif
