/* One point of a throughput curve: the common input of knee and fit. Plain data. */
#ifndef IODECK_STAT_CURVE_H
#define IODECK_STAT_CURVE_H

struct curve_point {
	double n;       /* requests asked to be in flight; ascending along a curve */
	double iops;    /* throughput X; 0: nothing was done */
	double mean_ns; /* response time R */
	double slo_ns;  /* the latency that an SLO looks at; NAN unknown */
};

#endif
