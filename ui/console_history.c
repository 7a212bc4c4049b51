/* The History screen: runs are kept when they end; listed, found, tagged, laid over each other, exported. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/spec/jobfile.h"
#include "ui/console.h"
#include "ui/view_compare.h"
#include "ui/view_dash.h"
#include "ui/view_history.h"
#include "ui/view_sweep.h"

#define PICTURE_W 120
#define PICTURE_H 40

static struct archive *archive_of(struct console *con, struct err *e)
{
	if (!con->cfg->archive)
		err_set(e, ENOTSUP,
			"history: nothing is kept (no home folder, or a script; see "
			"--state-dir)");
	return con->cfg->archive;
}

/* ---- the list ---- */

void history_when(const struct archive_entry *en, char *out, size_t size)
{
	time_t s = (time_t)(en->start_ms / 1000);
	struct tm tm;

	localtime_r(&s, &tm);
	strftime(out, size, "%m-%d %H:%M", &tm);
}

const char *history_target(const struct archive_entry *en)
{
	const char *slash = strrchr(en->target, '/');

	return slash ? slash + 1 : en->target;
}

int history_pick_of(const struct history_state *h, const char *id)
{
	for (int i = 0; i < h->n_picks; i++)
		if (strcmp(h->pick[i].id, id) == 0)
			return i;
	return -1;
}

static bool passes(const struct archive_entry *en, const char *filter)
{
	char text[1024], when[24];

	history_when(en, when, sizeof(when));
	snprintf(text, sizeof(text), "%s %s %s %s %s %s %s %s %s%s", en->id, when, en->target,
		 en->device, en->rw, en->engine, en->tag, archive_status_words[en->status],
		 en->kind,
		 en->damaged     ? " damaged"
		 : en->simulated ? " simulated"
				 : "");
	return strcasestr(text, filter) != NULL;
}

/* The cursor stays on its run where that is still shown. */
static void apply_filter(struct history_state *h, const char *keep_id)
{
	free(h->shown);
	h->shown = xcalloc(h->list.n + 1, sizeof(*h->shown));
	h->n_shown = h->at = 0;
	for (size_t i = 0; i < h->list.n; i++) {
		if (h->filter[0] && !passes(&h->list.v[i], h->filter))
			continue;
		if (strcmp(h->list.v[i].id, keep_id) == 0)
			h->at = h->n_shown;
		h->shown[h->n_shown++] = i;
	}
}

static void load(struct console *con)
{
	struct history_state *h = &con->st.history;
	const struct archive_entry *was = history_selected(h);
	char id[ARCHIVE_ID_SIZE] = "";
	struct archive_list list;
	struct err e = {0};

	h->available = con->cfg->archive != NULL;
	h->why[0] = '\0';
	if (!h->available)
		return;
	if (was)
		snprintf(id, sizeof(id), "%s", was->id);
	if (con->cfg->archive->ops->list(con->cfg->archive, &list, &e) < 0) {
		snprintf(h->why, sizeof(h->why), "%.199s", e.msg);
		return;
	}
	archive_list_fini(&h->list);
	h->list = list;
	apply_filter(h, id);
}

static void drop_pick(struct history_state *h, int i)
{
	archive_series_fini(&h->pick[i].series);
	memmove(&h->pick[i], &h->pick[i + 1], (size_t)(h->n_picks - i - 1) * sizeof(h->pick[0]));
	h->n_picks--;
}

void console_history_fini(struct console *con)
{
	struct history_state *h = &con->st.history;

	while (h->n_picks)
		drop_pick(h, 0);
	archive_list_fini(&h->list);
	free(h->shown);
}

static int selected(struct console *con, const struct archive_entry **out, struct err *e)
{
	*out = history_selected(&con->st.history);
	if (!*out)
		return err_set(e, ENOENT, "history: no run is chosen");
	if ((*out)->damaged)
		return err_set(e, EINVAL, "%s is damaged: %s", (*out)->id, (*out)->why);
	return 0;
}

/* ---- keeping a run ---- */

static const struct view_ops *view_of_run(const struct console *con)
{
	if (con->kept_as == CMD_SWEEP)
		return &view_sweep;
	return con->n_started > 1 ? &view_compare : &view_dash;
}

/* The whole run on a screen of its own, whatever is looked at just now. */
static void draw_picture(struct console *con, struct strbuf *out)
{
	struct ui_state st = con->st;
	struct canvas c;

	st.frozen = st.editing = false;
	st.two_panes = true;
	st.pane = PANE_IOPS;
	st.message[0] = '\0';
	canvas_init(&c, PICTURE_W, PICTURE_H, &glyphs_utf8);
	canvas_clear(&c);
	view_of_run(con)->draw(&st, &con->model, &c);
	canvas_dump_svg(&c, THEME_256, out);
	canvas_fini(&c);
}

/* A sweep is of its own job: the form may show another one by now. */
static struct archive_note note_of(const struct console *con)
{
	bool sweep = con->kept_as == CMD_SWEEP && con->sweep_job.n_jobs;

	return (struct archive_note){.job = sweep ? &con->sweep_job.jobs[0] : &con->st.job,
				     .device = con->st.target_line,
				     .stopped = con->stopped};
}

void console_history_checkpoint(struct console *con)
{
	struct archive *a = con->cfg->archive;
	const struct archive_note note = note_of(con);

	if (a)
		a->ops->checkpoint(a, &note);
}

bool console_history_keep(struct console *con, struct err *e)
{
	struct archive *a = con->cfg->archive;
	struct strbuf svg = {0};
	struct archive_note note = note_of(con);
	int rc;

	if (!a || con->end.discard)
		return false;
	draw_picture(con, &svg);
	note.screen_svg = strbuf_str(&svg);
	rc = a->ops->save(a, &note, con->kept_id, e);
	strbuf_fini(&svg);
	if (rc > 0 && con->view == &view_history)
		load(con);
	return rc > 0;
}

/* ---- what is done to a run ---- */

/* On the History screen the chosen one, elsewhere the one that ended last. */
static int run_in_question(struct console *con, const char **id, struct err *e)
{
	const struct archive_entry *en;
	int rc;

	if (con->view != &view_history) {
		*id = con->kept_id;
		if (*con->kept_id)
			return 0;
		return err_set(e, ENOENT, "no run of this console is in the history yet");
	}
	rc = selected(con, &en, e);
	*id = en ? en->id : "";
	return rc;
}

static int ask_tag(struct console *con, struct err *e)
{
	const struct archive_entry *en = history_selected(&con->st.history);
	const char *id;
	int rc = archive_of(con, e) ? run_in_question(con, &id, e) : -ENOTSUP;

	if (rc < 0)
		return rc;
	con->text_for = TEXT_TAG;
	d_text_open(&con->dialog, "Tag", "A few words that tell this run from others:",
		    con->view == &view_history ? en->tag : "");
	return 0;
}

static int ask_filter(struct console *con)
{
	con->text_for = TEXT_FILTER;
	d_text_open(&con->dialog, "Filter", "Only runs with this text (target, rw, tag, date ...):",
		    con->st.history.filter);
	return 0;
}

static int ask_export(struct console *con, struct err *e)
{
	const char *id;
	char name[80];
	int rc = archive_of(con, e) ? run_in_question(con, &id, e) : -ENOTSUP;

	if (rc < 0)
		return rc;
	snprintf(name, sizeof(name), "iodeck-%s.html", id);
	con->text_for = TEXT_EXPORT;
	d_text_open(&con->dialog, "Export the run", "File; its end says how: .html .svg .json .csv",
		    name);
	return 0;
}

static int ask_delete(struct console *con, struct err *e)
{
	const struct archive_entry *en = history_selected(&con->st.history);

	if (!en)
		return err_set(e, ENOENT, "history: no run is chosen");
	con->text_for = TEXT_DELETE;
	d_text_open(&con->dialog, "Delete from the history",
		    "Its files are removed for good. Type yes to do so:", "");
	return 0;
}

static int remove_run(struct console *con, struct err *e)
{
	struct history_state *h = &con->st.history;
	const struct archive_entry *en = history_selected(h);
	char id[ARCHIVE_ID_SIZE];
	int rc, pick;

	if (!en || !archive_of(con, e))
		return -ENOENT;
	snprintf(id, sizeof(id), "%s", en->id);
	rc = con->cfg->archive->ops->remove(con->cfg->archive, id, e);
	if (rc == 0) {
		pick = history_pick_of(h, id);
		if (pick >= 0)
			drop_pick(h, pick);
		if (strcmp(con->kept_id, id) == 0)
			con->kept_id[0] = '\0';
		console_say(con, ROLE_TEXT, "%s is deleted", id);
	}
	load(con);
	return rc;
}

static int tag_run(struct console *con, const char *text, struct err *e)
{
	const char *id;
	int rc = archive_of(con, e) ? run_in_question(con, &id, e) : -ENOTSUP;

	if (rc == 0)
		rc = con->cfg->archive->ops->tag(con->cfg->archive, id, text, e);
	if (rc == 0)
		console_say(con, ROLE_OK, "tagged: %.100s", text);
	if (rc == 0)
		load(con);
	return rc;
}

static bool format_of(const char *word, enum archive_format *f)
{
	for (int i = 0; i < ARCHIVE_FORMAT_NR; i++) {
		if (strcmp(word, archive_format_words[i]) != 0)
			continue;
		*f = (enum archive_format)i;
		return true;
	}
	return false;
}

static int export_as(struct console *con, enum archive_format f, const char *path, bool replace,
		     struct err *e)
{
	struct strbuf text = {0};
	const char *id;
	int rc = archive_of(con, e) ? run_in_question(con, &id, e) : -ENOTSUP;

	if (rc == 0 && !replace && access(path, F_OK) == 0)
		rc = err_set(e, EEXIST, "export %s: the file exists; `export!` replaces it", path);
	if (rc == 0)
		rc = con->cfg->archive->ops->export_text(con->cfg->archive, id, f, &text, e);
	if (rc == 0 && (rc = fs_write_atomic(path, strbuf_str(&text), text.len)) < 0)
		err_set(e, -rc, "export %s: %s", path, strerror(-rc));
	if (rc == 0)
		console_say(con, ROLE_OK, "exported to %.170s", path);
	strbuf_fini(&text);
	return rc;
}

/* "report.html": the format is in the name. */
static int export_file(struct console *con, const char *path, bool replace, struct err *e)
{
	const char *dot = strrchr(path, '.');
	enum archive_format f;

	if (!dot || !format_of(dot + 1, &f))
		return err_set(e, EINVAL,
			       "export %.100s: the name must end in .svg, .html, .json "
			       "or .csv",
			       path);
	return export_as(con, f, path, replace, e);
}

int console_export(struct console *con, const char *words, bool replace, struct err *e)
{
	size_t n = strcspn(words, " ");
	const char *path = words + n + strspn(words + n, " "), *id;
	char word[8], name[80];
	enum archive_format f;
	int rc;

	snprintf(word, sizeof(word), "%.*s", n < sizeof(word) ? (int)n : 0, words);
	if (!format_of(word, &f)) {
		if (*path)
			return err_set(e, EINVAL, "export %.40s: svg, html, json or csv", words);
		return export_file(con, words, replace, e);
	}
	if (*path)
		return export_as(con, f, path, replace, e);
	rc = archive_of(con, e) ? run_in_question(con, &id, e) : -ENOTSUP;
	if (rc < 0)
		return rc;
	snprintf(name, sizeof(name), "iodeck-%s.%s", id, archive_format_words[f]);
	return export_as(con, f, name, replace, e);
}

static int open_sweep(struct console *con, const char *id, struct err *e)
{
	struct archive *a = con->cfg->archive;
	struct strbuf text = {0};
	int rc = a->ops->export_text(a, id, ARCHIVE_JSON, &text, e);

	if (rc == 0)
		rc = console_sweep_open(con, id, strbuf_str(&text), e);
	strbuf_fini(&text);
	return rc;
}

static int open_run(struct console *con, struct err *e)
{
	const struct archive_entry *en;
	struct strbuf text = {0};
	struct spec spec;
	int rc = selected(con, &en, e);

	if (rc == 0 && console_is_running(con))
		rc = err_set(e, EBUSY, "open: a run is on; stop it first");
	if (rc == 0 && strcmp(en->kind, "sweep") == 0)
		return open_sweep(con, en->id, e);
	if (rc == 0)
		rc = con->cfg->archive->ops->job(con->cfg->archive, en->id, &text, e);
	spec_init(&spec);
	if (rc == 0)
		rc = jobfile_parse(en->id, strbuf_str(&text), text.len, NULL, &spec, e);
	if (rc == 0) {
		con->view = view_table[0];
		rc = console_use_spec(con, &spec, en->id, e);
	}
	spec_fini(&spec);
	strbuf_fini(&text);
	return rc;
}

static int pick_run(struct console *con, struct err *e)
{
	struct history_state *h = &con->st.history;
	const struct archive_entry *en;
	struct history_pick *p;
	int rc = selected(con, &en, e), at = en ? history_pick_of(h, en->id) : -1;

	if (rc < 0)
		return rc;
	if (at >= 0) {
		drop_pick(h, at);
		return 0;
	}
	if (!en->qd)
		return err_set(e, EINVAL, "a sweep has no load of its own to compare");
	if (h->n_picks == HISTORY_PICKS)
		return err_set(e, ERANGE, "at most %d runs are laid over each other",
			       HISTORY_PICKS);
	p = &h->pick[h->n_picks];
	*p = (struct history_pick){.entry = *en};
	snprintf(p->id, sizeof(p->id), "%s", en->id);
	rc = con->cfg->archive->ops->series(con->cfg->archive, en->id, &p->series, e);
	if (rc == 0)
		h->n_picks++;
	return rc;
}

/* Without a choice the run under the cursor is it. */
static int toggle_overlay(struct console *con, struct err *e)
{
	struct history_state *h = &con->st.history;
	int rc = 0;

	if (!h->overlay && !h->n_picks)
		rc = pick_run(con, e);
	if (rc == 0)
		h->overlay = !h->overlay;
	return rc;
}

int console_history_text(struct console *con, const char *text, struct err *e)
{
	struct history_state *h = &con->st.history;

	switch (con->text_for) {
	case TEXT_TAG:
		return tag_run(con, text, e);
	case TEXT_FILTER:
		snprintf(h->filter, sizeof(h->filter), "%.63s", text);
		apply_filter(h, "");
		return 0;
	case TEXT_EXPORT:
		return export_file(con, text, false, e);
	case TEXT_DELETE:
		return strcmp(text, "yes") == 0 ? remove_run(con, e) : 0;
	default:
		return 0;
	}
}

/* ---- requests ---- */

static bool move(struct history_state *h, enum request req)
{
	struct list_pos pos = {.at = h->at};
	bool moved = list_request(&pos, req, h->n_shown, 10);

	h->at = moved ? pos.at : h->at;
	return moved;
}

static bool cancel(struct console *con)
{
	struct history_state *h = &con->st.history;
	const struct archive_entry *en = history_selected(h);

	if (h->overlay) {
		h->overlay = false;
	} else if (h->filter[0]) {
		h->filter[0] = '\0';
		apply_filter(h, en ? en->id : "");
	} else {
		return false;
	}
	return true;
}

static bool request_here(struct console *con, enum request req, int *rc, struct err *e)
{
	struct history_state *h = &con->st.history;

	switch (req) {
	case REQ_HISTORY_PICK:
		*rc = pick_run(con, e);
		return true;
	case REQ_HISTORY_OVERLAY:
		*rc = toggle_overlay(con, e);
		return true;
	case REQ_HISTORY_DELETE:
		*rc = ask_delete(con, e);
		return true;
	case REQ_ACCEPT:
		*rc = open_run(con, e);
		return true;
	case REQ_FILTER:
		*rc = ask_filter(con);
		return true;
	case REQ_RESCAN:
		load(con);
		return true;
	case REQ_PANE:
		h->metric = (enum history_metric)((h->metric + 1) % HISTORY_METRICS);
		return true;
	case REQ_CANCEL:
		return cancel(con);
	default:
		return move(h, req);
	}
}

bool console_history_request(struct console *con, enum request req, int *rc, struct err *e)
{
	*rc = 0;
	if (req == REQ_VIEW_HISTORY) {
		/* Coming from elsewhere one wants to see what was last. */
		if (con->view != &view_history)
			con->st.history.at = con->st.history.n_shown;
		con->view = &view_history;
		load(con);
		return true;
	}
	if (req == REQ_EXPORT) {
		*rc = ask_export(con, e);
		return true;
	}
	if (req == REQ_HISTORY_TAG) {
		*rc = ask_tag(con, e);
		return true;
	}
	return con->view == &view_history && request_here(con, req, rc, e);
}
