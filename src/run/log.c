#include "src/run/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/turns.h"
#include "src/base/xalloc.h"
#include "src/run/log_file.h"
#include "src/run/trace.h"

#define LOOK_RING_NS (10 * NSEC_PER_MSEC)
#define LOOK_NS      (100 * NSEC_PER_MSEC)
#define FLUSH_NS     NSEC_PER_SEC

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

/* The logs of one clone. */
struct job_log {
	struct lane *lane;
	const struct job_spec *js;
	unsigned index; /* worker slot in the lane */
	struct log_file *file[LOG_KINDS];
	uint64_t t_ns, next_ns; /* where the present window began and ends; 0: not begun */
	struct op_sums last[IO_OP_NR];
	uint64_t max_ns[IO_OP_NR][LOG_KINDS]; /* of this window, for log_max_value */
	uint64_t hist_t_ns, hist_next_ns;
	struct hist *hist_last; /* [IO_OP_NR]; NULL: no histogram log */
};

/* --bandwidth-log: all jobs together. fio writes a row whenever it shows a status line. */
#define SUM_WINDOW_NS (500 * NSEC_PER_MSEC)

struct sum_log {
	struct log_file *file[IO_OP_NR]; /* NULL: not asked for */
	uint64_t t_ns, bytes[IO_OP_NR];  /* where the present window began */
};

struct logger {
	pthread_t thread;
	_Atomic bool stop;
	struct wakeup wake;
	struct clock *clock;
	uint64_t wall_ms, mono_ns; /* the same instant */
	struct log_files files;
	struct traces traces;
	struct sum_log sum;
	struct lane *const *lanes; /* borrowed */
	size_t n_lanes;
	struct job_log *jobs;
	size_t n_jobs;
	bool any_ring;
};

static bool has_log(const struct job_spec *js)
{
	for (unsigned k = 0; k < LOG_KINDS; k++)
		if (log_wanted(js, (enum log_kind)k))
			return true;
	return false;
}

bool logger_needs_ring(const struct job_spec *js)
{
	bool other = false;

	for (unsigned k = 0; k < LOG_HIST; k++)
		other |= log_wanted(js, (enum log_kind)k);
	return other && (js->log_avg_ns == 0 || js->log_max_value);
}

/* Rows */

static struct worker *worker_of(struct job_log *j)
{
	struct worker *w = NULL;

	pthread_mutex_lock(&j->lane->lock);
	if (j->index < j->lane->n_slots)
		w = j->lane->workers[j->index];
	pthread_mutex_unlock(&j->lane->lock);
	return w;
}

/* Times count from the job's start, its ramp included, as in fio. */
static uint64_t row_ms(const struct logger *l, const struct job_log *j, const struct worker *w,
		       uint64_t t_ns)
{
	uint64_t start = LOAD(&w->t_count_ns) - j->js->ramp_ns;

	if (j->js->log_unix_epoch)
		return l->wall_ms + (t_ns - l->mono_ns) / NSEC_PER_MSEC;
	return t_ns > start ? (t_ns - start) / NSEC_PER_MSEC : 0;
}

static void put(struct job_log *j, enum log_kind kind, struct log_row row, uint64_t value)
{
	if (!j->file[kind])
		return;
	row.value = value;
	log_write_row(j->file[kind], j->js, &row);
}

/* Units of `unit` a second, rounded: truncated rows would not add up to what was done. */
static uint64_t per_second(uint64_t n, uint64_t unit, uint64_t dt_ns)
{
	unsigned __int128 by = (unsigned __int128)dt_ns * unit;

	return by ? (uint64_t)(((unsigned __int128)n * NSEC_PER_SEC + by / 2) / by) : 0;
}

static uint64_t mean_ns(const struct moments *now, const struct moments *before)
{
	uint64_t n = now->n - before->n;

	return n ? (now->sum_ns - before->sum_ns + n / 2) / n : 0;
}

/* One direction of a window that closes. Windows without I/O have no row, as in fio. */
static void put_window(struct job_log *j, const struct op_sums *now, struct log_row row,
		       uint64_t dt_ns)
{
	struct op_sums *last = &j->last[row.op];
	uint64_t *max = j->max_ns[row.op];

	if (now->ops > last->ops) {
		put(j, LOG_BW, row, per_second(now->bytes - last->bytes, 1024, dt_ns));
		put(j, LOG_IOPS, row, per_second(now->ops - last->ops, 1, dt_ns));
		if (!j->js->log_max_value) {
			max[LOG_SLAT] = mean_ns(&now->slat, &last->slat);
			max[LOG_CLAT] = mean_ns(&now->clat, &last->clat);
			max[LOG_LAT] = mean_ns(&now->lat, &last->lat);
		}
		put(j, LOG_LAT, row, max[LOG_LAT]);
		if (!(j->lane->plan.engine->flags & ENGINE_SYNC))
			put(j, LOG_SLAT, row, max[LOG_SLAT]);
		put(j, LOG_CLAT, row, max[LOG_CLAT]);
	}
	memset(max, 0, sizeof(j->max_ns[row.op]));
	*last = *now;
}

static void close_window(struct logger *l, struct job_log *j, struct worker *w, uint64_t now_ns)
{
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		struct log_row row = {.t_ms = row_ms(l, j, w, now_ns), .op = (enum io_op)op};
		struct op_sums now;

		op_live_read_sums(&w->op[op], &now);
		put_window(j, &now, row, now_ns - j->t_ns);
	}
	j->t_ns = now_ns;
}

static void close_hist(struct logger *l, struct job_log *j, struct worker *w, uint64_t now_ns)
{
	struct hist *now = xcalloc(2, sizeof(*now)), *diff = now + 1;

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		struct log_row row = {.t_ms = row_ms(l, j, w, now_ns),
				      .op = (enum io_op)op,
				      .bs = (uint32_t)j->js->bs_bytes[op]};

		op_live_read_clat_hist(&w->op[op], now);
		hist_sub(diff, now, &j->hist_last[op]);
		if (hist_count(diff))
			log_write_hist(j->file[LOG_HIST], j->js, &row, diff);
		j->hist_last[op] = *now;
	}
	j->hist_t_ns = now_ns;
	free(now);
}

static void put_record(struct logger *l, struct job_log *j, struct worker *w,
		       const struct log_record *r)
{
	struct log_row row = {.t_ms = row_ms(l, j, w, r->done_ns),
			      .offset = r->offset,
			      .bs = r->len,
			      .op = (enum io_op)r->op};

	/* fio does not count single I/Os then; averaged rows are written all the same. */
	if (!j->js->disable_bw && !j->js->gtod_reduce)
		put(j, LOG_BW, row, per_second(r->len, 1024, r->clat_ns ? r->clat_ns : 1));
	if (!j->js->gtod_reduce)
		put(j, LOG_IOPS, row, 1);
	put(j, LOG_LAT, row, r->slat_ns + r->clat_ns);
	if (!(j->lane->plan.engine->flags & ENGINE_SYNC))
		put(j, LOG_SLAT, row, r->slat_ns);
	put(j, LOG_CLAT, row, r->clat_ns);
}

static void keep_max(struct job_log *j, const struct log_record *r)
{
	uint64_t *max = j->max_ns[r->op], lat = r->slat_ns + r->clat_ns;

	max[LOG_SLAT] = r->slat_ns > max[LOG_SLAT] ? r->slat_ns : max[LOG_SLAT];
	max[LOG_CLAT] = r->clat_ns > max[LOG_CLAT] ? r->clat_ns : max[LOG_CLAT];
	max[LOG_LAT] = lat > max[LOG_LAT] ? lat : max[LOG_LAT];
}

static void drain(struct logger *l, struct job_log *j, struct worker *w)
{
	struct log_record r;

	while (w->log && log_ring_take(w->log, &r)) {
		if (j->js->log_avg_ns == 0)
			put_record(l, j, w, &r);
		else
			keep_max(j, &r);
	}
}

static void sum_bytes(struct lane *lane, uint64_t bytes[IO_OP_NR])
{
	pthread_mutex_lock(&lane->lock);
	for (unsigned k = 0; k < lane->n_slots; k++)
		for (unsigned op = 0; op < IO_OP_NR; op++)
			bytes[op] += LOAD(&lane->workers[k]->op[op].bytes);
	pthread_mutex_unlock(&lane->lock);
}

/* A row for each direction, of 0 too: this log is about the whole run. */
static void close_sum(struct logger *l, uint64_t now_ns)
{
	struct sum_log *s = &l->sum;
	uint64_t bytes[IO_OP_NR] = {0};

	for (size_t i = 0; i < l->n_lanes; i++)
		sum_bytes(l->lanes[i], bytes);
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		const struct log_row row = {
			.t_ms = (now_ns - l->mono_ns) / NSEC_PER_MSEC,
			.value = per_second(bytes[op] - s->bytes[op], 1024, now_ns - s->t_ns),
			.op = (enum io_op)op,
		};

		log_write_sum(s->file[op], &row);
	}
	memcpy(s->bytes, bytes, sizeof(bytes));
	s->t_ns = now_ns;
}

/* When the next window of the sum closes. */
static uint64_t look_at_sum(struct logger *l, uint64_t now)
{
	if (!l->sum.file[0])
		return UINT64_MAX;
	if (now >= l->sum.t_ns + SUM_WINDOW_NS)
		close_sum(l, now);
	return l->sum.t_ns + SUM_WINDOW_NS;
}

static uint64_t hist_period(const struct job_spec *js)
{
	return js->log_hist_ns ? js->log_hist_ns : js->log_avg_ns;
}

/* The grid's next point after now. */
static uint64_t grid_next(uint64_t at, uint64_t period, uint64_t now)
{
	return at + ((now - at) / period + 1) * period;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* When the next window of this job closes. */
static uint64_t look_at(struct logger *l, struct job_log *j, uint64_t now)
{
	struct worker *w = worker_of(j);
	uint64_t start = w ? LOAD(&w->t_count_ns) : 0, avg = j->js->log_avg_ns,
		 period = hist_period(j->js), next = UINT64_MAX;

	if (!start || LOAD(&w->t_end_ns) || now < start)
		return UINT64_MAX;
	if (!j->t_ns) {
		j->t_ns = j->hist_t_ns = start;
		j->next_ns = start + avg;
		j->hist_next_ns = start + period;
	}
	drain(l, j, w);
	if (avg && now >= j->next_ns) {
		close_window(l, j, w, now);
		j->next_ns = grid_next(j->next_ns, avg, now);
	}
	if (j->hist_last && period && now >= j->hist_next_ns) {
		close_hist(l, j, w, now);
		j->hist_next_ns = grid_next(j->hist_next_ns, period, now);
	}
	if (avg)
		next = j->next_ns;
	if (j->hist_last && period)
		next = min_u64(next, j->hist_next_ns);
	return next;
}

static void *logger_main(void *arg)
{
	struct logger *l = arg;
	uint64_t seen = 0, flush_ns = 0;

	pthread_setname_np(pthread_self(), "iodeck-log");
	while (!atomic_load(&l->stop)) {
		uint64_t now = clock_now_ns(l->clock),
			 next = now + (l->any_ring ? LOOK_RING_NS : LOOK_NS);

		for (size_t i = 0; i < l->n_jobs; i++)
			next = min_u64(next, look_at(l, &l->jobs[i], now));
		next = min_u64(next, look_at_sum(l, now));
		/* Not the newest: a worker that is late with its record must not be out of order. */
		traces_drain(&l->traces, now - LOOK_RING_NS);
		if (now >= flush_ns) {
			log_files_flush(&l->files);
			traces_flush(&l->traces);
			flush_ns = now + FLUSH_NS;
		}
		now = clock_now_ns(l->clock);
		if (next > now)
			wakeup_wait(&l->wake, &seen, next - now);
	}
	return NULL;
}

/* Start and end */

static int open_files(struct logger *l, struct job_log *j, unsigned number, struct err *e)
{
	bool sim = j->lane->plan.engine->flags & ENGINE_SIM;

	for (unsigned k = 0; k < LOG_KINDS; k++) {
		char *path;

		if (!log_wanted(j->js, (enum log_kind)k))
			continue;
		path = log_path(j->js, (enum log_kind)k, sim, number);
		j->file[k] = log_file_get(&l->files, path, e);
		free(path);
		if (!j->file[k])
			return e->code ? -e->code : -EIO;
	}
	if (j->file[LOG_HIST])
		j->hist_last = xcalloc(IO_OP_NR, sizeof(*j->hist_last));
	return 0;
}

static int add_jobs(struct logger *l, struct lane *lane, unsigned *number, struct err *e)
{
	const struct job_spec *js = lane->plan.spec;

	for (unsigned k = 0; k < js->numjobs; k++) {
		struct job_log *j;
		int rc;

		(*number)++;
		if (!has_log(js))
			continue;
		l->any_ring |= logger_needs_ring(js);
		l->jobs = xrealloc(l->jobs, (l->n_jobs + 1) * sizeof(*l->jobs));
		j = &l->jobs[l->n_jobs++];
		*j = (struct job_log){.lane = lane, .js = js, .index = k};
		rc = open_files(l, j, *number, e);
		if (rc)
			return rc;
	}
	return 0;
}

static int open_sums(struct logger *l, struct err *e)
{
	static const char *const names[IO_OP_NR] = {
		[IO_READ] = "agg-read_bw.log",
		[IO_WRITE] = "agg-write_bw.log",
		[IO_TRIM] = "agg-trim_bw.log",
	};

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		l->sum.file[op] = log_file_get(&l->files, names[op], e);
		if (!l->sum.file[op])
			return e->code ? -e->code : -EIO;
	}
	l->sum.t_ns = l->mono_ns;
	return 0;
}

static void logger_free(struct logger *l)
{
	for (size_t i = 0; i < l->n_jobs; i++)
		free(l->jobs[i].hist_last);
	free(l->jobs);
	wakeup_fini(&l->wake);
	free(l);
}

static bool is_wanted(const struct logger *l)
{
	return l->n_jobs || l->traces.n || l->sum.file[0];
}

int logger_start(struct logger **out, struct lane *const *lanes, size_t n_lanes,
		 struct clock *clock, bool bandwidth, struct err *e)
{
	struct logger *l = xcalloc(1, sizeof(*l));
	unsigned number = 0;
	struct err ignored = {0};
	int rc = 0;

	*out = NULL;
	wakeup_init(&l->wake, clock);
	l->clock = clock;
	l->wall_ms = clock_wall_ms();
	l->mono_ns = clock_now_ns(clock);
	l->lanes = lanes;
	l->n_lanes = n_lanes;
	for (size_t i = 0; i < n_lanes && rc == 0; i++)
		rc = add_jobs(l, lanes[i], &number, e);
	if (rc == 0 && bandwidth)
		rc = open_sums(l, e);
	if (rc == 0)
		rc = traces_open(&l->traces, lanes, n_lanes, l->mono_ns, e);
	l->any_ring |= l->traces.n > 0;
	if (rc == 0 && is_wanted(l)) {
		rc = clock_spawn(clock, &l->thread, NULL, logger_main, l);
		if (rc)
			err_set(e, -rc, "starting the log's thread: %s", strerror(-rc));
	}
	if (rc || !is_wanted(l)) {
		log_files_close(&l->files, &ignored);
		traces_close(&l->traces, l->mono_ns, &ignored);
		logger_free(l);
		return rc;
	}
	*out = l;
	return 0;
}

/* What is left after the last window: shorter than the others, divided by its own length. */
static void finish(struct logger *l, struct job_log *j, uint64_t *dropped)
{
	struct worker *w = worker_of(j);
	uint64_t start = w ? LOAD(&w->t_count_ns) : 0, end;

	if (!start)
		return;
	end = LOAD(&w->t_end_ns);
	if (!j->t_ns)
		j->t_ns = j->hist_t_ns = start;
	drain(l, j, w);
	if (j->js->log_avg_ns && end > j->t_ns)
		close_window(l, j, w, end);
	if (j->hist_last && end > j->hist_t_ns)
		close_hist(l, j, w, end);
	if (w->log)
		*dropped += LOAD(&w->log->dropped);
}

int logger_stop(struct logger *l, uint64_t *dropped, struct err *e)
{
	struct err also;
	int rc;

	*dropped = 0;
	if (!l)
		return 0;
	atomic_store(&l->stop, true);
	wakeup_call(&l->wake);
	clock_join(l->clock, l->thread);
	for (size_t i = 0; i < l->n_jobs; i++)
		finish(l, &l->jobs[i], dropped);
	if (l->sum.file[0])
		close_sum(l, clock_now_ns(l->clock));
	rc = log_files_close(&l->files, e);
	if (traces_close(&l->traces, clock_now_ns(l->clock), rc ? &also : e) && rc == 0)
		rc = -e->code;
	logger_free(l);
	return rc;
}
