/*
 * A sweep of every simulated device: what it finds against what the model gives when it is asked
 * directly, in virtual time.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_devices.h"
#include "sim_curves.h"
#include "sweep_rig.h"

#define DEPTH_MAX 512u
#define NEAR      0.05

/* Figures by depth, each run once. */
struct known {
	const struct sim_params *params;
	struct sim_figures at[DEPTH_MAX + 1];
	bool has[DEPTH_MAX + 1];
};

static const struct sim_figures *figures(struct known *k, unsigned depth)
{
	struct sim_load load = {
		.op = IO_READ, .len = 4096, .depth = depth, .hosts = 1, .ios = 30000};

	if (!k->has[depth])
		sim_run(k->params, &load, &k->at[depth]);
	k->has[depth] = true;
	return &k->at[depth];
}

static void device(void *arg, const struct tuning *t, double *iops, double *mean_ns, double *p99_ns)
{
	const struct sim_figures *f = figures(arg, t->qd);

	*iops = f->iops;
	*mean_ns = f->mean_us * 1e3;
	*p99_ns = f->p99_us * 1e3;
}

static void expect_near(const char *name, const char *what, double got, double want)
{
	cr_expect_lt(fabs(got / want - 1), NEAR, "%s: %s %g, the model has %g", name, what, got,
		     want);
}

/* The largest X/R among the depths of the grid, from the model itself. */
static unsigned best_power(struct known *k)
{
	unsigned best = 1;

	for (unsigned d = 1; d <= 256; d *= 2) {
		const struct sim_figures *f = figures(k, d), *b = figures(k, best);

		if (f->iops / f->mean_us > b->iops / b->mean_us)
			best = d;
	}
	return best;
}

static void check_knee(struct known *k, const struct sweep_result *r)
{
	unsigned want = best_power(k), got = 1u << r->find[0].knee[KNEE_POWER];
	const struct sim_figures *a = figures(k, got), *b = figures(k, want);

	/* Where two depths are equally good either is right. */
	expect_near(k->params->name, "power at the knee", a->iops / a->mean_us,
		    b->iops / b->mean_us);
}

/*
 * Devices of which no closed network of equal servers is a model, and why. The arm of a disk sorts its queue. This
 * Ceph has 30 disks behind it, of which more are busy with each doubling.
 */
static const char *must_be_refused(const char *name)
{
	static const struct {
		const char *name, *why;
	} rows[] = {{"hdd", "the queue is sorted"},
		    {"hdd25", "the queue is sorted"},
		    {"hdd10k", "the queue is sorted"},
		    {"ceph-hdd", "no saturation up to depth 256"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].why;
	return NULL;
}

static bool check_fit(struct known *k, const struct sweep_result *r)
{
	const struct fit *f = &r->find[0].fit;
	const char *name = k->params->name, *refusal = must_be_refused(name);
	double top = 0;

	if (refusal) {
		cr_expect_eq(f->form, FIT_NONE, "%s: fitted", name);
		cr_expect(strstr(f->why, refusal), "%s: %s", name, f->why);
		return false;
	}
	cr_expect_neq(f->form, FIT_NONE, "%s: refused: %s", name, f->why);
	if (f->form == FIT_NONE)
		return false;
	for (unsigned d = 1; d <= DEPTH_MAX; d *= 2)
		top = fmax(top, figures(k, d)->iops);
	expect_near(k->params->name, "Xmax", f->xmax, top);
	expect_near(k->params->name, "R0", f->r0_ns, figures(k, 1)->mean_us * 1e3);
	return true;
}

/* What is measured rather than fitted is right for every device. */
static void check_measured(struct known *k, const struct sweep_result *r)
{
	double top = 0;

	for (unsigned d = 1; d <= 256; d *= 2)
		top = fmax(top, figures(k, d)->iops);
	cr_assert_geq(r->find[0].peak, 0, "%s", k->params->name);
	expect_near(k->params->name, "the peak",
		    sweep_cell_get(r, (unsigned)r->find[0].peak, 0)->iops, top);
	expect_near(k->params->name, "the mean at depth 1", sweep_cell_get(r, 0, 0)->mean_ns,
		    figures(k, 1)->mean_us * 1e3);
}

static void check_slo(struct known *k, const struct sweep_result *r)
{
	const struct slo_found *s = &r->slo[0];
	double limit = (double)r->spec.slo.limit_ns / 1e3;
	unsigned next = (unsigned)s->load + 1 + (unsigned)s->load / 50;

	cr_assert_eq(s->state, SLO_FOUND, "%s: state %u", k->params->name, s->state);
	cr_expect_lt(figures(k, (unsigned)s->load)->mean_us, limit, "%s", k->params->name);
	cr_expect_geq(figures(k, next)->mean_us, limit * (1 - NEAR), "%s: qd %u is inside, too",
		      k->params->name, next);
}

/* The limit lies where the depth in the middle of the grid has its mean. */
static void sweep_device(struct known *k, bool *fitted)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));
	char words[96];

	snprintf(words, sizeof(words), "qd=1..256 slo=mean<%.3fus cap=600",
		 figures(k, 24)->mean_us);
	rig_init(r, words);
	r->device = device;
	r->device_arg = k;
	r->noise = 0;
	rig_run(r, 200000);
	cr_assert_eq(r->step, SWEEP_DONE, "%s", k->params->name);
	check_measured(k, &r->sw.v.r);
	check_knee(k, &r->sw.v.r);
	*fitted = check_fit(k, &r->sw.v.r);
	check_slo(k, &r->sw.v.r);
	free(r);
}

Test(sweep_sim, what_is_found_is_what_the_model_has)
{
	unsigned n = 0, fits = 0;

	for (; sim_devices[n]; n++) {
		struct known *k = calloc(1, sizeof(*k));
		bool fitted;

		k->params = sim_devices[n];
		sweep_device(k, &fitted);
		fits += fitted;
		free(k);
	}
	cr_expect_geq(n, 30, "the table has shrunk");
	cr_expect_eq(fits, n - 4, "%u of %u devices were fitted", fits, n);
}
