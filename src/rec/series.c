/* series.csv read back. The columns are those of track_csv(), found by their names. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/rec/record.h"

enum { C_LANE, C_END, C_DUR, C_R, C_W, C_T, C_RB, C_WB, C_TB, C_P50, C_P99, C_MAX, C_NR };

static const char *const names[C_NR] = {
	[C_LANE] = "lane",     [C_END] = "end_ms", [C_DUR] = "duration_ms", [C_R] = "read_ops",
	[C_W] = "write_ops",   [C_T] = "trim_ops", [C_RB] = "read_bytes",   [C_WB] = "write_bytes",
	[C_TB] = "trim_bytes", [C_P50] = "p50_ns", [C_P99] = "p99_ns",      [C_MAX] = "max_ns",
};

#define FIELDS_MAX 64

struct line {
	char *v[FIELDS_MAX];
	int n;
};

/* Cuts the line in place. */
static void split(char *text, struct line *l)
{
	l->n = 0;
	while (l->n < FIELDS_MAX) {
		char *comma = strchr(text, ',');

		l->v[l->n++] = text;
		if (!comma)
			return;
		*comma = '\0';
		text = comma + 1;
	}
}

static int find_columns(struct line *head, int at[C_NR], struct err *e)
{
	for (int c = 0; c < C_NR; c++) {
		at[c] = -1;
		for (int i = 0; i < head->n; i++)
			if (strcmp(head->v[i], names[c]) == 0)
				at[c] = i;
		if (at[c] < 0)
			return err_set(e, EINVAL, "series.csv:1: there is no column %s", names[c]);
	}
	return 0;
}

/* An empty field is an unknown number. */
static bool number(const char *s, double *v)
{
	char *end;

	*v = NAN;
	if (!*s)
		return true;
	*v = strtod(s, &end);
	return *end == '\0' && isfinite(*v) && *v >= 0;
}

static int take_row(struct line *l, const int at[C_NR], struct archive_series *out)
{
	double v[C_NR];
	struct archive_point p;

	for (int c = C_END; c < C_NR; c++)
		if (at[c] >= l->n || !number(l->v[at[c]], &v[c]))
			return -EINVAL;
	if (!(v[C_DUR] > 0) || !(v[C_END] >= 0))
		return -EINVAL;
	p = (struct archive_point){
		.t_ms = (uint64_t)v[C_END],
		.dur_ms = (uint64_t)v[C_DUR],
		.iops = (v[C_R] + v[C_W] + v[C_T]) * 1e3 / v[C_DUR],
		.bps = (v[C_RB] + v[C_WB] + v[C_TB]) * 1e3 / v[C_DUR],
		.p50_ns = v[C_P50],
		.p99_ns = v[C_P99],
		.max_ns = v[C_MAX],
	};
	out->v = xrealloc(out->v, (out->n + 1) * sizeof(*out->v));
	out->v[out->n++] = p;
	return 0;
}

int record_series(const char *text, struct archive_series *out, struct err *e)
{
	char *copy = xstrdup(text), *save = NULL, *s = strtok_r(copy, "\n", &save);
	struct line l;
	int at[C_NR], rc, n = 1;

	*out = (struct archive_series){0};
	l.n = 0;
	if (s)
		split(s, &l);
	rc = find_columns(&l, at, e);
	while (rc == 0 && (s = strtok_r(NULL, "\n", &save))) {
		n++;
		split(s, &l);
		if (at[C_LANE] < l.n && strcmp(l.v[at[C_LANE]], "A") != 0)
			continue;
		rc = take_row(&l, at, out);
		if (rc < 0)
			err_set(e, EINVAL, "series.csv:%d: not a row of numbers", n);
	}
	if (rc < 0)
		archive_series_fini(out);
	free(copy);
	return rc;
}
