#include "src/rec/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/strbuf.h"
#include "src/base/thread.h"
#include "src/base/xalloc.h"

#define STATE_FILE  "state"
#define SERIES_FILE "series.csv"
#define RUN_FILE    "run.json"
#define PLACE_BYTES (2u << 20) /* of each of the two; the file has holes */
#define HEAD_BYTES  64u
#define HEAD_FORMAT "iodeck-partial 1 %" SCNu64 " %" SCNu64 " %" SCNx64
#define END_WAIT_S  2

struct journal {
	pthread_t thread;
	pthread_mutex_t lock; /* guards what follows; never held across I/O */
	pthread_cond_t cond;
	struct strbuf rows, state; /* not written yet */
	bool closing, remove;
	bool done, alone; /* of the writer: it has ended; it is the one that frees all this */
	/* the writer's own */
	char *folder, *id;
	int state_fd, rows_fd; /* state_fd holds the lock that says it lives */
	bool cut;              /* rows could not be written whole: nothing may follow them */
	uint64_t seq;
};

static char *file_of(const char *dir, const char *file)
{
	return xasprintf("%s/%s", dir, file);
}

/* FNV-1a: tells a torn text from a whole one. */
static uint64_t sum_of(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* ---- the writer ---- */

static int new_file(const char *dir, const char *file, int flags)
{
	char *path = file_of(dir, file);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600);

	free(path);
	return fd;
}

static void unlink_in(const char *dir, const char *file)
{
	char *path = file_of(dir, file);

	unlink(path);
	free(path);
}

static void remove_folder(const char *dir)
{
	unlink_in(dir, STATE_FILE);
	unlink_in(dir, SERIES_FILE);
	rmdir(dir);
}

/* Nobody sees the folder before its lock is held. false: it cannot be had, and nothing is left. */
static bool make_folder(struct journal *j)
{
	char *temp = xasprintf("%s/.new-%s" JOURNAL_END, j->folder, j->id);
	char *dir = xasprintf("%s/%s" JOURNAL_END, j->folder, j->id);
	bool made = fs_mkdirs(temp) == 0;

	if (made) {
		j->state_fd = new_file(temp, STATE_FILE, 0);
		j->rows_fd = new_file(temp, SERIES_FILE, O_APPEND);
		made = j->state_fd >= 0 && j->rows_fd >= 0 &&
		       flock(j->state_fd, LOCK_EX | LOCK_NB) == 0 && rename(temp, dir) == 0;
		if (!made)
			remove_folder(temp);
	}
	free(temp);
	free(dir);
	return made;
}

/* The other place keeps what was there before: one of the two is whole at any time. */
static void write_state(struct journal *j, const struct strbuf *s)
{
	off_t at = (off_t)(j->seq % 2) * PLACE_BYTES;
	struct strbuf place = {0};
	char head[HEAD_BYTES + 1];
	ssize_t n;

	if (s->len > PLACE_BYTES - HEAD_BYTES)
		return;
	snprintf(head, sizeof(head), "iodeck-partial 1 %" PRIu64 " %zu %" PRIx64, j->seq + 1,
		 s->len, sum_of(s->s, s->len));
	strbuf_addf(&place, "%-*s\n", (int)HEAD_BYTES - 1, head);
	strbuf_add(&place, s->s, s->len);
	n = pwrite(j->state_fd, place.s, place.len, at);
	if (n == (ssize_t)place.len)
		j->seq++;
	strbuf_fini(&place);
}

static void journal_free(struct journal *j)
{
	char *dir = xasprintf("%s/%s" JOURNAL_END, j->folder, j->id);

	if (j->state_fd >= 0 && j->remove)
		remove_folder(dir);
	if (j->state_fd >= 0)
		close(j->state_fd);
	if (j->rows_fd >= 0)
		close(j->rows_fd);
	strbuf_fini(&j->rows);
	strbuf_fini(&j->state);
	pthread_cond_destroy(&j->cond);
	pthread_mutex_destroy(&j->lock);
	free(j->folder);
	free(j->id);
	free(j);
	free(dir);
}

/* Under lock, which is given up while it writes. A full disk is told when the run is to be kept. */
static void write_news(struct journal *j, bool made)
{
	struct strbuf rows = j->rows, state = j->state;

	j->rows = j->state = (struct strbuf){0};
	pthread_mutex_unlock(&j->lock);
	if (made && rows.len && !j->cut)
		j->cut = fs_write_all(j->rows_fd, rows.s, rows.len) < 0;
	if (made && state.len)
		write_state(j, &state);
	strbuf_fini(&rows);
	strbuf_fini(&state);
	pthread_mutex_lock(&j->lock);
}

static void *journal_main(void *arg)
{
	struct journal *j = arg;
	bool made, alone;

	pthread_setname_np(pthread_self(), "iodeck-keep");
	made = make_folder(j);
	pthread_mutex_lock(&j->lock);
	while (!j->closing) {
		if (j->rows.len || j->state.len)
			write_news(j, made);
		else
			pthread_cond_wait(&j->cond, &j->lock);
	}
	/* What is removed need not be written first. */
	if (!j->remove)
		write_news(j, made);
	j->done = true;
	alone = j->alone;
	pthread_mutex_unlock(&j->lock);
	if (alone)
		journal_free(j);
	return NULL;
}

struct journal *journal_begin(const char *folder, const char *id)
{
	struct journal *j = xcalloc(1, sizeof(*j));

	j->folder = xstrdup(folder);
	j->id = xstrdup(id);
	j->state_fd = j->rows_fd = -1;
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->cond, NULL);
	if (thread_spawn(&j->thread, NULL, journal_main, j) == 0)
		return j;
	journal_free(j);
	return NULL;
}

void journal_rows(struct journal *j, const char *text, size_t len)
{
	if (!j || !len)
		return;
	pthread_mutex_lock(&j->lock);
	strbuf_add(&j->rows, text, len);
	pthread_cond_signal(&j->cond);
	pthread_mutex_unlock(&j->lock);
}

void journal_state(struct journal *j, const char *text, size_t len)
{
	if (!j || !len)
		return;
	pthread_mutex_lock(&j->lock);
	strbuf_reset(&j->state);
	strbuf_add(&j->state, text, len);
	pthread_cond_signal(&j->cond);
	pthread_mutex_unlock(&j->lock);
}

void journal_end(struct journal *j, bool remove)
{
	struct timespec until;
	bool joined, done;

	if (!j)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_WAIT_S;
	pthread_mutex_lock(&j->lock);
	j->closing = true;
	j->remove = remove;
	pthread_cond_signal(&j->cond);
	pthread_mutex_unlock(&j->lock);
	joined = pthread_timedjoin_np(j->thread, NULL, &until) == 0;
	pthread_mutex_lock(&j->lock);
	done = joined || j->done;
	/* A disk that does not answer: the thread cleans up when it does. */
	if (!done) {
		j->alone = true;
		pthread_detach(j->thread);
	}
	pthread_mutex_unlock(&j->lock);
	if (!done)
		return;
	if (!joined)
		pthread_join(j->thread, NULL);
	journal_free(j);
}

/* ---- what a dead process has left ---- */

void journal_remove_state(const char *dir)
{
	unlink_in(dir, STATE_FILE);
}

bool journal_is_name(const char *name)
{
	size_t n = strlen(name), end = strlen(JOURNAL_END);

	return n > end && name[0] != '.' && strcmp(name + n - end, JOURNAL_END) == 0;
}

/* The text of one of the two places; false: it is not whole. */
static bool read_place(int fd, unsigned place, uint64_t *seq, struct strbuf *out)
{
	off_t at = (off_t)place * PLACE_BYTES;
	char head[HEAD_BYTES + 1] = "", *text;
	uint64_t len, sum;
	bool whole;

	if (pread(fd, head, HEAD_BYTES, at) != (ssize_t)HEAD_BYTES ||
	    sscanf(head, HEAD_FORMAT, seq, &len, &sum) != 3 || len > PLACE_BYTES - HEAD_BYTES)
		return false;
	text = xcalloc(1, len + 1);
	whole = pread(fd, text, len, at + HEAD_BYTES) == (ssize_t)len && sum_of(text, len) == sum;
	if (whole)
		strbuf_add(out, text, len);
	free(text);
	return whole;
}

static bool read_state(int fd, struct strbuf *out)
{
	struct strbuf text[2] = {{0}, {0}};
	uint64_t seq[2] = {0, 0};
	bool whole[2];
	int newest;

	for (unsigned i = 0; i < 2; i++)
		whole[i] = read_place(fd, i, &seq[i], &text[i]);
	newest = whole[1] && (!whole[0] || seq[1] > seq[0]);
	if (whole[newest])
		strbuf_add(out, text[newest].s, text[newest].len);
	strbuf_fini(&text[0]);
	strbuf_fini(&text[1]);
	return whole[newest];
}

/* The last line may have been cut. */
static int mend_series(const char *dir)
{
	char *path = file_of(dir, SERIES_FILE), c;
	int fd = open(path, O_RDWR | O_CLOEXEC), rc = 0;
	off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;

	free(path);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	while (n > 0 && pread(fd, &c, 1, n - 1) == 1 && c != '\n')
		n--;
	if (ftruncate(fd, n) < 0 || fsync(fd) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

static bool has_file(const char *dir, const char *file)
{
	char *path = file_of(dir, file);
	bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

static int write_run(const char *dir, const struct strbuf *text)
{
	char *path = file_of(dir, RUN_FILE);
	int rc = fs_write_atomic(path, text->s, text->len);

	free(path);
	return rc;
}

/* run.json is whole; what is left is to give the folder its name. */
static int rename_whole(const char *folder, const char *dir, const char *name)
{
	char *to = xasprintf("%s/%.*s", folder, (int)(strlen(name) - strlen(JOURNAL_END)), name);
	int rc = mend_series(dir);

	unlink_in(dir, STATE_FILE);
	if (rc == 0 && rename(dir, to) < 0)
		rc = -errno;
	/* It was kept, and the process died before the folder could go. */
	if (rc == -EEXIST || rc == -ENOTEMPTY) {
		unlink_in(dir, RUN_FILE);
		remove_folder(dir);
		free(to);
		return 0;
	}
	free(to);
	return rc < 0 ? rc : 1;
}

static int recover_locked(const char *folder, const char *dir, const char *name, int fd)
{
	struct strbuf text = {0};
	struct stat st;
	int rc;

	if (read_state(fd, &text)) {
		rc = write_run(dir, &text);
		strbuf_fini(&text);
		return rc < 0 ? rc : rename_whole(folder, dir, name);
	}
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > 0)
		return -EBADMSG;
	remove_folder(dir);
	return 0;
}

int journal_recover(const char *folder, const char *name, struct err *e)
{
	char *dir = xasprintf("%s/%s", folder, name), *path = file_of(dir, STATE_FILE);
	int fd = open(path, O_RDWR | O_CLOEXEC), rc;

	if (fd < 0)
		rc = errno == ENOENT && has_file(dir, RUN_FILE) ? rename_whole(folder, dir, name)
								: -errno;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		rc = 0;
	else
		rc = recover_locked(folder, dir, name, fd);
	if (fd >= 0)
		close(fd);
	free(path);
	free(dir);
	if (rc == -EBADMSG)
		return err_set(e, EBADMSG, "what a crash left is not whole");
	return rc < 0 ? err_set(e, -rc, "what a crash left cannot be taken in: %s", strerror(-rc))
		      : rc;
}
