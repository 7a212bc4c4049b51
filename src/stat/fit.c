#include "src/stat/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define P_MIN      0.5
#define P_MAX      64.0
#define ROUNDS_MAX 200

const char *fit_form_word(enum fit_form form)
{
	static const char *const words[] = {
		[FIT_NONE] = "none", [FIT_ASYMPTOTE] = "asymptotes", [FIT_USL] = "USL"};

	return words[form];
}

double fit_iops(const struct fit *f, double n)
{
	switch (f->form) {
	case FIT_ASYMPTOTE: {
		double low = n / f->a * 1e9, ratio = low / f->b;

		return low / pow(1 + pow(ratio, f->c), 1 / f->c);
	}
	case FIT_USL:
		return f->a * n / (1 + f->b * (n - 1) + f->c * n * (n - 1));
	default:
		return NAN;
	}
}

double fit_little_off_pct(const struct curve_point *p)
{
	return fabs(p->iops * p->mean_ns / 1e9 - p->n) / p->n * 100;
}

/* Sum of squared logarithms of model over measured: relative errors, the same up and down. */
static double error_of(const struct fit *f, const struct curve_point *p, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		double d = log(fit_iops(f, p[i].n) / p[i].iops);

		sum += d * d;
	}
	return isfinite(sum) ? sum : INFINITY;
}

/* -- linear systems of three ------------------------------------------------------------------ */

/* Gauss with pivoting over the first k unknowns; false: singular. */
static bool solve(double m[3][4], unsigned k)
{
	for (unsigned col = 0; col < k; col++) {
		unsigned best = col;

		for (unsigned r = col + 1; r < k; r++)
			if (fabs(m[r][col]) > fabs(m[best][col]))
				best = r;
		if (fabs(m[best][col]) < 1e-300)
			return false;
		for (unsigned j = 0; j <= 3; j++) {
			double t = m[col][j];

			m[col][j] = m[best][j];
			m[best][j] = t;
		}
		for (unsigned r = 0; r < k; r++) {
			double by = m[r][col] / m[col][col];

			for (unsigned j = 0; r != col && j <= 3; j++)
				m[r][j] -= by * m[col][j];
		}
	}
	for (unsigned r = 0; r < k; r++)
		m[r][3] /= m[r][r];
	return true;
}

/* -- USL: linear least squares, negative coefficients left out -------------------------------- */

/* Regressors of N/X = (1/l) (1 + s (N-1) + k N (N-1)); `use` is a bit set of them. */
static bool usl_solve(const struct curve_point *p, unsigned n, unsigned use, double out[3])
{
	double m[3][4] = {{0}};
	unsigned at[3] = {0}, k = 0;

	for (unsigned j = 0; j < 3; j++)
		if (use & (1u << j))
			at[k++] = j;
	for (unsigned i = 0; i < n; i++) {
		double y = p[i].n / p[i].iops;
		double x[3] = {1 / y, (p[i].n - 1) / y, p[i].n * (p[i].n - 1) / y};

		for (unsigned r = 0; r < k; r++) {
			for (unsigned c = 0; c < k; c++)
				m[r][c] += x[at[r]] * x[at[c]];
			m[r][3] += x[at[r]];
		}
	}
	if (!solve(m, k))
		return false;
	memset(out, 0, 3 * sizeof(*out));
	for (unsigned r = 0; r < k; r++)
		out[at[r]] = m[r][3];
	return true;
}

/* All sets of coefficients with none negative; the best of them. */
static double fit_usl(const struct curve_point *p, unsigned n, struct fit *best)
{
	double best_error = INFINITY;

	for (unsigned use = 1; use < 8; use += 2) {
		struct fit f = {.form = FIT_USL};
		double v[3], error;

		if (!usl_solve(p, n, use, v) || v[0] <= 0 || v[1] < 0 || v[2] < 0)
			continue;
		f.a = 1 / v[0];
		f.b = v[1] / v[0];
		f.c = v[2] / v[0];
		error = error_of(&f, p, n);
		if (error < best_error) {
			best_error = error;
			*best = f;
		}
	}
	return best_error;
}

/* -- asymptotes: Levenberg and Marquardt in the logarithms of R1, Xmax and p ------------------- */

static struct fit asymptote_of(const double v[3])
{
	return (struct fit){.form = FIT_ASYMPTOTE, .a = exp(v[0]), .b = exp(v[1]), .c = exp(v[2])};
}

static double asymptote_error(const double v[3], const struct curve_point *p, unsigned n)
{
	struct fit f = asymptote_of(v);

	if (f.c < P_MIN || f.c > P_MAX)
		return INFINITY;
	return error_of(&f, p, n);
}

/* Normal equations of one step; derivatives by central differences. */
static void normal_equations(const double v[3], const struct curve_point *p, unsigned n,
			     double m[3][4])
{
	const double h = 1e-5;

	memset(m, 0, 3 * sizeof(m[0]));
	for (unsigned i = 0; i < n; i++) {
		struct fit f = asymptote_of(v);
		double d[3], r = log(p[i].iops / fit_iops(&f, p[i].n));

		for (unsigned j = 0; j < 3; j++) {
			double up[3] = {v[0], v[1], v[2]}, down[3] = {v[0], v[1], v[2]};
			struct fit fu, fd;

			up[j] += h;
			down[j] -= h;
			fu = asymptote_of(up);
			fd = asymptote_of(down);
			d[j] = log(fit_iops(&fu, p[i].n) / fit_iops(&fd, p[i].n)) / (2 * h);
		}
		for (unsigned a = 0; a < 3; a++) {
			for (unsigned b = 0; b < 3; b++)
				m[a][b] += d[a] * d[b];
			m[a][3] += d[a] * r;
		}
	}
}

static double descend(double v[3], const struct curve_point *p, unsigned n)
{
	double error = asymptote_error(v, p, n), damp = 1e-3;

	for (unsigned round = 0; round < ROUNDS_MAX && damp < 1e12; round++) {
		double m[3][4], next[3], next_error;

		normal_equations(v, p, n, m);
		for (unsigned j = 0; j < 3; j++)
			m[j][j] += damp * (m[j][j] + 1e-9);
		if (!solve(m, 3)) {
			damp *= 10;
			continue;
		}
		for (unsigned j = 0; j < 3; j++)
			next[j] = v[j] + m[j][3];
		next_error = asymptote_error(next, p, n);
		if (!(next_error < error)) {
			damp *= 10;
			continue;
		}
		memcpy(v, next, sizeof(next));
		damp = damp > 1e-9 ? damp / 10 : damp;
		if (error - next_error < 1e-14)
			return next_error;
		error = next_error;
	}
	return error;
}

static double fit_asymptote(const struct curve_point *p, unsigned n, struct fit *best)
{
	static const double starts[] = {1, 3, 10, 30};
	double best_error = INFINITY, top = p[0].iops;

	for (unsigned i = 0; i < n; i++)
		top = fmax(top, p[i].iops);
	for (unsigned s = 0; s < sizeof(starts) / sizeof(starts[0]); s++) {
		double v[3] = {log(p[0].n / p[0].iops * 1e9), log(top), log(starts[s])};
		double error = descend(v, p, n);

		if (error < best_error) {
			best_error = error;
			*best = asymptote_of(v);
		}
	}
	return best_error;
}

/* -- the whole -------------------------------------------------------------------------------- */

static void peak(struct fit *f)
{
	f->r0_ns = 1e9 / fit_iops(f, 1);
	if (f->form == FIT_ASYMPTOTE)
		f->xmax = f->b;
	else if (f->c > 0)
		f->xmax = fit_iops(f, f->b < 1 ? fmax(1, sqrt((1 - f->b) / f->c)) : 1);
	else
		f->xmax = f->b > 0 ? f->a / f->b : INFINITY;
	f->nstar = f->xmax * f->r0_ns / 1e9;
}

/* Rising up to the peak in both forms, so bisection finds the only crossing. */
static double depth_of(const struct fit *f, double iops)
{
	double lo = 1, hi = 2;

	if (fit_iops(f, 1) >= iops)
		return 1;
	while (fit_iops(f, hi) < iops && hi < 1e6)
		hi *= 2;
	if (f->form == FIT_USL && f->c > 0)
		hi = fmin(hi, sqrt((1 - f->b) / f->c));
	for (unsigned i = 0; i < 60; i++) {
		double mid = (lo + hi) / 2;

		if (fit_iops(f, mid) < iops)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

static void refuse(struct fit *f, const char *why)
{
	f->form = FIT_NONE;
	snprintf(f->why, sizeof(f->why), "%s", why);
}

/* Growth from one point to the next, as if the depth had doubled: 1.0 none, 2.0 in proportion. */
static double growth(const struct curve_point *from)
{
	return pow(from[1].iops / from[0].iops, log(2) / log(from[1].n / from[0].n));
}

/* Flat (no noise, no dip), and later more than that by an eighth: the depth makes the servers faster. */
#define FLAT_LO     0.97
#define FLAT_HI     1.06
#define GROWS_LATER 1.125

static bool grows_after_flat(const struct curve_point *p, unsigned n, struct fit *f)
{
	for (unsigned i = 0; i + 1 < n; i++) {
		double g = growth(&p[i]), top = 0;

		for (unsigned k = i + 1; k < n; k++)
			top = fmax(top, p[k].iops);
		if (g < FLAT_LO || g > FLAT_HI || top < GROWS_LATER * p[i + 1].iops)
			continue;
		refuse(f, "");
		snprintf(f->why, sizeof(f->why),
			 "flat at depth %.0f, then +%.0f %%: the queue is sorted, and servers get "
			 "faster with it",
			 p[i + 1].n, (top / p[i + 1].iops - 1) * 100);
		return true;
	}
	return false;
}

static bool still_grows(const struct curve_point *p, unsigned n, struct fit *f)
{
	if (growth(&p[n - 2]) < 1 + FIT_GROWS_PCT / 100)
		return false;
	refuse(f, "");
	snprintf(f->why, sizeof(f->why),
		 "no saturation up to depth %.0f: the peak would be a guess", p[n - 1].n);
	return true;
}

static bool points_are_sound(const struct curve_point *p, unsigned n, struct fit *f)
{
	char why[96];

	f->points = n;
	if (n < FIT_MIN_POINTS) {
		snprintf(why, sizeof(why), "%u cells with throughput, %u are needed", n,
			 FIT_MIN_POINTS);
		refuse(f, why);
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		double off = fit_little_off_pct(&p[i]);

		if (!(off <= FIT_LITTLE_PCT)) {
			snprintf(why, sizeof(why),
				 "N = X R is off by %.1f %% at depth %.0f: so many are not in "
				 "flight",
				 off, p[i].n);
			refuse(f, why);
			return false;
		}
	}
	return !grows_after_flat(p, n, f) && !still_grows(p, n, f);
}

static bool host_slept(const struct curve_point *p, unsigned n)
{
	return n > FIT_MIN_POINTS && p[0].n == 1 &&
	       p[0].iops < p[1].iops / p[1].n * (1 - FIT_ASLEEP_PCT / 100);
}

static void judge(const struct curve_point *p, unsigned n, struct fit *f)
{
	char why[96];

	if (!(f->residual_pct <= FIT_RESIDUAL_PCT)) {
		snprintf(why, sizeof(why), "residual %.1f %%, the curve has another form",
			 f->residual_pct);
		refuse(f, why);
	} else if (!(f->nstar <= p[n - 1].n)) {
		snprintf(why, sizeof(why),
			 "no saturation up to depth %.0f: the peak would be a guess", p[n - 1].n);
		refuse(f, why);
	}
}

void fit_curve(const struct curve_point *all, unsigned n_all, struct fit *f)
{
	struct curve_point p[FIT_MAX_POINTS];
	struct fit usl = {0}, asym = {0};
	double usl_error, asym_error;
	unsigned n = 0, first;

	for (unsigned i = 0; i < n_all && n < FIT_MAX_POINTS; i++)
		if (all[i].iops > 0 && all[i].n > 0)
			p[n++] = all[i];
	*f = (struct fit){.residual_pct = NAN};
	if (!points_are_sound(p, n, f))
		return;
	first = host_slept(p, n);
	usl_error = fit_usl(p + first, n - first, &usl);
	asym_error = fit_asymptote(p + first, n - first, &asym);
	*f = usl_error < asym_error ? usl : asym;
	f->without_one = first;
	f->points = n - first;
	f->residual_pct = 100 * sqrt(fmin(usl_error, asym_error) / f->points);
	peak(f);
	/* One request alone is a fact, where it was measured; hosts that fall asleep make it slower. */
	if (p[0].n == 1) {
		f->r0_ns = p[0].mean_ns;
		f->nstar = f->xmax * f->r0_ns / 1e9;
	}
	f->n90 = depth_of(f, 0.9 * f->xmax);
	judge(p, n, f);
}
