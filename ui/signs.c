#include "ui/signs.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/clock.h"
#include "src/base/strbuf.h"
#include "src/base/thread.h"
#include "src/base/xalloc.h"
#include "src/dev/signature.h"

#define THREADS_MAX 4 /* so many dead devices, and the others are still read */
#define LIST_MAX    8

struct entry {
	char name[64];
	uint32_t major, minor;
	uint64_t size_bytes;
	bool taken; /* by a thread */
	enum signs_state state;
	char text[SIGNS_TEXT];
};

struct signs {
	char fsroot[PATH_MAX];
	/* under `lock` */
	unsigned refs, threads;
	bool unwanted; /* the console has let go: read no more of them */
	struct entry *v;
	size_t n;
};

/* One for all: held for moments only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void drop_locked(struct signs *s)
{
	if (--s->refs)
		return;
	free(s->v);
	free(s);
}

/* ---- the threads ---- */

/* "ext4 file system, label data": what it is, without the rest. */
static void shorten(const char *text, struct strbuf *out)
{
	static const char *const tails[] = {" file system", " partition table", ", label"};
	size_t len = strlen(text);

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		const char *tail = strstr(text, tails[i]);

		if (tail && (size_t)(tail - text) < len)
			len = (size_t)(tail - text);
	}
	strbuf_addf(out, "%s%.*s", out->len ? ", " : "", (int)len, text);
}

static enum signs_state read_entry(const char *fsroot, const struct entry *e, char out[SIGNS_TEXT])
{
	char list[LIST_MAX][SIGNATURE_TEXT];
	struct strbuf sb = {0};
	int n = signature_read(fsroot, e->name, e->major, e->minor, list, LIST_MAX);

	for (int i = 0; i < n; i++)
		shorten(list[i], &sb);
	snprintf(out, SIGNS_TEXT, "%s", strbuf_str(&sb));
	strbuf_fini(&sb);
	return n < 0 ? SIGNS_UNKNOWN : n ? SIGNS_FOUND : SIGNS_NONE;
}

/* The index of the next to read; s->n: none. Under lock. */
static size_t take_next(struct signs *s)
{
	size_t i = s->unwanted ? s->n : 0;

	while (i < s->n && s->v[i].taken)
		i++;
	if (i < s->n)
		s->v[i].taken = true;
	return i;
}

static void *signs_main(void *arg)
{
	struct signs *s = arg;
	size_t i;

	pthread_setname_np(pthread_self(), "iodeck-signs");
	pthread_mutex_lock(&lock);
	while ((i = take_next(s)) < s->n) {
		struct entry e = s->v[i]; /* the array may move meanwhile */

		pthread_mutex_unlock(&lock);
		e.state = read_entry(s->fsroot, &e, e.text);
		pthread_mutex_lock(&lock);
		s->v[i] = e;
		pthread_cond_broadcast(&changed);
	}
	s->threads--;
	drop_locked(s);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static bool spawn(struct signs *s)
{
	pthread_attr_t attr;
	pthread_t t;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	rc = thread_spawn(&t, &attr, signs_main, s);
	pthread_attr_destroy(&attr);
	return rc == 0;
}

/* ---- the console ---- */

struct signs *signs_new(const char *fsroot)
{
	struct signs *s = xcalloc(1, sizeof(*s));

	snprintf(s->fsroot, sizeof(s->fsroot), "%s", fsroot);
	s->refs = 1;
	return s;
}

static struct entry *find(struct signs *s, const struct device *d)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].major == d->major && s->v[i].minor == d->minor &&
		    s->v[i].size_bytes == d->size_bytes && strcmp(s->v[i].name, d->name) == 0)
			return &s->v[i];
	return NULL;
}

static size_t add_missing(struct signs *s, const struct device_list *list)
{
	size_t before = s->n;

	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->v[i];
		struct entry *e;

		if (d->size_bytes == 0 || find(s, d))
			continue;
		s->v = xrealloc(s->v, (s->n + 1) * sizeof(*s->v));
		e = &s->v[s->n++];
		*e = (struct entry){.major = d->major,
				    .minor = d->minor,
				    .size_bytes = d->size_bytes,
				    .state = SIGNS_READING};
		memcpy(e->name, d->name, sizeof(e->name));
	}
	return s->n - before;
}

void signs_want(struct signs *s, const struct device_list *list)
{
	size_t wanted;

	pthread_mutex_lock(&lock);
	wanted = add_missing(s, list);
	while (wanted-- && s->threads < THREADS_MAX) {
		s->threads++;
		s->refs++;
		if (spawn(s))
			continue;
		s->threads--;
		s->refs--;
		break;
	}
	pthread_mutex_unlock(&lock);
}

static bool all_read(const struct signs *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].state == SIGNS_READING)
			return false;
	return true;
}

void signs_wait(struct signs *s, uint64_t wait_ns)
{
	struct timespec until;
	uint64_t ns;

	clock_gettime(CLOCK_REALTIME, &until);
	ns = (uint64_t)until.tv_nsec + wait_ns;
	until.tv_sec += (time_t)(ns / NSEC_PER_SEC);
	until.tv_nsec = (long)(ns % NSEC_PER_SEC);
	pthread_mutex_lock(&lock);
	while (!all_read(s) && pthread_cond_timedwait(&changed, &lock, &until) == 0)
		;
	pthread_mutex_unlock(&lock);
}

enum signs_state signs_get(struct signs *s, const struct device *d, char out[SIGNS_TEXT])
{
	enum signs_state state = SIGNS_UNKNOWN;
	const struct entry *e;

	out[0] = '\0';
	pthread_mutex_lock(&lock);
	e = find(s, d);
	if (e) {
		state = e->state;
		memcpy(out, e->text, SIGNS_TEXT);
	}
	pthread_mutex_unlock(&lock);
	return state;
}

void signs_release(struct signs *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&lock);
	s->unwanted = true;
	drop_locked(s);
	pthread_mutex_unlock(&lock);
}
