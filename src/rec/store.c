#include "src/rec/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/rng.h"
#include "src/base/xalloc.h"
#include "src/rec/html.h"
#include "src/rec/journal.h"
#include "src/rec/record.h"

#define RUN_FILE    "run.json"
#define SERIES_FILE "series.csv"
#define SCREEN_FILE "screen.svg"

static const char *const files[] = {RUN_FILE, SERIES_FILE, SCREEN_FILE};
#define FILES (sizeof(files) / sizeof(files[0]))

struct store {
	struct archive archive;
	struct store_cfg cfg;
	char *folder;
	struct track track;
	struct journal *journal; /* of the run that is on, or could not be kept; NULL none */
	char journal_id[ARCHIVE_ID_SIZE];
	uint64_t journal_run;          /* which one: see run_of() */
	uint64_t journal_ns;           /* when its state was told last */
	uint64_t rows_to_ms[LANE_MAX]; /* up to where it has the rows */
};

#define CHECKPOINT_NS NSEC_PER_SEC

static struct store *of_archive(struct archive *a)
{
	return (struct store *)((char *)a - offsetof(struct store, archive));
}

static char *path_of(const struct store *s, const char *id, const char *file)
{
	return xasprintf("%s/%s/%s", s->folder, id, file);
}

/* An id comes from a list, but it becomes part of a path. */
static int check_id(const char *id, struct err *e)
{
	if (*id && *id != '.' && !strchr(id, '/') && strlen(id) < ARCHIVE_ID_SIZE)
		return 0;
	return err_set(e, EINVAL, "history: %.40s is no run's name", id);
}

static int read_file(const struct store *s, const char *id, const char *file, struct strbuf *out,
		     struct err *e)
{
	char *path;
	int rc = check_id(id, e);

	if (rc < 0)
		return rc;
	path = path_of(s, id, file);
	rc = fs_read_all("", path, out);
	free(path);
	return rc < 0 ? err_set(e, -rc, "%s: %s", file, strerror(-rc)) : 0;
}

/* ---- keeping a run ---- */

static void make_id(const struct track *t, char id[ARCHIVE_ID_SIZE])
{
	uint64_t salt = rng_mix64(clock_mono_ns() ^ (uint64_t)getpid() << 40);
	time_t s = (time_t)(t->start_ms / 1000);
	char when[24];
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	snprintf(id, ARCHIVE_ID_SIZE, "%s-%04x", when, (unsigned)(salt & 0xffff));
}

static void end_journal(struct store *s, bool remove)
{
	journal_end(s->journal, remove);
	s->journal = NULL;
	s->journal_id[0] = '\0';
}

static void note_rows(struct store *s, size_t from)
{
	struct strbuf text = {0};

	for (uint32_t i = 0; i < LANE_MAX; i++) {
		const struct track_lane *tl = &s->track.lane[i];

		for (size_t k = from < tl->n ? from : tl->n ? tl->n - 1 : 0; k < tl->n; k++) {
			if (tl->v[k].t_ms <= s->rows_to_ms[i])
				continue;
			track_csv_row(&s->track, i, k, &text);
			s->rows_to_ms[i] = tl->v[k].t_ms;
		}
	}
	journal_rows(s->journal, strbuf_str(&text), text.len);
	strbuf_fini(&text);
}

/* What tells two runs apart; 0: it does not count yet. */
static uint64_t run_of(const struct track *t)
{
	return t->last->n_lanes ? t->last->lane[0].t_start_ns : 0;
}

static void begin_journal(struct store *s)
{
	struct strbuf head = {0};

	make_id(&s->track, s->journal_id);
	s->journal_run = run_of(&s->track);
	s->journal = journal_begin(s->folder, s->journal_id);
	memset(s->rows_to_ms, 0, sizeof(s->rows_to_ms));
	track_csv_head(&head);
	journal_rows(s->journal, head.s, head.len);
	strbuf_fini(&head);
	note_rows(s, 0);
}

static void store_checkpoint(struct archive *a, const struct archive_note *note)
{
	struct store *s = of_archive(a);
	struct record_parts p = {.track = &s->track, .note = note, .partial = true};
	struct strbuf text = {0}, report = {0};
	uint64_t now = clock_mono_ns();

	if (track_is_over(&s->track) || !track_has_data(&s->track) ||
	    (s->journal_id[0] && now - s->journal_ns < CHECKPOINT_NS))
		return;
	if (!s->journal_id[0])
		begin_journal(s);
	s->journal_ns = now;
	p.id = s->journal_id;
	/* A sweep is its cells; the report of a run would look at every worker. */
	if (s->track.sweep && s->cfg.report)
		s->cfg.report(s->cfg.arg, s->track.last, true, note->job, &report);
	p.report_json = report.len ? report.s : NULL;
	record_print(&p, &text);
	journal_state(s->journal, text.s, text.len);
	strbuf_fini(&text);
	strbuf_fini(&report);
}

static void store_discard(struct archive *a)
{
	end_journal(of_archive(a), true);
}

static int write_files(const struct store *s, const char *dir, const struct record_parts *p,
		       struct err *e)
{
	struct strbuf text[FILES] = {0};
	int rc = 0;

	record_print(p, &text[0]);
	track_csv(&s->track, &text[1]);
	strbuf_puts(&text[2], p->note->screen_svg ? p->note->screen_svg : "");
	for (size_t i = 0; i < FILES && rc == 0; i++) {
		char *path = xasprintf("%s/%s", dir, files[i]);

		if (text[i].len)
			rc = fs_write_atomic(path, text[i].s, text[i].len);
		if (rc < 0)
			err_set(e, -rc, "%s: %s", path, strerror(-rc));
		free(path);
	}
	for (size_t i = 0; i < FILES; i++)
		strbuf_fini(&text[i]);
	return rc;
}

static void remove_files(const char *dir)
{
	for (size_t i = 0; i < FILES; i++) {
		char *path = xasprintf("%s/%s", dir, files[i]);

		unlink(path);
		free(path);
	}
}

static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	if (fd < 0)
		return -errno;
	rc = fsync(fd) < 0 && errno != EINVAL ? -errno : 0;
	close(fd);
	return rc;
}

/* Into a folder that no list shows, which then gets its name. */
static int keep(struct store *s, const struct record_parts *p, struct err *e)
{
	char *temp = xasprintf("%s/.new-%s", s->folder, p->id);
	char *to = xasprintf("%s/%s", s->folder, p->id);
	int rc = fs_mkdirs(temp);

	if (rc < 0)
		err_set(e, -rc, "%s: %s", temp, strerror(-rc));
	else
		rc = write_files(s, temp, p, e);
	if (rc == 0 && rename(temp, to) < 0)
		rc = err_set(e, errno, "%s: %s", to, strerror(errno));
	if (rc < 0) {
		remove_files(temp);
		rmdir(temp);
	} else if ((rc = sync_folder(s->folder)) < 0) {
		err_set(e, -rc, "%s: %s", s->folder, strerror(-rc));
	}
	free(temp);
	free(to);
	return rc;
}

static int store_save(struct archive *a, const struct archive_note *note, char id[ARCHIVE_ID_SIZE],
		      struct err *e)
{
	struct store *s = of_archive(a);
	struct strbuf report = {0};
	struct record_parts p = {.track = &s->track, .note = note};
	int rc;

	if (!track_is_over(&s->track))
		return err_set(e, EBUSY, "history: the run is not over");
	if (!track_has_data(&s->track))
		return 0;
	if (!s->track.id[0]) {
		track_finish(&s->track);
		if (s->journal_id[0])
			memcpy(id, s->journal_id, ARCHIVE_ID_SIZE);
		else
			make_id(&s->track, id);
		p.id = id;
		if (s->cfg.report)
			s->cfg.report(s->cfg.arg, s->track.last, s->track.sweep, note->job,
				      &report);
		p.report_json = report.len ? report.s : NULL;
		rc = keep(s, &p, e);
		strbuf_fini(&report);
		if (rc < 0)
			return rc;
		snprintf(s->track.id, sizeof(s->track.id), "%s", id);
		end_journal(s, true);
	}
	memcpy(id, s->track.id, ARCHIVE_ID_SIZE);
	return 1;
}

/* ---- looking at what is kept ---- */

static void read_entry(const struct store *s, const char *id, struct archive_entry *out)
{
	struct strbuf text = {0};
	struct err e = {0};
	int rc = read_file(s, id, RUN_FILE, &text, &e);

	if (rc == 0)
		rc = record_parse(strbuf_str(&text), text.len, out, &e);
	if (rc < 0) {
		*out = (struct archive_entry){.damaged = true};
		snprintf(out->why, sizeof(out->why), "%.199s", e.msg);
	}
	snprintf(out->id, sizeof(out->id), "%s", id);
	strbuf_fini(&text);
}

/* The names begin with the second, also those of damaged ones; within one the start tells. */
static int newest_first(const void *va, const void *vb)
{
	const struct archive_entry *a = va, *b = vb;
	const size_t n_second = sizeof("20000101-000000") - 1;
	int by_second = strncmp(b->id, a->id, n_second);

	if (by_second)
		return by_second;
	if (a->start_ms != b->start_ms)
		return a->start_ms < b->start_ms ? 1 : -1;
	return strcmp(b->id, a->id);
}

static bool is_folder(const struct store *s, const char *name)
{
	char *path = path_of(s, name, ".");
	struct stat st;
	bool is = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	free(path);
	return is;
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.' && strlen(d->d_name) < ARCHIVE_ID_SIZE;
}

/*
 * A run; one whose process has died is taken in first, and is damaged when that cannot be. false: it is
 * somebody's, and on.
 */
static bool read_folder(const struct store *s, const char *name, struct archive_entry *out)
{
	char id[ARCHIVE_ID_SIZE];
	struct err e = {0};
	int rc = 1;

	if (!is_folder(s, name))
		return false;
	snprintf(id, sizeof(id), "%s", name);
	if (journal_is_name(name)) {
		rc = journal_recover(s->folder, name, &e);
		id[strlen(id) - strlen(JOURNAL_END)] = '\0';
	}
	if (rc > 0)
		read_entry(s, id, out);
	if (rc >= 0)
		return rc > 0;
	*out = (struct archive_entry){.damaged = true};
	snprintf(out->why, sizeof(out->why), "%.199s", e.msg);
	snprintf(out->id, sizeof(out->id), "%s", name);
	return true;
}

static int store_list(struct archive *a, struct archive_list *out, struct err *e)
{
	struct store *s = of_archive(a);
	struct dirent **names;
	int n = scandir(s->folder, &names, is_visible, alphasort);

	*out = (struct archive_list){0};
	if (n < 0 && errno == ENOENT) /* nothing was kept yet */
		return 0;
	if (n < 0)
		return err_set(e, errno, "%s: %s", s->folder, strerror(errno));
	out->v = xcalloc((size_t)n + 1, sizeof(*out->v));
	for (int i = 0; i < n; i++) {
		if (read_folder(s, names[i]->d_name, &out->v[out->n]))
			out->n++;
		free(names[i]);
	}
	free(names);
	qsort(out->v, out->n, sizeof(*out->v), newest_first);
	return 0;
}

static int store_series(struct archive *a, const char *id, struct archive_series *out,
			struct err *e)
{
	struct strbuf text = {0};
	int rc = read_file(of_archive(a), id, SERIES_FILE, &text, e);

	if (rc == 0)
		rc = record_series(strbuf_str(&text), out, e);
	strbuf_fini(&text);
	return rc;
}

static int store_job(struct archive *a, const char *id, struct strbuf *out, struct err *e)
{
	struct strbuf text = {0};
	int rc = read_file(of_archive(a), id, RUN_FILE, &text, e);

	if (rc == 0)
		rc = record_job(strbuf_str(&text), text.len, out, e);
	strbuf_fini(&text);
	return rc;
}

static int store_tag(struct archive *a, const char *id, const char *tag, struct err *e)
{
	struct store *s = of_archive(a);
	struct strbuf was = {0}, now = {0};
	char *path = path_of(s, id, RUN_FILE);
	int rc;

	if (strlen(tag) >= ARCHIVE_TAG_SIZE)
		rc = err_set(e, EINVAL, "tag: at most %d bytes", ARCHIVE_TAG_SIZE - 1);
	else
		rc = read_file(s, id, RUN_FILE, &was, e);
	if (rc == 0)
		rc = record_retag(strbuf_str(&was), was.len, tag, &now, e);
	if (rc == 0 && (rc = fs_write_atomic(path, now.s, now.len)) < 0)
		err_set(e, -rc, "%s: %s", path, strerror(-rc));
	strbuf_fini(&was);
	strbuf_fini(&now);
	free(path);
	return rc;
}

static int store_remove(struct archive *a, const char *id, struct err *e)
{
	struct store *s = of_archive(a);
	int rc = check_id(id, e);
	char *dir;

	if (rc < 0)
		return rc;
	dir = xasprintf("%s/%s", s->folder, id);
	remove_files(dir);
	if (journal_is_name(id))
		journal_remove_state(dir);
	if (rmdir(dir) < 0)
		rc = errno == ENOTEMPTY
			     ? err_set(e, ENOTEMPTY, "%s: other files are in it, they stay", dir)
			     : err_set(e, errno, "%s: %s", dir, strerror(errno));
	else
		sync_folder(s->folder);
	free(dir);
	if (strcmp(s->track.id, id) == 0)
		s->track.id[0] = '\0';
	return rc;
}

static int store_export(struct archive *a, const char *id, enum archive_format f,
			struct strbuf *out, struct err *e)
{
	static const char *const from[ARCHIVE_FORMAT_NR] = {
		[ARCHIVE_SVG] = SCREEN_FILE,
		[ARCHIVE_JSON] = RUN_FILE,
		[ARCHIVE_CSV] = SERIES_FILE,
	};
	struct store *s = of_archive(a);
	struct strbuf run = {0}, svg = {0};
	int rc;

	if (from[f])
		return read_file(s, id, from[f], out, e);
	rc = read_file(s, id, RUN_FILE, &run, e);
	if (rc == 0)
		read_file(s, id, SCREEN_FILE, &svg, NULL); /* a report without a picture is one */
	if (rc == 0)
		rc = html_print(strbuf_str(&run), run.len, strbuf_str(&svg), out, e);
	strbuf_fini(&run);
	strbuf_fini(&svg);
	return rc;
}

static void store_see(struct archive *a, const struct snapshot *snap)
{
	struct store *s = of_archive(a);
	bool was_on = !track_is_over(&s->track);
	uint64_t run;

	track_see(&s->track, snap);
	run = run_of(&s->track);
	/* One that was over and could not be kept: the next look at the list takes it in. */
	if (s->journal_id[0] && run && run != s->journal_run)
		end_journal(s, was_on);
	if (s->journal)
		note_rows(s, SIZE_MAX);
}

static const struct archive_ops store_ops = {
	.see = store_see,
	.checkpoint = store_checkpoint,
	.discard = store_discard,
	.save = store_save,
	.list = store_list,
	.series = store_series,
	.job = store_job,
	.tag = store_tag,
	.remove = store_remove,
	.export_text = store_export,
};

struct archive *store_open(const struct store_cfg *cfg)
{
	struct store *s = xcalloc(1, sizeof(*s));

	s->cfg = *cfg;
	s->folder = xstrdup(cfg->folder);
	s->archive = (struct archive){.ops = &store_ops, .folder = s->folder};
	track_init(&s->track);
	return &s->archive;
}

void store_close(struct archive *a)
{
	struct store *s;

	if (!a)
		return;
	s = of_archive(a);
	end_journal(s, false);
	track_fini(&s->track);
	free(s->folder);
	free(s);
}

char *store_default_folder(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	/* A relative one is to be ignored (XDG base directory specification). */
	if (data && *data == '/')
		return xasprintf("%s/iodeck/runs", data);
	if (home && *home == '/')
		return xasprintf("%s/.local/share/iodeck/runs", home);
	return NULL;
}
