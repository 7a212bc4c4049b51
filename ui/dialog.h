/*
 * A window over the screen: gets keys, answers with what the user chose, and can do nothing itself.
 * One at a time; the console owns it, draws it last and acts on its replies. To add one: a d_*.c file
 * with a `const struct dialog_ops` and a function that opens it. UI thread.
 */
#ifndef IODECK_UI_DIALOG_H
#define IODECK_UI_DIALOG_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/dev/device.h"
#include "src/spec/job_spec.h"
#include "ui/canvas.h"
#include "ui/keys.h"

enum dialog_act {
	DIALOG_STAY,
	DIALOG_CLOSE,        /* nothing chosen */
	DIALOG_PICK_TARGET,  /* text: path of a device or file */
	DIALOG_RESCAN,       /* the device list is to be read anew; stays open */
	DIALOG_LOAD_PROFILE, /* text: path of a job file */
	DIALOG_SAVE_AS,      /* ask for a profile's name */
	DIALOG_QUIT_SAVE,    /* stop the run, print its report */
	DIALOG_QUIT_DISCARD, /* stop the run, no report */
	DIALOG_TEXT,         /* text: the line typed, may be "" */
	DIALOG_ARM,          /* text: the phrase, typed as shown; start the run */
	DIALOG_READ_ONLY,    /* read instead of writing */
	DIALOG_TEST_FILE,    /* a file of our own as the target */
};

struct dialog_reply {
	enum dialog_act act;
	char text[PATH_MAX];
};

struct guard_ask;
struct machine;
struct sim_info;
struct ui_state;

struct dialog_ops {
	const char *name;
	int w, h;         /* wanted size with the frame */
	int min_w, min_h; /* of the inside; below it one line says that it is open */
	bool shows_devices;
	bool at_foot; /* a bare line at the foot of the screen (the command line) */
	/* at_foot: how many rows it needs above that line, NULL none. */
	int (*rows_above)(const void *st);
	/* Where its next key is looked up. */
	enum key_screen (*keys)(const void *st);
	/* The frame's title. */
	const char *(*title)(const void *st);
	/* Into r, the inside of the frame, blank so far. May keep its scroll position in st. */
	void (*draw)(void *st, struct canvas *, struct rect r);
	void (*key)(void *st, enum request, uint32_t key, struct dialog_reply *);
	void (*free)(void *st);
};

struct dialog {
	const struct dialog_ops *ops; /* NULL: none is open */
	void *st;
};

void dialog_open(struct dialog *, const struct dialog_ops *, void *st); /* takes st over */
void dialog_close(struct dialog *);
bool dialog_is_open(const struct dialog *);
/* Does it show the devices, so that they should be fresh? */
bool dialog_is_picker(const struct dialog *);
enum key_screen dialog_keys(const struct dialog *);
void dialog_key(struct dialog *, uint32_t key, struct dialog_reply *);
/* In a layer of its own, centred; the whole canvas below 60x16. */
void dialog_draw(const struct dialog *, struct canvas *);

/* A list's cursor: n rows, of which `rows` are seen. */
struct list_pos {
	int at, top;
};
/* true: the request moved it. */
bool list_request(struct list_pos *, enum request, int n, int rows);
void list_clamp(struct list_pos *, int n, int rows);
/* One row over w columns, reverse when selected. */
void list_row(struct canvas *, int x, int y, int w, bool selected, enum role, const char *text);

/* The dialogs. Strings are copied, pointers are borrowed while open. */
/* sims: as in ui_cfg. */
void d_device_open(struct dialog *, struct machine *, const struct sim_info *sims,
		   const char *current_target);
void d_profile_open(struct dialog *);
void d_help_open(struct dialog *, const char *verbs_help);
void d_quit_open(struct dialog *);
void d_guard_open(struct dialog *, const struct guard_ask *);
void d_text_open(struct dialog *, const char *title, const char *prompt, const char *preset);
/* The command line: `:` at the foot; history is borrowed, newest last. */
struct cmd_history {
	char **v;
	size_t n;
};
/* st: what Tab completes from; borrowed. */
void d_command_open(struct dialog *, const struct cmd_history *, const struct ui_state *st);

#endif
