#include "tests/unit/fake_feed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/base/xalloc.h"

static struct fake_feed *fake_of(struct feed *f)
{
	return (struct fake_feed *)f; /* `feed` is its first member */
}

static int fake_next(struct feed *f, uint64_t after_seq, struct snapshot *out)
{
	struct fake_feed *ff = fake_of(f);

	if (ff->snap->seq <= after_seq)
		return 0;
	*out = *ff->snap;
	return 1;
}

static void log_command(struct fake_feed *ff, const struct command *cmd)
{
	struct fake_command *c;

	ff->log = xrealloc(ff->log, (ff->n + 1) * sizeof(*ff->log));
	c = &ff->log[ff->n++];
	*c = (struct fake_command){.kind = cmd->kind, .lane = cmd->lane};
	if (cmd->kind == CMD_START) {
		c->n_jobs = cmd->u.spec->n_jobs;
		job_spec_copy(&c->job, &cmd->u.spec->jobs[0]);
		for (size_t i = 0; i < c->n_jobs && i < LANE_MAX; i++)
			c->ops[i] = cmd->u.spec->jobs[i].rw.ops;
	} else if (cmd->kind == CMD_TUNE) {
		c->tune = cmd->u.tune;
	} else if (cmd->kind == CMD_ARM) {
		snprintf(c->text, sizeof(c->text), "%s", cmd->u.text ? cmd->u.text : "");
		c->flag = cmd->u.text != NULL;
	} else if (cmd->kind == CMD_MARK) {
		snprintf(c->text, sizeof(c->text), "%s", cmd->u.text);
	} else if (cmd->kind == CMD_PAUSE) {
		c->flag = cmd->u.flag;
	} else if (cmd->kind == CMD_STOP) {
		c->signo = cmd->u.signo;
	}
}

/* As a session: consent is the phrase of a target that was asked about. */
static int arm(struct fake_feed *ff, const char *typed, struct err *e)
{
	if (!typed) {
		ff->ask_agreed = false;
		return 0;
	}
	if (!ff->ask || strcmp(typed, ff->ask->report.phrase) != 0)
		return err_set(e, EPERM, "that is not the phrase");
	ff->ask_agreed = true;
	return 0;
}

static bool spec_writes(const struct spec *spec)
{
	for (size_t i = 0; i < spec->n_jobs; i++)
		if (spec->jobs[i].rw.ops & ~IO_BIT(IO_READ))
			return true;
	return false;
}

static void tell_ask(struct fake_feed *ff, const struct guard_query *q)
{
	*q->n = 0;
	if (!ff->ask || !spec_writes(q->spec))
		return;
	q->asks[0] = *ff->ask;
	q->asks[0].agreed = ff->ask_agreed && ff->ask->report.verdict == GUARD_CONFIRM;
	*q->n = 1;
}

static void obey(struct fake_feed *ff, const struct command *cmd)
{
	struct lane_snap *l = &ff->snap->lane[0];

	if (cmd->kind == CMD_START) {
		job_spec_tuning(&cmd->u.spec->jobs[0], &l->tune);
		fake_feed_tick(ff, RUN_ON);
	} else if (cmd->kind == CMD_STOP) {
		fake_feed_tick(ff, RUN_DONE);
	} else if (cmd->kind == CMD_TUNE) {
		l->tune = cmd->u.tune;
	}
}

static void maybe_hang(struct fake_feed *ff, enum command_kind kind)
{
	pthread_mutex_lock(&ff->lock);
	while (ff->hang == (int)kind) {
		ff->hanging = true;
		pthread_cond_broadcast(&ff->cond);
		pthread_cond_wait(&ff->cond, &ff->lock);
	}
	ff->hanging = false;
	pthread_mutex_unlock(&ff->lock);
}

void fake_feed_go_on(struct fake_feed *ff)
{
	pthread_mutex_lock(&ff->lock);
	ff->hang = -1;
	pthread_cond_broadcast(&ff->cond);
	pthread_mutex_unlock(&ff->lock);
}

void fake_feed_wait_hang(struct fake_feed *ff)
{
	pthread_mutex_lock(&ff->lock);
	while (!ff->hanging)
		pthread_cond_wait(&ff->cond, &ff->lock);
	pthread_mutex_unlock(&ff->lock);
}

static int fake_command(struct feed *f, const struct command *cmd, struct err *e)
{
	struct fake_feed *ff = fake_of(f);

	maybe_hang(ff, cmd->kind);
	if (cmd->kind == CMD_GUARD)
		ff->n_guard++; /* a question, not an order */
	else
		log_command(ff, cmd);
	if (ff->refuse)
		return err_set(e, ff->refuse, "%s", ff->refuse_msg);
	if (cmd->kind == CMD_GUARD)
		tell_ask(ff, &cmd->u.guard);
	if (cmd->kind == CMD_ARM)
		return arm(ff, cmd->u.text, e);
	if (ff->obey)
		obey(ff, cmd);
	return 0;
}

static const struct feed_ops fake_ops = {.next = fake_next, .command = fake_command};

void fake_feed_init(struct fake_feed *ff)
{
	*ff = (struct fake_feed){
		.feed = {&fake_ops, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)},
		.clock = {.is_virtual = true, .now_ns = 1000 * NSEC_PER_SEC},
		.snap = xcalloc(1, sizeof(struct snapshot)),
		.hang = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER,
	};
	ff->snap->n_lanes = 1;
}

void fake_feed_fini(struct fake_feed *ff)
{
	for (size_t i = 0; i < ff->n; i++)
		if (ff->log[i].kind == CMD_START)
			job_spec_fini(&ff->log[i].job);
	free(ff->log);
	free(ff->snap);
	close(ff->feed.wake_fd);
}

void fake_feed_tick(struct fake_feed *ff, enum run_state state)
{
	struct snapshot *s = ff->snap;
	uint64_t one = 1;

	ff->clock.now_ns += 100 * NSEC_PER_MSEC;
	s->seq++;
	s->t_ns = ff->clock.now_ns;
	s->win_ns = 100 * NSEC_PER_MSEC;
	s->state = s->lane[0].state = state;
	s->lane[0].t_start_ns = state == RUN_IDLE ? 0 : 1000 * NSEC_PER_SEC;
	s->lane[0].workers = s->lane[0].tune.jobs;
	if (write(ff->feed.wake_fd, &one, sizeof(one)) < 0)
		abort();
}

const struct fake_command *fake_feed_last(const struct fake_feed *ff)
{
	return ff->n ? &ff->log[ff->n - 1] : NULL;
}

size_t fake_feed_count(const struct fake_feed *ff, enum command_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < ff->n; i++)
		n += ff->log[i].kind == kind;
	return n;
}

static const struct engine_info engines[] = {
	{"io_uring", false}, {"libaio", false}, {"psync", true}, {NULL, false}};

static const struct sim_info sims[] = {
	{"sim:hdd", "a disk that turns", 1000000000000},
	{"sim:nvme", "an idea of flash behind PCIe", 4000000000000},
	{"", NULL, 0},
};

void fake_console_init(struct fake_console *fc, int w, int h)
{
	struct err e = {0};

	memset(fc, 0, sizeof(*fc));
	sysroot_load(&fc->sys, "workstation");
	fc->root = fc->sys.path;
	/* Profiles of the person who runs the tests are none of their business. */
	setenv("XDG_CONFIG_HOME", fc->root, 1);
	fake_feed_init(&fc->ff);
	fc->cfg = (struct ui_cfg){
		.feed = &fc->ff.feed,
		.engines = engines,
		.sims = sims,
		.fsroot = fc->root,
		.clock = &fc->ff.clock,
		.no_terminal = true,
		.ask_wait_ns =
			60 * NSEC_PER_SEC, /* keys act at once, however loaded the machine is */
	};
	if (console_init(&fc->con, &fc->cfg, &e) < 0) {
		fprintf(stderr, "%s\n", e.msg);
		abort();
	}
	canvas_init(&fc->canvas, w, h, &glyphs_ascii);
	fc->canvas.owned = true;
	fc->con.screen = &fc->canvas;
}

void fake_console_fini(struct fake_console *fc)
{
	canvas_fini(&fc->canvas);
	ui_end_fini(&fc->con.end);
	console_fini(&fc->con);
	fake_feed_fini(&fc->ff);
	sysroot_fini(&fc->sys);
}

void fake_console_key(struct fake_console *fc, uint32_t key)
{
	console_key(&fc->con, key, fc->ff.clock.now_ns);
}

void fake_console_type(struct fake_console *fc, const char *text)
{
	for (; *text; text++)
		fake_console_key(fc, (unsigned char)*text);
}

void fake_console_tick(struct fake_console *fc, enum run_state state)
{
	fake_feed_tick(&fc->ff, state);
	console_pull(&fc->con);
}

char *fake_console_screen(struct fake_console *fc)
{
	struct strbuf sb = {0};
	char *text;

	console_draw(&fc->con, &fc->canvas);
	canvas_dump_text(&fc->canvas, &sb);
	text = xstrdup(strbuf_str(&sb));
	strbuf_fini(&sb);
	return text;
}
