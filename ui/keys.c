#include "ui/keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/base/clock.h"
#include "ui/term.h"

#define F(n) (TERM_F1 + (n)-1)

const struct keybind keys_table[] = {
	{KEYS_RUN, '?', REQ_HELP, "help", NULL, "help", "help: keys of this screen and a glossary"},
	{KEYS_RUN, F(1), REQ_HELP, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'q', REQ_QUIT, NULL, NULL, "quit", "quit; asks while a run is on"},
	{KEYS_RUN, F(10), REQ_QUIT, NULL, NULL, NULL, NULL},
	{KEYS_RUN, ' ', REQ_START_STOP, "toggle", NULL, "start/stop", "start the run; stop it"},
	{KEYS_RUN, F(5), REQ_START_STOP, NULL, NULL, NULL, NULL},
	{KEYS_RUN, '+', REQ_STEP_UP, "up", "+-", "set", "next value of the focused field"},
	{KEYS_RUN, '=', REQ_STEP_UP, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_UP, REQ_STEP_UP, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'k', REQ_STEP_UP, NULL, NULL, NULL, NULL},
	{KEYS_RUN, '-', REQ_STEP_DOWN, "down", NULL, NULL, "previous value of the focused field"},
	{KEYS_RUN, TERM_DOWN, REQ_STEP_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'j', REQ_STEP_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'd', REQ_DEVICES, "devices", NULL, "dev", "choose a device or a file"},
	{KEYS_RUN, F(3), REQ_DEVICES, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'p', REQ_PROFILES, "profiles", NULL, "profile", "profiles: list, load, save"},
	{KEYS_RUN, F(4), REQ_PROFILES, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'm', REQ_MARK, NULL, NULL, "mark", "put a mark with a text on the time axis"},
	{KEYS_RUN, F(8), REQ_MARK, NULL, NULL, NULL, NULL},
	{KEYS_RUN, 'v', REQ_PANE, "view", NULL, "view",
	 "next pane: IOPS, heat map, histogram, jobs, bandwidth, queue"},
	{KEYS_RUN, 'w', REQ_SAVE, NULL, NULL, "save", "save the settings as a profile"},
	{KEYS_RUN, F(9), REQ_SAVE, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_LEFT, REQ_FIELD_PREV, "prev", "<>", "field", "previous field"},
	{KEYS_RUN, 'h', REQ_FIELD_PREV, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_BACKTAB, REQ_FIELD_PREV, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_RIGHT, REQ_FIELD_NEXT, "next", NULL, NULL, "next field"},
	{KEYS_RUN, 'l', REQ_FIELD_NEXT, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_TAB, REQ_FIELD_NEXT, NULL, NULL, NULL, NULL},
	{KEYS_RUN, TERM_ENTER, REQ_TYPE, NULL, NULL, "type", "type a value: 4k, 64, 70/30, 2:00"},
	{KEYS_RUN, '[', REQ_QD_DOWN, NULL, "[ ]", "qd", "halve the queue depth"},
	{KEYS_RUN, ']', REQ_QD_UP, NULL, NULL, NULL, "double the queue depth"},
	{KEYS_RUN, ',', REQ_BS_DOWN, NULL, ", .", "bs", "halve the block size"},
	{KEYS_RUN, '.', REQ_BS_UP, NULL, NULL, NULL, "double the block size"},
	{KEYS_RUN, '(', REQ_JOBS_DOWN, NULL, "( )", "jobs", "one job less"},
	{KEYS_RUN, ')', REQ_JOBS_UP, NULL, NULL, NULL, "one job more"},
	{KEYS_RUN, 't', REQ_WINDOW, "window", NULL, "time",
	 "time window: 15 s, 1 m, 5 m, 30 m, all"},
	{KEYS_RUN, 'y', REQ_Y_MODE, "yaxis", NULL, "y axis",
	 "y axis: from zero, fitted, log, locked"},
	{KEYS_RUN, 'i', REQ_TOTALS, "totals", NULL, "total",
	 "interval values or totals of the run"},
	{KEYS_RUN, 'u', REQ_UNITS, "units", NULL, "units", "bytes in powers of 2 or of 10"},
	{KEYS_RUN, 'f', REQ_FREEZE, "freeze", NULL, "freeze",
	 "freeze the graph, < > then read values; the run goes on"},
	{KEYS_RUN, 'r', REQ_READ_ONLY, "readonly", NULL, "read-only",
	 "back to reading: takes the consent to write back; stops a run that writes"},
	{KEYS_RUN, 's', REQ_SLO, NULL, NULL, "SLO", "latency objective, as in p99<200us"},
	{KEYS_RUN, 'n', REQ_SEGMENT, "segment", NULL, "segment", "new segment: statistics restart"},
	{KEYS_RUN, ':', REQ_COMMAND, NULL, NULL, "command", "type a command (see the verbs below)"},
	{KEYS_RUN, TERM_ESC, REQ_CANCEL, NULL, NULL, NULL, "cancel the layout of a new file"},

	{KEYS_RUN, '2', REQ_VIEW_SWEEP, "sweep-screen", NULL, "sweep", "the Sweep screen"},
	{KEYS_RUN, '3', REQ_VIEW_COMPARE, "compare-screen", NULL, "compare", "the Compare screen"},
	{KEYS_RUN, '4', REQ_VIEW_HISTORY, "history-screen", NULL, "history", "the History screen"},
	{KEYS_RUN, 'x', REQ_EXPORT, NULL, NULL, "export",
	 "export the run that ended last: html, svg, json, csv"},
	{KEYS_RUN, 'T', REQ_HISTORY_TAG, NULL, NULL, "tag", "tag the run that ended last"},
	{KEYS_RUN, '1', REQ_VIEW_RUN, NULL, NULL, NULL, "this screen"},

	{KEYS_SWEEP, '?', REQ_HELP, NULL, NULL, "help", "help: keys of this screen and a glossary"},
	{KEYS_SWEEP, F(1), REQ_HELP, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, 'q', REQ_QUIT, NULL, NULL, "quit", "quit; asks while a run is on"},
	{KEYS_SWEEP, F(10), REQ_QUIT, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, ' ', REQ_SWEEP_GO, "sweep-go", NULL, "start/pause",
	 "start; pause and go on; resume a stopped sweep"},
	{KEYS_SWEEP, F(5), REQ_SWEEP_GO, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, TERM_ESC, REQ_CANCEL, "sweep-stop", NULL, "stop",
	 "stop the sweep; what is measured stays"},
	{KEYS_SWEEP, 'v', REQ_SWEEP_METRIC, "sweep-metric", NULL, "metric",
	 "next metric: IOPS, bandwidth, latencies, efficiency, CPU"},
	{KEYS_SWEEP, 'K', REQ_SWEEP_RULE, "sweep-rule", NULL, "knee rule",
	 "next rule for the knee"},
	{KEYS_SWEEP, 's', REQ_SLO, NULL, NULL, "SLO",
	 "latency objective, as in p99<200us; empty: none"},
	{KEYS_SWEEP, 'b', REQ_SWEEP_BOTH, "sweep-both", NULL, "rd+wr",
	 "the next sweep measures reads and writes as its columns, or only the pattern again"},
	{KEYS_SWEEP, 'c', REQ_SWEEP_CURVE, "sweep-curve", NULL, "curve",
	 "curve of the column or of the row of the chosen cell"},
	{KEYS_SWEEP, 'x', REQ_SWEEP_EXPORT, NULL, NULL, "export",
	 "write the sweep to a .json, .csv, .txt or .fio file"},
	{KEYS_SWEEP, 'e', REQ_SWEEP_EDIT, NULL, NULL, "edit", "edit axes, limits and SLO as words"},
	{KEYS_SWEEP, 'r', REQ_SWEEP_REDO, "sweep-redo", NULL, "redo",
	 "measure the chosen cell again"},
	{KEYS_SWEEP, 'a', REQ_SWEEP_ANEW, "sweep-anew", NULL, "anew", "measure everything again"},
	{KEYS_SWEEP, TERM_ENTER, REQ_SWEEP_OPEN, "sweep-open", NULL, "open",
	 "put the chosen cell's settings on the Run screen"},
	{KEYS_SWEEP, TERM_LEFT, REQ_LEFT, NULL, "<> Up Down", "cell", "cell to the left"},
	{KEYS_SWEEP, 'h', REQ_LEFT, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, TERM_RIGHT, REQ_RIGHT, NULL, NULL, NULL, "cell to the right"},
	{KEYS_SWEEP, 'l', REQ_RIGHT, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, TERM_UP, REQ_UP, NULL, NULL, NULL, "cell above"},
	{KEYS_SWEEP, 'k', REQ_UP, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "cell below"},
	{KEYS_SWEEP, 'j', REQ_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_SWEEP, '1', REQ_VIEW_RUN, "run-screen", NULL, "run", "the Run screen"},
	{KEYS_SWEEP, '2', REQ_VIEW_SWEEP, NULL, NULL, NULL, "this screen"},
	{KEYS_SWEEP, '3', REQ_VIEW_COMPARE, NULL, NULL, NULL, "the Compare screen"},
	{KEYS_SWEEP, '4', REQ_VIEW_HISTORY, NULL, NULL, NULL, "the History screen"},
	{KEYS_SWEEP, 'T', REQ_HISTORY_TAG, NULL, NULL, NULL, "tag the sweep that ended last"},
	{KEYS_SWEEP, 'd', REQ_DEVICES, NULL, NULL, NULL, "choose a device or a file"},
	{KEYS_SWEEP, 'm', REQ_MARK, NULL, NULL, NULL, "put a mark with a text on the time axis"},
	{KEYS_SWEEP, 'u', REQ_UNITS, NULL, NULL, NULL, "bytes in powers of 2 or of 10"},
	{KEYS_SWEEP, ':', REQ_COMMAND, NULL, NULL, NULL, "type a command"},

	{KEYS_COMPARE, '?', REQ_HELP, NULL, NULL, "help",
	 "help: keys of this screen and a glossary"},
	{KEYS_COMPARE, F(1), REQ_HELP, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, 'q', REQ_QUIT, NULL, NULL, "quit", "quit; asks while a run is on"},
	{KEYS_COMPARE, F(10), REQ_QUIT, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, ' ', REQ_START_STOP, NULL, NULL, "start/stop", "start all lanes; stop them"},
	{KEYS_COMPARE, F(5), REQ_START_STOP, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, TERM_TAB, REQ_LANE_NEXT, "lane-next", NULL, "lane",
	 "next lane: the settings shown are its own"},
	{KEYS_COMPARE, TERM_BACKTAB, REQ_LANE_PREV, "lane-prev", NULL, NULL, "previous lane"},
	{KEYS_COMPARE, 'd', REQ_DEVICES, NULL, NULL, "dev",
	 "choose a device or a file for this lane"},
	{KEYS_COMPARE, F(3), REQ_DEVICES, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, '+', REQ_STEP_UP, NULL, "+-", "set", "next value of the focused field"},
	{KEYS_COMPARE, TERM_UP, REQ_STEP_UP, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, 'k', REQ_STEP_UP, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, '-', REQ_STEP_DOWN, NULL, NULL, NULL, "previous value of the focused field"},
	{KEYS_COMPARE, TERM_DOWN, REQ_STEP_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, 'j', REQ_STEP_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, '=', REQ_LANE_LINK, "lane-link", NULL, "link",
	 "settings of all lanes together, or each its own"},
	{KEYS_COMPARE, 'o', REQ_LANE_MODE, "lane-mode", NULL, "mode",
	 "lanes at once, or in turns (no I/O of the others meanwhile)"},
	{KEYS_COMPARE, 'y', REQ_LANE_AXIS, "lane-axis", NULL, "y axis",
	 "y axis: the same for all lanes, or each its own"},
	{KEYS_COMPARE, 'g', REQ_LANE_OVERLAY, "lane-overlay", NULL, "overlay",
	 "lane A as an area, the other as dots over it"},
	{KEYS_COMPARE, 'a', REQ_LANE_ADD, "lane-add", NULL, "add",
	 "one lane more, with the settings of this one"},
	{KEYS_COMPARE, 'r', REQ_LANE_REMOVE, "lane-remove", NULL, "remove", "remove this lane"},
	{KEYS_COMPARE, TERM_LEFT, REQ_FIELD_PREV, NULL, "<>", "field", "previous field"},
	{KEYS_COMPARE, 'h', REQ_FIELD_PREV, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, TERM_RIGHT, REQ_FIELD_NEXT, NULL, NULL, NULL, "next field"},
	{KEYS_COMPARE, 'l', REQ_FIELD_NEXT, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, TERM_ENTER, REQ_TYPE, NULL, NULL, "type",
	 "type a value: 4k, 64, 70/30, 2:00"},
	{KEYS_COMPARE, '[', REQ_QD_DOWN, NULL, "[ ]", "qd", "halve the queue depth"},
	{KEYS_COMPARE, ']', REQ_QD_UP, NULL, NULL, NULL, "double the queue depth"},
	{KEYS_COMPARE, ',', REQ_BS_DOWN, NULL, ", .", "bs", "halve the block size"},
	{KEYS_COMPARE, '.', REQ_BS_UP, NULL, NULL, NULL, "double the block size"},
	{KEYS_COMPARE, '(', REQ_JOBS_DOWN, NULL, "( )", "jobs", "one job less"},
	{KEYS_COMPARE, ')', REQ_JOBS_UP, NULL, NULL, NULL, "one job more"},
	{KEYS_COMPARE, 't', REQ_WINDOW, NULL, NULL, "time",
	 "time window: 15 s, 1 m, 5 m, 30 m, all"},
	{KEYS_COMPARE, 'm', REQ_MARK, NULL, NULL, "mark",
	 "put a mark with a text on the time axis"},
	{KEYS_COMPARE, 'p', REQ_PROFILES, NULL, NULL, "profile", "profiles: list, load, save"},
	{KEYS_COMPARE, F(4), REQ_PROFILES, NULL, NULL, NULL, NULL},
	{KEYS_COMPARE, '1', REQ_VIEW_RUN, NULL, NULL, "run", "the Run screen, with lane A"},
	{KEYS_COMPARE, '2', REQ_VIEW_SWEEP, NULL, NULL, "sweep", "the Sweep screen, with lane A"},
	{KEYS_COMPARE, '3', REQ_VIEW_COMPARE, NULL, NULL, NULL, "this screen"},
	{KEYS_COMPARE, '4', REQ_VIEW_HISTORY, NULL, NULL, NULL, "the History screen"},
	{KEYS_COMPARE, 'x', REQ_EXPORT, NULL, NULL, NULL, "export the run that ended last"},
	{KEYS_COMPARE, 'T', REQ_HISTORY_TAG, NULL, NULL, NULL, "tag the run that ended last"},
	{KEYS_COMPARE, 'u', REQ_UNITS, NULL, NULL, NULL, "bytes in powers of 2 or of 10"},
	{KEYS_COMPARE, ':', REQ_COMMAND, NULL, NULL, "command",
	 "type a command (see the verbs below)"},
	{KEYS_COMPARE, TERM_ESC, REQ_CANCEL, NULL, NULL, NULL, "cancel the layout of a new file"},

	{KEYS_HISTORY, '?', REQ_HELP, NULL, NULL, "help",
	 "help: keys of this screen and a glossary"},
	{KEYS_HISTORY, F(1), REQ_HELP, NULL, NULL, NULL, NULL},
	{KEYS_HISTORY, 'q', REQ_QUIT, NULL, NULL, "quit", "quit; asks while a run is on"},
	{KEYS_HISTORY, F(10), REQ_QUIT, NULL, NULL, NULL, NULL},
	{KEYS_HISTORY, ' ', REQ_HISTORY_PICK, NULL, NULL, "pick", "pick this run for the overlay"},
	{KEYS_HISTORY, 'o', REQ_HISTORY_OVERLAY, NULL, NULL, "overlay",
	 "the picked runs over each other"},
	{KEYS_HISTORY, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "open",
	 "put its settings on the Run screen"},
	{KEYS_HISTORY, '/', REQ_FILTER, NULL, NULL, "filter", "show only runs with a text"},
	{KEYS_HISTORY, 'T', REQ_HISTORY_TAG, NULL, NULL, "tag", "tag this run"},
	{KEYS_HISTORY, 'x', REQ_EXPORT, NULL, NULL, "export", "export it: html, svg, json, csv"},
	{KEYS_HISTORY, 'D', REQ_HISTORY_DELETE, NULL, NULL, "delete", "delete it and its files"},
	{KEYS_HISTORY, 'v', REQ_PANE, NULL, NULL, "metric", "overlay: IOPS, bandwidth, p99"},
	{KEYS_HISTORY, 'R', REQ_RESCAN, NULL, NULL, NULL, "read the folder anew"},
	{KEYS_HISTORY, TERM_ESC, REQ_CANCEL, NULL, NULL, NULL,
	 "close the overlay; clear the filter"},
	{KEYS_HISTORY, TERM_UP, REQ_UP, NULL, NULL, NULL, "line up"},
	{KEYS_HISTORY, 'k', REQ_UP, NULL, NULL, NULL, NULL},
	{KEYS_HISTORY, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "line down"},
	{KEYS_HISTORY, 'j', REQ_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_HISTORY, TERM_PGUP, REQ_PAGE_UP, NULL, NULL, NULL, "page up"},
	{KEYS_HISTORY, TERM_PGDN, REQ_PAGE_DOWN, NULL, NULL, NULL, "page down"},
	{KEYS_HISTORY, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "first line"},
	{KEYS_HISTORY, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "last line"},
	{KEYS_HISTORY, '1', REQ_VIEW_RUN, NULL, NULL, "run", "the Run screen"},
	{KEYS_HISTORY, '2', REQ_VIEW_SWEEP, NULL, NULL, NULL, "the Sweep screen"},
	{KEYS_HISTORY, '3', REQ_VIEW_COMPARE, NULL, NULL, NULL, "the Compare screen"},
	{KEYS_HISTORY, '4', REQ_VIEW_HISTORY, NULL, NULL, NULL, "this screen"},
	{KEYS_HISTORY, 'u', REQ_UNITS, NULL, NULL, NULL, "bytes in powers of 2 or of 10"},
	{KEYS_HISTORY, ':', REQ_COMMAND, NULL, NULL, "command", "type a command"},

	{KEYS_EDIT, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "set", "take the value"},
	{KEYS_EDIT, TERM_ESC, REQ_CANCEL, NULL, NULL, "leave", "leave the field as it was"},
	{KEYS_EDIT, TERM_LEFT, REQ_LEFT, NULL, NULL, NULL, "one character to the left"},
	{KEYS_EDIT, TERM_RIGHT, REQ_RIGHT, NULL, NULL, NULL, "one character to the right"},
	{KEYS_EDIT, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "start of the text"},
	{KEYS_EDIT, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "end of the text"},
	{KEYS_EDIT, TERM_BACKSPACE, REQ_ERASE, NULL, NULL, NULL, "erase to the left"},
	{KEYS_EDIT, TERM_DEL, REQ_DELETE, NULL, NULL, NULL, "erase to the right"},

	{KEYS_TEXT, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "ok", "take the text"},
	{KEYS_TEXT, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "go back without it"},
	{KEYS_TEXT, TERM_LEFT, REQ_LEFT, NULL, NULL, NULL, "one character to the left"},
	{KEYS_TEXT, TERM_RIGHT, REQ_RIGHT, NULL, NULL, NULL, "one character to the right"},
	{KEYS_TEXT, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "start of the text"},
	{KEYS_TEXT, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "end of the text"},
	{KEYS_TEXT, TERM_BACKSPACE, REQ_ERASE, NULL, NULL, NULL, "erase to the left"},
	{KEYS_TEXT, TERM_DEL, REQ_DELETE, NULL, NULL, NULL, "erase to the right"},

	{KEYS_COMMAND, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "ok", "do it"},
	{KEYS_COMMAND, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "go back without it"},
	{KEYS_COMMAND, TERM_TAB, REQ_COMPLETE, NULL, NULL, "complete",
	 "complete the word; again: the next of several"},
	{KEYS_COMMAND, TERM_BACKTAB, REQ_COMPLETE_BACK, NULL, NULL, NULL, "the one before"},
	{KEYS_COMMAND, TERM_UP, REQ_UP, NULL, NULL, NULL, "an earlier command"},
	{KEYS_COMMAND, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "a later command"},
	{KEYS_COMMAND, TERM_LEFT, REQ_LEFT, NULL, NULL, NULL, "one character to the left"},
	{KEYS_COMMAND, TERM_RIGHT, REQ_RIGHT, NULL, NULL, NULL, "one character to the right"},
	{KEYS_COMMAND, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "start of the line"},
	{KEYS_COMMAND, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "end of the line"},
	{KEYS_COMMAND, TERM_BACKSPACE, REQ_ERASE, NULL, NULL, NULL, "erase to the left"},
	{KEYS_COMMAND, TERM_DEL, REQ_DELETE, NULL, NULL, NULL, "erase to the right"},

	{KEYS_DEVICE, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "pick", "make it the target"},
	{KEYS_DEVICE, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "clear the filter; go back"},
	{KEYS_DEVICE, 'f', REQ_FILE, NULL, NULL, "file", "type the path of a file or device"},
	{KEYS_DEVICE, '/', REQ_FILTER, NULL, NULL, "filter", "show only lines with a text"},
	{KEYS_DEVICE, 'R', REQ_RESCAN, NULL, NULL, "rescan", "read the devices anew"},
	{KEYS_DEVICE, TERM_UP, REQ_UP, NULL, NULL, NULL, "line up"},
	{KEYS_DEVICE, 'k', REQ_UP, NULL, NULL, NULL, NULL},
	{KEYS_DEVICE, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "line down"},
	{KEYS_DEVICE, 'j', REQ_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_DEVICE, TERM_PGUP, REQ_PAGE_UP, NULL, NULL, NULL, "page up"},
	{KEYS_DEVICE, TERM_PGDN, REQ_PAGE_DOWN, NULL, NULL, NULL, "page down"},
	{KEYS_DEVICE, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "first line"},
	{KEYS_DEVICE, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "last line"},

	{KEYS_PROFILE, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "load", "load it into the strip"},
	{KEYS_PROFILE, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "go back"},
	{KEYS_PROFILE, 'w', REQ_SAVE, NULL, NULL, "save as",
	 "save the strip's settings under a name"},
	{KEYS_PROFILE, 'R', REQ_RESCAN, NULL, NULL, "rescan", "read the folders anew"},
	{KEYS_PROFILE, TERM_UP, REQ_UP, NULL, NULL, NULL, "line up"},
	{KEYS_PROFILE, 'k', REQ_UP, NULL, NULL, NULL, NULL},
	{KEYS_PROFILE, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "line down"},
	{KEYS_PROFILE, 'j', REQ_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_PROFILE, TERM_PGUP, REQ_PAGE_UP, NULL, NULL, NULL, "page up"},
	{KEYS_PROFILE, TERM_PGDN, REQ_PAGE_DOWN, NULL, NULL, NULL, "page down"},
	{KEYS_PROFILE, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "first line"},
	{KEYS_PROFILE, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "last line"},

	{KEYS_HELP, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "go back"},
	{KEYS_HELP, 'q', REQ_CANCEL, NULL, NULL, NULL, NULL},
	{KEYS_HELP, '?', REQ_CANCEL, NULL, NULL, NULL, NULL},
	{KEYS_HELP, F(1), REQ_CANCEL, NULL, NULL, NULL, NULL},
	{KEYS_HELP, TERM_ENTER, REQ_CANCEL, NULL, NULL, NULL, NULL},
	{KEYS_HELP, TERM_DOWN, REQ_DOWN, NULL, "Up Down", "scroll", "line down"},
	{KEYS_HELP, 'j', REQ_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_HELP, TERM_UP, REQ_UP, NULL, NULL, NULL, "line up"},
	{KEYS_HELP, 'k', REQ_UP, NULL, NULL, NULL, NULL},
	{KEYS_HELP, TERM_PGDN, REQ_PAGE_DOWN, NULL, NULL, "page", "page down"},
	{KEYS_HELP, ' ', REQ_PAGE_DOWN, NULL, NULL, NULL, NULL},
	{KEYS_HELP, TERM_PGUP, REQ_PAGE_UP, NULL, NULL, NULL, "page up"},
	{KEYS_HELP, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "first line"},
	{KEYS_HELP, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "last line"},

	{KEYS_QUIT, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "choose", "do what is marked"},
	{KEYS_QUIT, TERM_ESC, REQ_CANCEL, NULL, NULL, "keep running", "keep running"},
	{KEYS_QUIT, 'k', REQ_CANCEL, NULL, NULL, NULL, NULL},
	{KEYS_QUIT, 's', REQ_QUIT_SAVE, NULL, NULL, NULL, "stop the run and print its report"},
	{KEYS_QUIT, 'd', REQ_QUIT_DISCARD, NULL, NULL, NULL, "stop the run, no report"},
	{KEYS_QUIT, TERM_UP, REQ_UP, NULL, NULL, NULL, "line up"},
	{KEYS_QUIT, TERM_DOWN, REQ_DOWN, NULL, NULL, NULL, "line down"},
	{KEYS_QUIT, TERM_TAB, REQ_DOWN, NULL, NULL, NULL, NULL},

	{KEYS_GUARD, TERM_ENTER, REQ_ACCEPT, NULL, NULL, "write",
	 "begin to write, when the phrase is typed as shown"},
	{KEYS_GUARD, TERM_ESC, REQ_CANCEL, NULL, NULL, "back", "go back; nothing is written"},
	{KEYS_GUARD, 'r', REQ_READ_ONLY, NULL, NULL, "make it read-only",
	 "read instead of writing"},
	{KEYS_GUARD, F(2), REQ_READ_ONLY, NULL, NULL, NULL, NULL},
	{KEYS_GUARD, 'f', REQ_FILE, NULL, NULL, "use a test file instead",
	 "write to a file that iodeck makes"},
	{KEYS_GUARD, F(3), REQ_FILE, NULL, NULL, NULL, NULL},
	{KEYS_GUARD, TERM_LEFT, REQ_LEFT, NULL, NULL, NULL, "one character to the left"},
	{KEYS_GUARD, TERM_RIGHT, REQ_RIGHT, NULL, NULL, NULL, "one character to the right"},
	{KEYS_GUARD, TERM_HOME, REQ_TOP, NULL, NULL, NULL, "start of the text"},
	{KEYS_GUARD, TERM_END, REQ_BOTTOM, NULL, NULL, NULL, "end of the text"},
	{KEYS_GUARD, TERM_BACKSPACE, REQ_ERASE, NULL, NULL, NULL, "erase to the left"},
	{KEYS_GUARD, TERM_DEL, REQ_DELETE, NULL, NULL, NULL, "erase to the right"},

	{KEYS_COMMON, TERM_CTRL_C, REQ_INTERRUPT, NULL, NULL, NULL,
	 "quit; asks while a run is on; twice: stop and quit at once"},
	{KEYS_COMMON, TERM_CTRL_L, REQ_REPAINT, "repaint", NULL, NULL, "draw the screen anew"},
	{KEYS_COMMON, TERM_CTRL_Z, REQ_SUSPEND, "suspend", NULL, NULL,
	 "suspend; a run is paused meanwhile"},
	{.request = REQ_NONE},
};

static const char *const screen_titles[KEYS_NR] = {
	[KEYS_COMMON] = "Everywhere",
	[KEYS_RUN] = "Run screen",
	[KEYS_SWEEP] = "Sweep screen",
	[KEYS_COMPARE] = "Compare screen",
	[KEYS_HISTORY] = "History screen",
	[KEYS_EDIT] = "Typing a value",
	[KEYS_TEXT] = "Typing a text",
	[KEYS_COMMAND] = "Command line",
	[KEYS_DEVICE] = "Device list",
	[KEYS_PROFILE] = "Profiles",
	[KEYS_HELP] = "Help",
	[KEYS_QUIT] = "Quit while running",
	[KEYS_GUARD] = "Before a run writes",
};

const char *keys_screen_title(enum key_screen s)
{
	return screen_titles[s];
}

static enum request lookup_in(enum key_screen screen, uint32_t key)
{
	for (const struct keybind *k = keys_table; k->request; k++)
		if (k->screen == screen && k->key == key)
			return k->request;
	return REQ_NONE;
}

enum request keys_lookup(enum key_screen screen, uint32_t key)
{
	enum request r = lookup_in(screen, key);

	return r ? r : lookup_in(KEYS_COMMON, key);
}

static struct {
	const struct key_user *v;
	size_t n;
} users;

void keys_use(const struct key_user *v, size_t n)
{
	users.v = v;
	users.n = n;
}

const char *keys_user_line(enum key_screen screen, uint32_t key)
{
	for (size_t i = 0; i < users.n; i++)
		if (users.v[i].screen == screen && users.v[i].key == key)
			return users.v[i].line;
	return NULL;
}

enum request keys_verb(const char *verb)
{
	for (const struct keybind *k = keys_table; k->request; k++)
		if (k->verb && strcmp(k->verb, verb) == 0)
			return k->request;
	return REQ_NONE;
}

static const struct {
	uint32_t key;
	const char *name;
} key_names[] = {
	{' ', "Space"},
	{TERM_UP, "Up"},
	{TERM_DOWN, "Down"},
	{TERM_LEFT, "Left"},
	{TERM_RIGHT, "Right"},
	{TERM_HOME, "Home"},
	{TERM_END, "End"},
	{TERM_PGUP, "PgUp"},
	{TERM_PGDN, "PgDn"},
	{TERM_DEL, "Del"},
	{TERM_BACKSPACE, "Backspace"},
	{TERM_ENTER, "Enter"},
	{TERM_ESC, "Esc"},
	{TERM_TAB, "Tab"},
	{TERM_BACKTAB, "S-Tab"},
	{TERM_CTRL_C, "Ctrl-C"},
	{TERM_CTRL_L, "Ctrl-L"},
	{TERM_CTRL_Z, "Ctrl-Z"},
};
#define KEY_NAMES (sizeof(key_names) / sizeof(key_names[0]))

void keys_name(uint32_t key, char out[KEY_NAME_SIZE])
{
	for (size_t i = 0; i < KEY_NAMES; i++) {
		if (key_names[i].key == key) {
			snprintf(out, KEY_NAME_SIZE, "%s", key_names[i].name);
			return;
		}
	}
	if (key > 0x20 && key < 0x7f)
		snprintf(out, KEY_NAME_SIZE, "%c", (char)key);
	else if (key >= F(1) && key <= F(12))
		snprintf(out, KEY_NAME_SIZE, "F%u", (unsigned)(key - F(1) + 1));
	else
		snprintf(out, KEY_NAME_SIZE, "?");
}

uint32_t keys_code(const char *name)
{
	unsigned n;
	char tail;

	if (name[0] > 0x20 && name[0] < 0x7f && name[1] == '\0')
		return (uint32_t)name[0];
	for (size_t i = 0; i < KEY_NAMES; i++)
		if (strcasecmp(key_names[i].name, name) == 0)
			return key_names[i].key;
	if ((name[0] == 'F' || name[0] == 'f') && sscanf(name + 1, "%2u%c", &n, &tail) == 1 &&
	    n >= 1 && n <= 12)
		return F(n);
	return 0;
}

static void item_key(const struct keybind *k, char out[KEY_NAME_SIZE])
{
	if (k->cap)
		snprintf(out, KEY_NAME_SIZE, "%s", k->cap);
	else
		keys_name(k->key, out);
}

void keys_footer(enum key_screen screen, struct canvas *c, struct rect r)
{
	int x = r.x + 1, y = r.y;
	char key[KEY_NAME_SIZE];

	if (r.h < 1)
		return;
	for (const struct keybind *k = keys_table; k->request; k++) {
		int w;

		if (k->screen != screen || !k->word || keys_user_line(screen, k->key))
			continue;
		item_key(k, key);
		w = canvas_width(key) + 1 + canvas_width(k->word);
		if (x + w > r.x + r.w) {
			if (++y >= r.y + r.h)
				return;
			x = r.x + 1;
			if (x + w > r.x + r.w)
				return;
		}
		x = canvas_text(c, x, y, ROLE_KEY, 0, key);
		x = canvas_text(c, x + 1, y, ROLE_TEXT, 0, k->word) + 2;
	}
}

/* All keys of a request in one place: "Space F5". */
static void request_keys(enum key_screen screen, enum request req, struct strbuf *out)
{
	char name[KEY_NAME_SIZE];
	const char *sep = "";

	for (const struct keybind *k = keys_table; k->request; k++) {
		if (k->screen != screen || k->request != req || keys_user_line(screen, k->key))
			continue;
		keys_name(k->key, name);
		strbuf_addf(out, "%s%s", sep, name);
		sep = " ";
	}
}

static void user_lines(enum key_screen screen, struct strbuf *out)
{
	char name[KEY_NAME_SIZE];

	for (size_t i = 0; i < users.n; i++) {
		if (users.v[i].screen != screen)
			continue;
		keys_name(users.v[i].key, name);
		strbuf_addf(out, "%s\tyours: %s\n", name, users.v[i].line);
	}
}

void keys_help_lines(enum key_screen screen, struct strbuf *out)
{
	user_lines(screen, out);
	for (const struct keybind *k = keys_table; k->request; k++) {
		if (k->screen != screen || !k->help)
			continue;
		request_keys(screen, k->request, out);
		strbuf_addf(out, "\t%s\n", k->help);
	}
}

uint32_t keys_digit_fkey(uint32_t digit)
{
	if (digit < '0' || digit > '9')
		return 0;
	return digit == '0' ? F(10) : F(digit - '0');
}

uint32_t keys_compose(struct key_compose *kc, uint32_t key, uint64_t now_ns, bool esc_free)
{
	uint64_t esc_ns = kc->esc_ns;
	uint32_t fkey = keys_digit_fkey(key);

	kc->esc_ns = key == TERM_ESC && esc_free ? now_ns : 0;
	if (fkey && esc_ns && now_ns - esc_ns <= NSEC_PER_SEC)
		return fkey;
	return key;
}
