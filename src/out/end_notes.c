#include "src/out/end_notes.h"

#include "src/base/clock.h"
#include "src/base/units.h"

#define CPU_BOUND_PCT     90.0
#define LONG_ENOUGH_MS    500u /* shorter runs say nothing about the CPU */
#define OVERRUN_MS        500u
#define COVERED_SHARE_PCT 99u /* the last blocks may be cut */

static uint64_t clone_ms(const struct job_result *j)
{
	return j->clones ? j->runtime_ms / j->clones : 0;
}

/* The speed is that of the CPU that makes and checks the data, not of the device. */
static void note_cpu(const struct job_result *j, struct strbuf *out)
{
	double pct = j->usr_pct + j->sys_pct;

	if (pct < CPU_BOUND_PCT || clone_ms(j) < LONG_ENOUGH_MS)
		return;
	strbuf_addf(out, "%s: CPU-bound: usr+sys %u %% of one core%s; the host is the limit here\n",
		    j->spec->name, (unsigned)pct, j->clones > 1 ? " for each job" : "");
}

static void note_covered(const struct run_result *r, const struct job_result *j, struct strbuf *out)
{
	uint64_t bytes = 0;
	char done[32], asked[32];

	for (unsigned op = 0; op < IO_OP_NR; op++)
		bytes += j->dir[op].st.bytes;
	if (!j->spec->runtime_ns || !j->asked_bytes || j->error || r->signal ||
	    bytes / COVERED_SHARE_PCT >= j->asked_bytes / 100)
		return;
	units_fmt_bytes(done, sizeof(done), (double)bytes, false);
	units_fmt_bytes(asked, sizeof(asked), (double)j->asked_bytes, false);
	strbuf_addf(out, "%s: the time was over first: covered %s of %s\n", j->spec->name, done,
		    asked);
}

/* A device that did not answer keeps its job beyond the end; the rates are over the time it took. */
static void note_overrun(const struct job_result *j, struct strbuf *out)
{
	char took[32], asked[32];

	if (!j->spec->runtime_ns || clone_ms(j) < j->spec->runtime_ns / NSEC_PER_MSEC + OVERRUN_MS)
		return;
	units_fmt_ns(took, sizeof(took), (double)clone_ms(j) * NSEC_PER_MSEC, "u");
	units_fmt_ns(asked, sizeof(asked), (double)j->spec->runtime_ns, "u");
	strbuf_addf(out, "%s: overran: %s instead of %s, requests came back late\n", j->spec->name,
		    took, asked);
}

static void note_retries(const struct job_result *j, struct strbuf *out)
{
	if (j->retries)
		strbuf_addf(out,
			    "%s: the kernel sent %llu requests back and they were sent again\n",
			    j->spec->name, (unsigned long long)j->retries);
}

void end_notes(const struct run_result *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->n_jobs; i++) {
		note_cpu(&r->jobs[i], out);
		note_overrun(&r->jobs[i], out);
		note_covered(r, &r->jobs[i], out);
		note_retries(&r->jobs[i], out);
	}
}
