#include "src/app_sweep_line.h"

#include <stdio.h>

#include "src/base/units.h"
#include "src/stat/sweep_text.h"

static void at_work(const struct sweep_view *v, char *out, size_t size)
{
	char row[48], col[48];

	sweep_row_text(&v->r, v->row, row, sizeof(row));
	sweep_col_text(&v->r, v->col, col, sizeof(col));
	if (v->probing)
		snprintf(row, sizeof(row), "SLO search: %s %llu", sweep_kind_word(v->r.spec.row),
			 (unsigned long long)v->load);
	snprintf(out, size, "%s%s%s", row, col[0] ? " " : "", col);
}

void app_sweep_line(const struct sweep_view *v, struct strbuf *out)
{
	static const char *const phases[] = {"",        "settling", "ramp", "measuring",
					     "stopped", "failed",   "done"};
	char what[128], iops[32], ci[32], left[32];

	at_work(v, what, sizeof(what));
	units_fmt_count(iops, sizeof(iops), v->now.iops);
	units_fmt_pct(ci, sizeof(ci), v->now.ci_pct);
	strbuf_addf(out, "%u/%u  %s: %s%s", v->total - v->todo, v->total, what,
		    v->paused ? "paused, " : "", phases[v->phase]);
	if (v->phase == SWEEP_MEASURE)
		strbuf_addf(out, ", %s IOPS +-%s %%", iops, ci);
	if (v->eta_ns == UINT64_MAX)
		return;
	units_fmt_clock(left, sizeof(left), v->eta_ns);
	strbuf_addf(out, "   left %s", left);
}
