#include "src/run/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/strbuf.h"
#include "src/base/units.h"

void events_init(struct events *ev)
{
	memset(ev, 0, sizeof(*ev));
	pthread_mutex_init(&ev->lock, NULL);
}

void events_fini(struct events *ev)
{
	pthread_mutex_destroy(&ev->lock);
}

void events_reset(struct events *ev)
{
	pthread_mutex_lock(&ev->lock);
	ev->n = 0;
	pthread_mutex_unlock(&ev->lock);
}

static struct event *slot_of(struct events *ev, uint64_t id)
{
	for (unsigned i = ev->n; i-- > 0;)
		if (ev->v[i].id == id)
			return &ev->v[i];
	return NULL;
}

static bool is_slice(const struct event *e)
{
	return e->kind == EVENT_SLICE;
}

/* The oldest slice when these have more than their half, else the oldest of the others. */
static unsigned oldest(const struct events *ev)
{
	unsigned slices = 0, i = 0;

	for (unsigned k = 0; k < ev->n; k++)
		slices += is_slice(&ev->v[k]);
	while (is_slice(&ev->v[i]) != (slices > EVENT_MAX / 2))
		i++;
	return i;
}

static struct event *new_slot(struct events *ev)
{
	if (ev->n == EVENT_MAX) {
		unsigned out = oldest(ev);

		ev->n--;
		memmove(&ev->v[out], &ev->v[out + 1], (ev->n - out) * sizeof(ev->v[0]));
	}
	return &ev->v[ev->n++];
}

uint64_t events_add(struct events *ev, uint64_t t_ns, enum event_kind kind, uint32_t lane,
		    const struct segment *before, const char *fmt, ...)
{
	struct event *e;
	va_list ap;
	uint64_t id;

	pthread_mutex_lock(&ev->lock);
	id = ++ev->last_id;
	e = new_slot(ev);
	*e = (struct event){.id = id, .t_ns = t_ns, .kind = kind, .lane = lane};
	if (before)
		e->before = *before;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	pthread_mutex_unlock(&ev->lock);
	return id;
}

void events_set_after(struct events *ev, uint64_t id, const struct segment *after)
{
	struct event *e;

	pthread_mutex_lock(&ev->lock);
	e = slot_of(ev, id);
	if (id && e)
		e->after = *after;
	pthread_mutex_unlock(&ev->lock);
}

void events_set_text(struct events *ev, uint64_t id, const char *text)
{
	struct event *e;

	pthread_mutex_lock(&ev->lock);
	e = slot_of(ev, id);
	if (id && e)
		snprintf(e->text, sizeof(e->text), "%s", text);
	pthread_mutex_unlock(&ev->lock);
}

void events_copy(struct events *ev, struct snapshot *snap)
{
	pthread_mutex_lock(&ev->lock);
	snap->n_events = ev->n;
	memcpy(snap->event, ev->v, ev->n * sizeof(ev->v[0]));
	pthread_mutex_unlock(&ev->lock);
}

static const char *pattern_word(const struct tuning *t)
{
	static const char *const seq[] = {"none", "read", "write",     "rw",
					  "trim", "-",    "trimwrite", "-"};
	static const char *const rnd[] = {"none",     "randread", "randwrite",     "randrw",
					  "randtrim", "-",        "randtrimwrite", "-"};

	return (t->random ? rnd : seq)[t->ops & 7];
}

static void rate_text(const struct tuning *t, enum io_op op, char *out, size_t size)
{
	if (t->rate_iops[op]) {
		units_fmt_count(out, size, (double)t->rate_iops[op]);
		strncat(out, " IOPS", size - strlen(out) - 1);
	} else if (t->rate_bps[op]) {
		units_fmt_bps(out, size, (double)t->rate_bps[op], false);
	} else {
		snprintf(out, size, "max");
	}
}

static void describe_op(const struct tuning *a, const struct tuning *b, enum io_op op,
			struct strbuf *sb)
{
	char from[32], to[32];

	if (!(b->ops & IO_BIT(op)))
		return;
	/* One block size for all ops is the rule: it is said once, with the first op in use. */
	if (a->bs_bytes[op] != b->bs_bytes[op] &&
	    (op == (enum io_op)__builtin_ctz(b->ops) || b->bs_bytes[op] != b->bs_bytes[IO_READ])) {
		units_fmt_size_exact(from, sizeof(from), a->bs_bytes[op]);
		units_fmt_size_exact(to, sizeof(to), b->bs_bytes[op]);
		strbuf_addf(sb, ", bs %s -> %s", from, to);
	}
	if (a->rate_iops[op] != b->rate_iops[op] || a->rate_bps[op] != b->rate_bps[op]) {
		rate_text(a, op, from, sizeof(from));
		rate_text(b, op, to, sizeof(to));
		strbuf_addf(sb, ", %s rate %s -> %s", io_op_name(op), from, to);
	}
}

void events_describe_change(const struct tuning *a, const struct tuning *b, char *out, size_t size)
{
	struct strbuf sb = {0};

	if (a->qd != b->qd)
		strbuf_addf(&sb, ", qd %u -> %u", a->qd, b->qd);
	if (a->jobs != b->jobs)
		strbuf_addf(&sb, ", jobs %u -> %u", a->jobs, b->jobs);
	if (strcmp(pattern_word(a), pattern_word(b)) != 0)
		strbuf_addf(&sb, ", rw %s -> %s", pattern_word(a), pattern_word(b));
	if (a->read_pct != b->read_pct)
		strbuf_addf(&sb, ", mix %u -> %u %% reads", a->read_pct, b->read_pct);
	for (unsigned op = 0; op < IO_OP_NR; op++)
		describe_op(a, b, (enum io_op)op, &sb);
	snprintf(out, size, "%s", sb.len > 2 ? sb.s + 2 : "");
	strbuf_fini(&sb);
}
