/*
 * `iodeck help terse|json`. The terse text comes from the table that writes the line; the json text is the
 * table below, and a test walks a whole document to see that both name the same keys.
 */
#include "src/out/help.h"

#include <stdlib.h>
#include <string.h>

#include "src/out/out_terse.h"
#include "src/out/report.h"

const struct json_key json_keys[] = {
	{"fio version", NULL, "name and version of the program"},
	{"timestamp", "s", "end of the run, since 1970"},
	{"timestamp_ms", "ms", "the same"},
	{"time", NULL, "the same, local time in words"},
	{"global options.*", NULL, "options of [global] as written"},
	{"jobs[].jobname", NULL,
	 "name of the job; one entry per job, or per group with group_reporting"},
	{"jobs[].groupid", NULL, "report group"},
	{"jobs[].error", NULL, "errno of the first error, 0"},
	{"jobs[].eta", "s", "time left; 0 at the end"},
	{"jobs[].elapsed", "s", "since the program started, rounded up"},
	{"jobs[].job options.*", NULL, "options of the job as written, without those of [global]"},
	{"jobs[].DIR.io_bytes", "bytes",
	 "transferred; DIR is read, write, trim, or mixed with unified_rw_reporting"},
	{"jobs[].DIR.io_kbytes", "KiB", "the same, truncated"},
	{"jobs[].DIR.bw_bytes", "bytes/s", "io_bytes over runtime, truncated"},
	{"jobs[].DIR.bw", "KiB/s", "the same, truncated"},
	{"jobs[].DIR.iops", "1/s", "total over time: total_ios / runtime"},
	{"jobs[].DIR.runtime", "ms", "run time; of a group: the longest"},
	{"jobs[].DIR.total_ios", NULL, "I/Os completed"},
	{"jobs[].DIR.short_ios", NULL, "I/Os that came in parts"},
	{"jobs[].DIR.drop_ios", NULL, "always 0"},
	{"jobs[].DIR.slat_ns.percentile.*", "ns", "with slat_percentiles: as of clat_ns"},
	{"jobs[].DIR.slat_ns.bins.*", NULL, "json+: as of clat_ns"},
	{"jobs[].DIR.slat_ns.LAT", "ns",
	 "submission: from prepared to handed to the kernel; 0 for synchronous engines"},
	{"jobs[].DIR.clat_ns.LAT", "ns", "completion: from handed to the kernel to returned"},
	{"jobs[].DIR.clat_ns.percentile.*", "ns",
	 "this percentage of the I/Os took at most so long"},
	{"jobs[].DIR.clat_ns.bins.*", NULL,
	 "json+: I/Os per histogram bucket, named by its midpoint in ns"},
	{"jobs[].DIR.lat_ns.percentile.*", "ns", "with lat_percentiles: as of clat_ns"},
	{"jobs[].DIR.lat_ns.bins.*", NULL, "json+: as of clat_ns"},
	{"jobs[].DIR.lat_ns.LAT", "ns", "total: slat + clat"},
	{"jobs[].DIR.bw_min", "KiB/s",
	 "samples of 500 ms, lowest; windows without I/O are not counted"},
	{"jobs[].DIR.bw_max", "KiB/s", "highest"},
	{"jobs[].DIR.bw_agg", "%", "their mean in percent of the group's bandwidth"},
	{"jobs[].DIR.bw_mean", "KiB/s", "mean"},
	{"jobs[].DIR.bw_dev", "KiB/s", "standard deviation"},
	{"jobs[].DIR.bw_samples", NULL, "how many"},
	{"jobs[].DIR.iops_min", "1/s", "samples of 500 ms, lowest"},
	{"jobs[].DIR.iops_max", "1/s", "highest"},
	{"jobs[].DIR.iops_mean", "1/s", "mean of the samples, which leave out windows without I/O"},
	{"jobs[].DIR.iops_stddev", "1/s", "standard deviation"},
	{"jobs[].DIR.iops_samples", NULL, "how many"},
	{"jobs[].sync.total_ios", NULL, "fsyncs and fdatasyncs"},
	{"jobs[].sync.lat_ns.LAT", "ns", "how long they took"},
	{"jobs[].sync.lat_ns.percentile.*", "ns", "as above"},
	{"jobs[].sync.lat_ns.bins.*", NULL, "json+: as above"},
	{"jobs[].job_runtime", "ms", "summed over the jobs of the entry"},
	{"jobs[].usr_cpu", "%", "of one CPU, the average of the jobs"},
	{"jobs[].sys_cpu", "%", "the same, in the kernel"},
	{"jobs[].ctx", NULL, "context switches"},
	{"jobs[].majf", NULL, "major page faults"},
	{"jobs[].minf", NULL, "minor page faults"},
	{"jobs[].iodepth_level.*", "%", "I/Os issued with at least so many in flight"},
	{"jobs[].iodepth_submit.*", "%", "submit calls with at most so many I/Os"},
	{"jobs[].iodepth_complete.*", "%", "completion calls with at most so many I/Os"},
	{"jobs[].latency_ns.*", "%", "I/Os with a completion latency below so many ns"},
	{"jobs[].latency_us.*", "%", "us"},
	{"jobs[].latency_ms.*", "%", "ms"},
	{"jobs[].total_err", NULL, "I/Os that failed; with continue_on_error or ignore_error only"},
	{"jobs[].first_error", NULL, "errno of the first of them, 0; likewise"},
	{"jobs[].latency_depth", NULL,
	 "iodepth asked for; with latency_target the depth it came to"},
	{"jobs[].latency_target", "ns", "of latency_target=; 0: none"},
	{"jobs[].latency_percentile", "%", "of latency_percentile="},
	{"jobs[].latency_window", "us", "of latency_window="},
	{"jobs[].desc", NULL, "the text of description=, when given"},
	{"jobs[].steadystate.ss", NULL,
	 "with steadystate_duration: what had to settle, and how far"},
	{"jobs[].steadystate.duration", "s", "how many figures count, one a second"},
	{"jobs[].steadystate.attained", NULL, "1: it settled, and the job ended by that"},
	{"jobs[].steadystate.criterion", NULL, "what was compared with the limit, with its %"},
	{"jobs[].steadystate.max_deviation", NULL,
	 "largest distance from the mean, IOPS or bytes/s"},
	{"jobs[].steadystate.slope", "1/s", "of the straight line through the figures"},
	{"jobs[].steadystate.data.bw_mean", "bytes/s", "mean of the figures"},
	{"jobs[].steadystate.data.iops_mean", "1/s", "likewise"},
	{"jobs[].steadystate.data.iops", "1/s", "the figures of the last seconds, in order"},
	{"jobs[].steadystate.data.bw", "bytes/s", "likewise"},
	{"jobs[].iodeck.jobs", NULL, "jobs in this entry"},
	{"jobs[].iodeck.failed_jobs", NULL, "of them ended by an error"},
	{"jobs[].iodeck.ioengine", NULL, "engine"},
	{"jobs[].iodeck.sync_engine", NULL, "true: one I/O at a time, whatever iodepth says"},
	{"jobs[].iodeck.simulated", NULL, "the engine only played a device"},
	{"jobs[].iodeck.effective_iodepth", NULL, "depth that was possible"},
	{"jobs[].iodeck.started", NULL, "did it come to its first I/O?"},
	{"jobs[].iodeck.error_text", NULL, "the first error in words"},
	{"jobs[].iodeck.signal", NULL, "signal that ended the run, 0"},
	{"jobs[].iodeck.retries", NULL,
	 "requests sent again because the kernel was busy (EAGAIN, EINTR)"},
	{"jobs[].iodeck.asked_bytes", "bytes",
	 "what size, io_size and loops come to; 0: the run had no such limit"},
	{"jobs[].iodeck.begin_ms", "ms",
	 "since the first job began to count: this one did; null: not yet"},
	{"jobs[].iodeck.end_ms", "ms", "likewise: it ended"},
	{"jobs[].iodeck.usr_us", "us", "CPU time, summed over the jobs"},
	{"jobs[].iodeck.sys_us", "us", "the same, in the kernel"},
	{"jobs[].iodeck.DIR.errors", NULL, "I/Os that failed"},
	{"jobs[].iodeck.DIR.slat_sum_ns", "ns", "exact sum over all I/Os"},
	{"jobs[].iodeck.DIR.clat_sum_ns", "ns", "exact sum"},
	{"jobs[].iodeck.DIR.lat_sum_ns", "ns", "exact sum: the other two together"},
	{"jobs[].iodeck.DIR.lat_percentile_ns.*", "ns", "of the total latency"},
	{"jobs[].iodeck.DIR.windows.n", NULL, "sample windows, those without I/O counted as 0"},
	{"jobs[].iodeck.DIR.windows.empty", NULL, "windows without I/O; summed over the jobs"},
	{"jobs[].iodeck.DIR.windows.bw_min", "KiB/s", "lowest"},
	{"jobs[].iodeck.DIR.windows.bw_max", "KiB/s", "highest"},
	{"jobs[].iodeck.DIR.windows.bw_mean", "KiB/s", "mean"},
	{"jobs[].iodeck.DIR.windows.bw_dev", "KiB/s", "standard deviation"},
	{"jobs[].iodeck.DIR.windows.iops_min", "1/s", "lowest"},
	{"jobs[].iodeck.DIR.windows.iops_max", "1/s", "highest"},
	{"jobs[].iodeck.DIR.windows.iops_mean", "1/s", "mean"},
	{"jobs[].iodeck.DIR.windows.iops_stddev", "1/s", "standard deviation"},
	{"jobs[].iodeck.DIR.schedule_lat_ns.LAT", "ns",
	 "with a rate: from when the I/O was due; a stall counts for all that wait behind it"},
	{"jobs[].iodeck.DIR.schedule_lat_ns.percentile.*", "ns", "as above"},
	{"jobs[].iodeck.latency_search.state", NULL,
	 "with latency_target: met, unfinished, or missed (not even a depth of 1 held)"},
	{"jobs[].iodeck.latency_search.depth_min", NULL,
	 "smallest depth found by a job of the entry"},
	{"jobs[].iodeck.latency_search.depth_max", NULL, "largest"},
	{"jobs[].iodeck.options.*", NULL, "every option as in force, defaults included"},
	{"disk_util[].name", NULL, "disk; [] for engines without one"},
	{"disk_util[].read_ios", NULL, "reads it completed, of everybody"},
	{"disk_util[].write_ios", NULL, "writes"},
	{"disk_util[].read_sectors", "512 B", "read"},
	{"disk_util[].write_sectors", "512 B", "written"},
	{"disk_util[].read_merges", NULL, "reads merged with others"},
	{"disk_util[].write_merges", NULL, "writes"},
	{"disk_util[].read_ticks", "ms", "time spent in reads, summed"},
	{"disk_util[].write_ticks", "ms", "in writes"},
	{"disk_util[].in_queue", "ms", "in both, weighted by how many were waiting"},
	{"disk_util[].util", "%", "of the time with at least one request in the disk"},
	{"disk_util[].aggr_read_ios", NULL, "stacked disks only: the average of the members"},
	{"disk_util[].aggr_write_ios", NULL, ""},
	{"disk_util[].aggr_read_merges", NULL, ""},
	{"disk_util[].aggr_write_merge", NULL, "without its s, as in fio"},
	{"disk_util[].aggr_read_ticks", "ms", ""},
	{"disk_util[].aggr_write_ticks", "ms", ""},
	{"disk_util[].aggr_in_queue", "ms", ""},
	{"disk_util[].aggr_util", "%", "the highest of the members"},
	{NULL, NULL, NULL},
};

static void json_help(struct strbuf *out)
{
	strbuf_puts(
		out,
		"DIR is read, write, trim or mixed. LAT is min, max, mean, stddev and N (how "
		"many).\n"
		"A * stands for keys that are values themselves. Unknown figures are null.\n\n");
	for (const struct json_key *k = json_keys; k->path; k++)
		strbuf_addf(out, "%-38s %-8s%s%s\n", k->path, k->unit ? k->unit : "-",
			    k->help[0] ? " " : "", k->help);
}

bool report_help(const char *format, struct strbuf *out)
{
	unsigned version = TERSE_VERSION;

	if (strcmp(format, "json") == 0 || strcmp(format, "json+") == 0) {
		json_help(out);
		return true;
	}
	if (strncmp(format, "terse", 5) != 0)
		return false;
	format += 5;
	if (*format)
		version = strlen(format) == 1 ? (unsigned)(*format - '0') : 0;
	if (version < TERSE_VERSION_MIN || version > TERSE_VERSION_MAX)
		return false;
	terse_help(version, out);
	return true;
}
