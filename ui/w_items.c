#include "ui/w_items.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "src/base/units.h"

void items_add(struct items *it, enum role role, unsigned attr, const char *fmt, ...)
{
	va_list ap;

	if (it->n == ITEMS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(it->v[it->n].text, sizeof(it->v[0].text), fmt, ap);
	va_end(ap);
	it->v[it->n].role = role;
	it->v[it->n].attr = attr;
	it->n++;
}

void items_add_rate(struct items *it, unsigned fps, bool slow)
{
	items_add(it, slow ? ROLE_WARN : ROLE_TEXT, 0, slow ? "tty %u Hz" : "%u Hz", fps);
}

int items_width(const struct items *it)
{
	int w = it->n ? 2 * (it->n - 1) : 0;

	for (int i = 0; i < it->n; i++)
		w += canvas_width(it->v[i].text);
	return w;
}

int w_items(struct canvas *c, int x, int y, int w, const struct items *it)
{
	int end = x + w;

	for (int i = 0; i < it->n; i++) {
		int gap = i ? 2 : 0;

		if (x + gap + canvas_width(it->v[i].text) > end)
			break;
		x = canvas_text(c, x + gap, y, it->v[i].role, it->v[i].attr, it->v[i].text);
	}
	return x;
}

static void rule(struct canvas *c, int x, int end, int y, int tee_x)
{
	for (; x < end; x++)
		canvas_put(c, x, y, x == tee_x ? c->g->tee_b : c->g->hline, ROLE_BORDER, 0);
}

void w_heading(struct canvas *c, struct rect row, int tee_x, const struct items *it)
{
	int end = row.x + row.w, x = row.x + 2;

	if (row.w < 6) {
		rule(c, row.x, end, row.y, tee_x);
		return;
	}
	rule(c, row.x, x, row.y, tee_x);
	if (it->n) {
		canvas_put(c, x, row.y, ' ', ROLE_BORDER, 0);
		x = w_items(c, x + 1, row.y, row.w - 5, it);
		canvas_put(c, x++, row.y, ' ', ROLE_BORDER, 0);
	}
	rule(c, x, end, row.y, tee_x);
}

static const char *or_none(const struct canvas *c, char *out, double v)
{
	if (isnan(v))
		snprintf(out, NUM_SIZE, "%s", c->g->none);
	return out;
}

const char *show_count(const struct canvas *c, char *out, double n)
{
	units_fmt_count(out, NUM_SIZE, n);
	return or_none(c, out, n);
}

const char *show_ns(const struct canvas *c, char *out, double ns)
{
	units_fmt_ns(out, NUM_SIZE, ns, c->g->micro);
	return or_none(c, out, ns);
}

const char *show_bps(const struct canvas *c, char *out, double bytes_per_s, bool si)
{
	units_fmt_bps(out, NUM_SIZE, bytes_per_s, si);
	return or_none(c, out, bytes_per_s);
}

const char *show_pct(const struct canvas *c, char *out, double pct)
{
	units_fmt_pct(out, NUM_SIZE, pct);
	return or_none(c, out, pct);
}
