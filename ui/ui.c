#include "ui/ui.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/console.h"
#include "ui/script.h"
#include "ui/term_signal.h"

#define KEY_FRAME_NS    (20 * NSEC_PER_MSEC) /* a key is answered within this */
#define SLOW_FLUSH_NS   (50 * NSEC_PER_MSEC) /* a terminal that takes longer gets fewer frames */
#define SLOW_RECOVER_NS (5 * NSEC_PER_SEC)
#define FRAME_BYTES_S   11000 /* at most, for frames that nobody asked for; over ssh that is felt */
#define FRAME_CELLS     (120 * 40)          /* on a screen of this size; more on larger ones */
#define IDLE_REPAINT_NS (60 * NSEC_PER_SEC) /* `wall` and friends scar the screen */
#define DRAIN_NS        (3 * NSEC_PER_SEC)  /* how long Ctrl-Z waits for I/O in flight */
#define SCRIPT_POLL_NS  (10 * NSEC_PER_MSEC)
#define KEYS_PER_TURN   256

struct loop {
	const struct ui_cfg *cfg;
	struct console con;
	struct canvas canvas;
	struct script script;
	bool scripted; /* verbs are left */
	bool dirty;    /* a key asks for a frame at once */
	bool sending;  /* the terminal has not taken the last frame yet */
	uint64_t begun_bytes,
		frame_bytes; /* term_bytes() before the last frame; what the frame took */
	uint64_t now_ns, drawn_ns, sent_ns, slow_ns, key_ns, painted_ns;
	struct {
		uint64_t t_ns, cpu_ns, bytes; /* as read last; t_ns 0: never */
	} cost;
	int rc;
};

void ui_end_fini(struct ui_end *end)
{
	for (size_t i = 0; i < end->n_new_files; i++)
		free(end->new_files[i]);
	free(end->new_files);
	*end = (struct ui_end){0};
}

static uint64_t loop_now(const struct loop *l)
{
	return clock_now_ns(l->cfg->clock ? l->cfg->clock : &clock_real);
}

/* ---- what it costs ---- */

static uint64_t thread_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Once a second; the first reading only begins it. */
static void measure_cost(struct loop *l)
{
	struct ui_state *st = &l->con.st;
	uint64_t cpu_ns, bytes;
	double s;

	if (l->now_ns - l->cost.t_ns < NSEC_PER_SEC)
		return;
	cpu_ns = thread_cpu_ns();
	bytes = term_bytes();
	s = (double)(l->now_ns - l->cost.t_ns) / 1e9;
	st->cost.known = l->cost.t_ns != 0;
	st->cost.cpu_pct = (double)(cpu_ns - l->cost.cpu_ns) / s / 1e7;
	st->cost.bps = (double)(bytes - l->cost.bytes) / s;
	l->cost.t_ns = l->now_ns;
	l->cost.cpu_ns = cpu_ns;
	l->cost.bytes = bytes;
}

/* ---- drawing ---- */

/* Halves the rate while the terminal is slow, down to one frame a second; tries again after 5 s. */
static void pace(struct loop *l, uint64_t took_ns)
{
	struct console *con = &l->con;

	if (took_ns > SLOW_FLUSH_NS) {
		l->slow_ns = l->now_ns;
		if (con->st.fps > 1)
			con->st.fps /= 2;
	} else if (con->st.fps < con->fps && l->now_ns - l->slow_ns > SLOW_RECOVER_NS) {
		l->slow_ns = l->now_ns;
		con->st.fps = con->st.fps * 2 < con->fps ? con->st.fps * 2 : con->fps;
	}
	con->st.tty_slow = con->st.fps < con->fps;
}

/* A frame is on its way: has the terminal taken all of it? While it does not it is told slow again. */
static void send_on(struct loop *l)
{
	uint64_t now = loop_now(l), took = now - l->sent_ns;
	bool all = term_drain();

	if (!all && took <= SLOW_FLUSH_NS)
		return;
	l->sending = !all;
	l->sent_ns = now;
	l->frame_bytes = term_bytes() - l->begun_bytes;
	pace(l, took);
}

static void draw(struct loop *l)
{
	int w, h;

	measure_cost(l);
	term_size(&w, &h); /* each time: a resize may come without a signal */
	if (w != l->canvas.w || h != l->canvas.h)
		canvas_resize(&l->canvas, w, h);
	if (l->now_ns - l->key_ns > IDLE_REPAINT_NS &&
	    l->now_ns - l->painted_ns > IDLE_REPAINT_NS) {
		l->painted_ns = l->now_ns;
		term_repaint();
	}
	console_draw(&l->con, &l->canvas);
	l->drawn_ns = l->now_ns;
	l->dirty = false;
	l->sent_ns = loop_now(l);
	l->sending = true;
	l->begun_bytes = term_bytes();
	term_flush(&l->canvas);
	send_on(l);
}

/*
 * Between two frames: the period, or longer after a frame that cost more than its share, as when many
 * columns of a short window move; but not more than twice as long.
 */
static uint64_t frame_ns(const struct loop *l)
{
	uint64_t period = NSEC_PER_SEC / l->con.st.fps;
	uint64_t cells = (uint64_t)l->canvas.w * (uint64_t)l->canvas.h;
	uint64_t share = cells > FRAME_CELLS ? FRAME_BYTES_S * cells / FRAME_CELLS : FRAME_BYTES_S;
	uint64_t cost = l->frame_bytes * NSEC_PER_SEC / share;

	if (cost <= period)
		return period;
	return cost < 2 * period ? cost : 2 * period;
}

static uint64_t next_frame_ns(const struct loop *l)
{
	return l->drawn_ns + (l->dirty ? KEY_FRAME_NS : frame_ns(l));
}

/* ---- what comes in ---- */

static void take_snapshots(struct loop *l)
{
	uint64_t count;

	/* Without a wake-up nothing is lost: the next frame looks again. */
	if (read(l->con.feed->wake_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	console_pull(&l->con);
}

static void set_paused(struct loop *l, bool on, struct err *e)
{
	struct command cmd = {.kind = CMD_PAUSE, .u.flag = on};

	l->con.feed->ops->command(l->con.feed, &cmd, e);
}

/* Nothing in flight, and it is known since when: the stop is then no lane's time. */
static bool all_parked(const struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++) {
		const struct lane_snap *l = &s->lane[i];

		if (l->inflight || (l->state == RUN_PAUSED && !l->parked))
			return false;
	}
	return true;
}

/* Until a snapshot taken after the pause shows that every lane stands still. false: they take too long. */
static bool wait_drained(struct loop *l)
{
	uint64_t paused_ns = loop_now(l), give_up_ns = paused_ns + DRAIN_NS;
	struct pollfd fd = {.fd = l->con.feed->wake_fd, .events = POLLIN};

	while (loop_now(l) < give_up_ns) {
		const struct snapshot *s = l->con.model.snap;

		if (s->t_ns > paused_ns && all_parked(s))
			return true;
		poll(&fd, 1, 100);
		take_snapshots(l);
	}
	return false;
}

/*
 * The run is paused while nobody looks. Stopping the process with I/O in flight would add the time
 * stopped to their latency, so they are waited for.
 */
static void suspend(struct loop *l)
{
	struct err e = {0};
	bool running = console_is_running(&l->con);

	if (running)
		set_paused(l, true, &e);
	if (!e.code && running && !wait_drained(l))
		err_set(&e, EBUSY, "I/O in flight does not come back");
	if (e.code) {
		console_say(&l->con, ROLE_WARN, "not suspended: %.180s", e.msg);
	} else {
		term_suspend();
		l->sending = false; /* what was on its way is gone with the screen */
	}
	if (running)
		set_paused(l, false, NULL);
	l->dirty = true;
}

static void take_wishes(struct loop *l)
{
	struct console_wish wish = l->con.wish;

	l->con.wish = (struct console_wish){0};
	if (l->cfg->no_terminal)
		return;
	if (wish.suspend)
		suspend(l);
	if (wish.repaint)
		term_repaint();
	if (wish.bell)
		term_bell();
}

static void take_signals(struct loop *l)
{
	static const int ending[] = {SIGHUP, SIGTERM, SIGINT};
	uint64_t bits = l->cfg->no_terminal ? term_signal_take() : term_take_signals();

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (bits & UINT64_C(1) << ending[i])
			console_signal(&l->con, ending[i]);
	if (bits & UINT64_C(1) << SIGTSTP)
		l->con.wish.suspend = true;
	if (bits)
		l->dirty = true;
}

/* The first key ends a demo; it does nothing else unless it means to leave. */
static bool take_over(struct loop *l, uint32_t key)
{
	if (!l->scripted || !l->cfg->script_text || key == TERM_RESIZE)
		return false;
	l->scripted = false;
	console_say(&l->con, ROLE_OK,
		    "the demo has ended here; the run goes on, every key is yours");
	return key != 'q' && key != TERM_CTRL_C;
}

static void take_keys(struct loop *l)
{
	uint32_t key;

	for (int i = 0; i < KEYS_PER_TURN && (key = term_read_key()) != 0; i++) {
		if (!take_over(l, key))
			console_key(&l->con, key, l->now_ns);
		l->dirty = true;
		l->key_ns = l->now_ns;
	}
}

static void step_script(struct loop *l, struct err *e)
{
	enum script_state state;

	if (!l->scripted)
		return;
	state = script_step(&l->script, &l->con, l->now_ns, e);
	if (state == SCRIPT_WAITING)
		return;
	l->scripted = false;
	l->dirty = true;
	if (state == SCRIPT_FAILED) {
		l->rc = -e->code;
		console_quit(&l->con, true);
	} else if (l->cfg->no_terminal && l->con.quit == QUIT_NO) {
		console_quit(&l->con, false);
	}
}

/* ---- the loop ---- */

static int poll_timeout_ms(const struct loop *l, uint64_t now_ns)
{
	uint64_t until = next_frame_ns(l);

	if (l->cfg->no_terminal)
		until = now_ns + 100 * NSEC_PER_MSEC;
	else if (l->sending) /* no frame before this one is out */
		until = l->sent_ns + SLOW_FLUSH_NS + NSEC_PER_MSEC;
	if (l->scripted && until > now_ns + SCRIPT_POLL_NS)
		until = now_ns + SCRIPT_POLL_NS;
	if (until <= now_ns)
		return 0;
	return (int)((until - now_ns + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

/* In virtual time the others run meanwhile, and what they had to say has been said. */
static int let_time_pass(const struct loop *l)
{
	int ms = poll_timeout_ms(l, loop_now(l));

	if (!l->cfg->clock || !l->cfg->clock->is_virtual)
		return ms;
	clock_sleep_until(l->cfg->clock, loop_now(l) + (uint64_t)ms * (uint64_t)NSEC_PER_MSEC);
	return 0;
}

static void wait_for_events(struct loop *l)
{
	struct pollfd fds[] = {
		{.fd = l->cfg->no_terminal ? -1 : term_fd(), .events = POLLIN},
		{.fd = l->cfg->no_terminal ? term_signal_pipe() : term_signal_fd(),
		 .events = POLLIN},
		{.fd = l->con.feed->wake_fd, .events = POLLIN},
		{.fd = l->con.ask_fd, .events = POLLIN},
		{.fd = l->sending ? term_drain_fd() : -1, .events = POLLOUT},
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), let_time_pass(l));
	l->now_ns = loop_now(l);
	if (l->sending)
		send_on(l);
	take_signals(l);
	if (!l->cfg->no_terminal)
		take_keys(l);
	if (fds[3].revents & POLLIN)
		l->dirty = true; /* console_tick() takes the answer */
	if (fds[2].revents & POLLIN)
		take_snapshots(l);
	console_tick(&l->con, l->now_ns);
}

static void loop_run(struct loop *l, struct err *e)
{
	while (l->con.quit != QUIT_NOW) {
		wait_for_events(l);
		step_script(l, e);
		take_wishes(l);
		if (!l->cfg->no_terminal && !l->sending && l->now_ns >= next_frame_ns(l))
			draw(l);
	}
}

static int screen_open(struct loop *l, struct err *e)
{
	const struct ui_cfg *cfg = l->cfg;
	int w = cfg->w > 0 ? cfg->w : 80, h = cfg->h > 0 ? cfg->h : 24, rc;

	if (!cfg->no_terminal) {
		rc = term_open(&cfg->term, e);
		if (rc < 0)
			return rc;
		term_size(&w, &h);
		canvas_init(&l->canvas, w, h, term_glyphs());
		return 0;
	}
	if (!cfg->script && !cfg->script_text)
		return err_set(e, ENOTTY, "no terminal; a script or `iodeck run` is needed");
	rc = term_signal_begin();
	if (rc < 0)
		return err_set(e, -rc, "cannot take signals");
	canvas_init(&l->canvas, w, h, cfg->term.force_ascii ? &glyphs_ascii : &glyphs_utf8);
	return 0;
}

static void screen_close(struct loop *l)
{
	canvas_fini(&l->canvas);
	if (l->cfg->no_terminal)
		term_signal_end();
	else
		term_close();
}

int ui_run(const struct ui_cfg *cfg, struct ui_end *end, struct err *e)
{
	struct loop l = {.cfg = cfg};
	int rc;

	*end = (struct ui_end){0};
	rc = cfg->script ? script_load(&l.script, cfg->script, e) : 0;
	if (cfg->script_text)
		script_parse(&l.script, "demo", cfg->script_text);
	if (rc < 0)
		return rc;
	l.scripted = cfg->script || cfg->script_text;
	rc = console_init(&l.con, cfg, e);
	if (rc < 0)
		goto out_script;
	rc = screen_open(&l, e);
	if (rc < 0)
		goto out_console;
	l.con.screen = &l.canvas;
	l.key_ns = l.painted_ns = l.now_ns = loop_now(&l);
	l.dirty = true;
	console_pull(&l.con);
	loop_run(&l, e);
	rc = l.rc;
	screen_close(&l);
out_console:
	l.con.end.stuck = !console_ask_end(&l.con);
	*end = l.con.end;
	console_fini(&l.con);
out_script:
	script_fini(&l.script);
	return rc;
}
