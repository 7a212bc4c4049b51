#include "ui/sweep_state.h"

#include <math.h>

static const struct {
	const char *word;
	bool is_time;
} metrics[SWEEP_M_NR] = {
	[SWEEP_M_IOPS] = {"IOPS", false}, [SWEEP_M_BW] = {"MiB/s", false},
	[SWEEP_M_MEAN] = {"mean", true},  [SWEEP_M_P50] = {"p50", true},
	[SWEEP_M_P90] = {"p90", true},    [SWEEP_M_P99] = {"p99", true},
	[SWEEP_M_P999] = {"p99.9", true}, [SWEEP_M_EFFICIENCY] = {"IOPS/request", false},
	[SWEEP_M_CPU] = {"CPU/IO", true}, [SWEEP_M_WRITTEN] = {"GiB written", false},
};

const char *sweep_metric_word(enum sweep_metric m)
{
	return metrics[m].word;
}

bool sweep_metric_is_time(enum sweep_metric m)
{
	return metrics[m].is_time;
}

static double pct_of(const struct sweep_cell *c, unsigned i)
{
	return c->n ? (double)c->pct_ns[i] : (double)NAN;
}

double sweep_metric_value(const struct sweep_cell *c, enum sweep_metric m)
{
	switch (m) {
	case SWEEP_M_IOPS:
		return c->iops;
	case SWEEP_M_BW:
		return c->bps / (1 << 20);
	case SWEEP_M_MEAN:
		return c->mean_ns;
	case SWEEP_M_P50:
	case SWEEP_M_P90:
	case SWEEP_M_P99:
	case SWEEP_M_P999:
		return pct_of(c, (unsigned)(m - SWEEP_M_P50));
	case SWEEP_M_EFFICIENCY:
		return sweep_cell_efficiency(c);
	case SWEEP_M_CPU:
		return c->cpu_ns;
	case SWEEP_M_WRITTEN:
		return (double)c->written_bytes / (1 << 30);
	case SWEEP_M_NR:
		break;
	}
	return NAN;
}

void sweep_state_init(struct sweep_state *s)
{
	*s = (struct sweep_state){0};
	sweep_spec_init(&s->spec);
	sweep_spec_parse(&s->spec, "qd=1..128 bs=4k,16k,64k,256k", NULL);
}

void sweep_state_clamp(struct sweep_state *s, unsigned rows, unsigned cols)
{
	if (s->row >= rows)
		s->row = rows - 1;
	if (s->col >= cols)
		s->col = cols - 1;
}
