#include "src/app_status.h"

#include <math.h>
#include <stdio.h>

#include "src/base/units.h"

#define SIG_FIGS 4

static void add_eta(uint64_t eta_ns, struct strbuf *out)
{
	uint64_t s = (eta_ns + NSEC_PER_SEC / 2) / NSEC_PER_SEC;

	if (eta_ns == UINT64_MAX)
		return;
	strbuf_puts(out, "[eta ");
	if (s >= 86400)
		strbuf_addf(out, "%02llud:", (unsigned long long)(s / 86400));
	if (s >= 3600)
		strbuf_addf(out, "%02lluh:", (unsigned long long)(s / 3600 % 24));
	strbuf_addf(out, "%02llum:%02llus]", (unsigned long long)(s / 60 % 60),
		    (unsigned long long)(s % 60));
}

/* "[r=1024k,w=12 IOPS]": only the directions that move. */
static void add_rates(const double v[IO_OP_NR], unsigned base, const char *unit, const char *tail,
		      struct strbuf *out)
{
	char text[32];
	bool any = false;

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		if (v[op] < 1)
			continue;
		units_fmt_fio(text, sizeof(text), (uint64_t)v[op], SIG_FIGS, base, unit);
		strbuf_addf(out, "%s%c=%s", any ? "," : "[", io_op_name((enum io_op)op)[0], text);
		any = true;
	}
	if (any)
		strbuf_addf(out, "%s]", tail);
}

void status_line(const struct session_progress *p, struct strbuf *out)
{
	if (p->layout) {
		strbuf_addf(out, "Laying out files: %llu of %llu MiB",
			    (unsigned long long)(p->layout_done >> 20),
			    (unsigned long long)(p->layout_total >> 20));
		return;
	}
	strbuf_addf(out, "Jobs: %u (f=%u): [%s]", p->jobs_running, p->jobs_running, p->map);
	if (isnan(p->pct_done))
		strbuf_puts(out, "[-.-%]");
	else
		strbuf_addf(out, "[%.1f%%]", p->pct_done);
	add_rates(p->bps, 1024, "B/s", "", out);
	add_rates(p->iops, 1000, "", " IOPS", out);
	add_eta(p->eta_ns, out);
}
