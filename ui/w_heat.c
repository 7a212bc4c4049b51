#include "ui/w_heat.h"

#include <stdio.h>

#include "ui/w_items.h"

/* How many bins make a row: each divides a decade, so the edges are the same in all decades. */
static const int steps[] = {1, 2, 4, 5, 10, 20};
#define STEPS (int)(sizeof(steps) / sizeof(steps[0]))

/* The bin that holds the pct-th percent. */
static int bin_at(const uint64_t n[HEAT_BINS], uint64_t total, double pct)
{
	uint64_t sum = 0;

	for (int b = 0; b < HEAT_BINS; b++) {
		sum += n[b];
		if (sum && (double)sum >= pct / 100 * (double)total)
			return b;
	}
	return HEAT_BINS - 1;
}

static int last_bin(const uint64_t n[HEAT_BINS])
{
	int b = HEAT_BINS - 1;

	while (b > 0 && !n[b])
		b--;
	return b;
}

/* The last edge of the step's grid at or below the bin; bin 0 is below the grid. */
static int align(int bin, int step)
{
	return bin < 1 ? 1 : 1 + (bin - 1) / step * step;
}

/* Closed rows of one step from `lo` up, below them one open row. */
struct fit {
	int step, lo, n;
};

static struct fit fit_mass(int a, int b, int rows)
{
	struct fit f = {0};

	for (int i = 0; i < STEPS; i++) {
		f.step = steps[i];
		f.lo = align(a, f.step);
		f.n = (b - f.lo) / f.step + 1;
		if (f.n <= rows)
			break;
	}
	if (f.n > rows)
		f.n = rows;
	/* Rows that are left show what is around it. */
	while (f.n < rows) {
		if (f.n++ % 2 == 0 && f.lo > f.step)
			f.lo -= f.step;
	}
	return f;
}

/* A round edge between two: a decade or half of one where there is such, else the middle. */
static int between(int lo, int hi)
{
	int mid = (lo + hi + 1) / 2;

	for (int step = HEAT_PER_DECADE; step >= HEAT_PER_DECADE / 2; step /= 2) {
		int at = align(mid + step / 2, step);

		if (at > lo && at < hi)
			return at;
	}
	return mid;
}

int heat_rows(const uint64_t n[HEAT_BINS], int rows, int edge[HEAT_ROWS_MAX + 1])
{
	uint64_t total = 0;
	int used = 0, hi = last_bin(n), tail, b, top;
	struct fit f;

	for (int i = 0; i < HEAT_BINS; i++)
		total += n[i];
	b = bin_at(n, total, 99);
	tail = hi <= b ? 0 : rows >= 8 ? 2 : rows >= 4 ? 1 : 0;
	f = fit_mass(bin_at(n, total, 1), b, rows - 1 - tail);
	edge[used++] = 0;
	for (int i = 0; i < f.n && f.lo + i * f.step < HEAT_BINS; i++)
		edge[used++] = f.lo + i * f.step;
	top = f.lo + f.n * f.step;
	if (tail && top < HEAT_BINS)
		edge[used++] = top;
	if (tail == 2 && hi > top + 1)
		edge[used++] = between(top, hi);
	edge[used] = HEAT_BINS;
	return used;
}

int heat_shade(uint64_t part, uint64_t whole)
{
	static const double from[] = {0.005, 0.02, 0.07, 0.15, 0.30, 0.50};
	int shade = 0;

	if (part == 0)
		return -1;
	while (shade < 6 && (double)part >= from[shade] * (double)whole)
		shade++;
	return shade;
}

void heat_label(const struct canvas *c, int bin, char *out, size_t size)
{
	double ns = (double)heat_edge_ns(bin);

	if (ns < 1e6)
		snprintf(out, size, "%g%ss", ns / 1e3, c->g->micro);
	else if (ns < 1e9)
		snprintf(out, size, "%gms", ns / 1e6);
	else
		snprintf(out, size, "%gs", ns / 1e9);
}

static void draw_labels(struct canvas *c, struct rect r, int gutter, const int *edge, int n)
{
	char text[NUM_SIZE], label[NUM_SIZE + 4];

	for (int i = 0; i < n; i++) {
		int y = r.y + r.h - 1 - i;

		heat_label(c, edge[i ? i : 1], text, sizeof(text));
		snprintf(label, sizeof(label), "%s%s",
			 i == 0       ? "< "
			 : i == n - 1 ? "> "
				      : "",
			 text);
		canvas_value(c, r.x, y, gutter - 2, ROLE_TEXT, 0, label);
	}
	for (int y = 0; y < r.h; y++)
		canvas_put(c, r.x + gutter - 1, r.y + y, c->g->vline, ROLE_BORDER, 0);
}

uint64_t heat_below_ns(const struct heat_col *col, double pct)
{
	double want = (double)col->total * pct / 100;
	uint64_t sum = 0;

	for (int b = 0; b + 1 < HEAT_BINS; b++) {
		sum += col->n[b];
		if (sum > 0 && (double)sum >= want)
			return heat_edge_ns(b + 1);
	}
	return UINT64_MAX;
}

void w_heat(struct canvas *c, struct rect r, int gutter, const struct heat_col *cols, int n,
	    int cursor)
{
	uint64_t all[HEAT_BINS] = {0}, any = 0;
	int edge[HEAT_ROWS_MAX + 1], rows;

	for (int i = 0; i < n; i++)
		for (int b = 0; b < HEAT_BINS; b++)
			all[b] += cols[i].n[b];
	for (int b = 0; b < HEAT_BINS; b++)
		any += all[b];
	if (r.h < 2 || !any)
		return;
	rows = heat_rows(all, r.h < HEAT_ROWS_MAX ? r.h : HEAT_ROWS_MAX, edge);
	draw_labels(c, r, gutter, edge, rows);
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < rows; k++) {
			uint64_t part = 0;
			int shade;

			for (int b = edge[k]; b < edge[k + 1]; b++)
				part += cols[i].n[b];
			shade = heat_shade(part, cols[i].total);
			if (shade < 0 && i == cursor)
				canvas_put(c, r.x + gutter + i, r.y + r.h - 1 - k, c->g->vline,
					   ROLE_KEY, 0);
			else if (shade >= 0)
				canvas_put(c, r.x + gutter + i, r.y + r.h - 1 - k,
					   c->g->heat[shade], (enum role)(ROLE_HEAT0 + shade), 0);
		}
	}
}
