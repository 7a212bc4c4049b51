/* THE table of job options. */
#include <stdint.h>

#include "src/base/units.h"
#include "src/spec/job_spec.h"
#include "src/spec/opt_lists.h"
#include "src/spec/rw_spec.h"

#define FIELD(f) offsetof(struct job_spec, f)

/* Longer than any run; keeps sums of durations far from overflow. */
#define TIME_MAX_NS (3650ull * 86400 * UNIT_SEC)

static const struct option_choice kb_choices[] = {
	{"1024", 1024, "k is 1024"},
	{"1000", 1000, "k is 1000"},
	{NULL, 0, NULL},
};

static const struct option_choice bool_choices[] = {
	{"0", 0, "direct=1"},
	{"1", 1, "direct=0"},
	{NULL, 0, NULL},
};

/* Short forms of rows; everything after the help is more designators. */
#define ROW(n, t, f, h, ...)                                                                       \
	{                                                                                          \
		.name = n, .type = t, .offset = FIELD(f), .help = h, __VA_ARGS__                   \
	}
#define FLAG(n, f, h)    ROW(n, OPT_FLAG, f, h, .def = "0")
#define BOOL(n, f, d, h) ROW(n, OPT_BOOL, f, h, .def = d)
#define MSEC(n, f, d, h, ...)                                                                      \
	ROW(n, OPT_TIME, f, h, .def = d, .max = TIME_MAX_NS, .scale = UNIT_MS, .unit = "ms",       \
	    __VA_ARGS__)

#define TIME(n, t_scale, f, d, h)                                                                  \
	ROW(n, OPT_TIME, f, h, .def = d, .max = TIME_MAX_NS, .scale = t_scale,                     \
	    .unit = t_scale == UNIT_SEC ? "s" : "us")
#define TEXT(n, f, ch, what, h)                                                                    \
	ROW(n, OPT_STR, f, h, .check = ch, .choices = ch##_examples, .accepts = what)
#define NO_CHOICE                                                                                  \
	{                                                                                          \
		0                                                                                  \
	}
#define EXAMPLES(ch, ...)                                                                          \
	static const struct option_choice ch##_examples[] = {__VA_ARGS__, NO_CHOICE}

EXAMPLES(startdelay, {"2", 0, NULL}, {"500ms-2s", 0, NULL});
EXAMPLES(nice, {"0", 0, NULL}, {"-5", 0, NULL}, {"19", 0, NULL});
EXAMPLES(steady, {"iops_slope:0.3%", 0, "slope of the IOPS, a second"},
	 {"iops:5%", 0, "the largest distance of the IOPS from their mean"},
	 {"bw:20m", 0, "that of the bandwidth, bytes/s"}, {"bw_slope:1%", 0, NULL});
EXAMPLES(percent, {"100", 0, "all of them"}, {"99.9", 0, NULL});
EXAMPLES(max_latency, {"0", 0, NULL}, {"500", 0, NULL}, {"10ms,20ms", 0, NULL});
EXAMPLES(bssplit_check, {"4k/60:64k/40", 0, NULL}, {"4k/:8k/30,512", 0, NULL});
EXAMPLES(bsrange_check, {"4k-16k", 0, NULL}, {"1k-4k,8k-16k", 0, NULL});
EXAMPLES(distribution_check, {"random", 0, "every block alike"},
	 {"zipf:1.2", 0, "few blocks get most of the I/O"}, {"pareto:0.3", 0, "the same, by h"},
	 {"normal:20", 0, "around the middle, deviation in percent"},
	 {"zoned:60/10:40/90", 0, "access/size of zones, in percent"},
	 {"zoned_abs:60/1m:40/2m", 0, "zones in bytes"});
EXAMPLES(filesize_check, {"64k", 0, NULL}, {"64k-1m", 0, "each file drawn between"});
EXAMPLES(cpus_check, {"0", 0, NULL}, {"0-2,4", 0, NULL});
EXAMPLES(nodes_check, {"0", 0, NULL}, {"0-1", 0, NULL}, {"all", 0, NULL});
EXAMPLES(mem_policy_check, {"default", 0, NULL}, {"local", 0, NULL}, {"bind:0", 0, NULL},
	 {"prefer:0", 0, NULL}, {"interleave:0", 0, NULL});
EXAMPLES(skip_check, {"read", 0, NULL}, {"write,trim,sync", 0, NULL});
EXAMPLES(power, {"0", 0, "as they are"}, {"4096", 0, NULL});
EXAMPLES(ignore_check, {"EIO", 0, NULL}, {"EIO:ENOSPC,5", 0, NULL});

static const struct option_choice generator_choices[] = {
	{"tausworthe", 0, NULL}, {"lfsr", 1, NULL}, {"tausworthe64", 2, NULL}, {NULL, 0, NULL}};

static const struct option_choice fallocate_choices[] = {
	{"native", FALLOC_NATIVE, "fallocate, or the length only where that cannot be had"},
	{"none", FALLOC_NONE, "the file grows as it is written"},
	{"posix", FALLOC_POSIX, "posix_fallocate"},
	{"keep", FALLOC_KEEP, "fallocate, the length stays"},
	{"truncate", FALLOC_TRUNCATE, "the length only"},
	{"0", FALLOC_NONE, NULL},
	{"1", FALLOC_POSIX, NULL},
	{NULL, 0, NULL}};

static const struct option_choice sync_choices[] = {
	{"none", SYNC_NONE, "the cache of the device may hold it"},
	{"sync", SYNC_FULL, "O_SYNC"},
	{"dsync", SYNC_DATA, "O_DSYNC"},
	{"0", SYNC_NONE, NULL},
	{"1", SYNC_FULL, NULL},
	{NULL, 0, NULL}};

static const struct option_choice hint_choices[] = {{"1", HINT_PATTERN, "as the pattern is"},
						    {"0", HINT_NONE, "none"},
						    {"random", HINT_RANDOM, NULL},
						    {"sequential", HINT_SEQUENTIAL, NULL},
						    {NULL, 0, NULL}};

static const struct option_choice service_choices[] = {
	{"roundrobin", 0, "one after the other"},
	{"random", 0, "any"},
	{"sequential", 0, "finish one before the next"},
	{"zipf:1.2", 0, "few files get most of the I/O"},
	{"pareto:0.3", 0, "the same, by h"},
	{"normal:10", 0, "around the middle one, deviation in percent"},
	{"roundrobin:8", 0, "so many I/Os on each"},
	{NULL, 0, NULL}};

static const struct option_choice policy_choices[] = {{"shared", 0, "every clone on all of them"},
						      {"split", 0, "each clone on one of them"},
						      {NULL, 0, NULL}};

static const struct option_choice process_choices[] = {
	{"linear", 0, "evenly"}, {"poisson", 0, "at random, exponential gaps"}, {NULL, 0, NULL}};

static const struct option_choice think_choices[] = {{"complete", 0, "I/Os that are done"},
						     {"issue", 0, "I/Os that are issued"},
						     {NULL, 0, NULL}};

static const struct option_choice mem_choices[] = {
	{"malloc", MEM_MALLOC, "private memory, huge pages where the kernel likes"},
	{"mmap", MEM_MMAP, "the same"},
	{"mmapshared", MEM_MMAPSHARED, "a shared mapping"},
	{"mmaphuge", MEM_MMAPHUGE, "a mapping of huge pages, see vm.nr_hugepages"},
	{"shm", MEM_SHM, "a System V segment"},
	{"shmhuge", MEM_SHMHUGE, "the same of huge pages"},
	{NULL, 0, NULL}};

static const struct option_choice exit_choices[] = {
	{"group", EXIT_GROUP, "the jobs of its report group"},
	{"stonewall", EXIT_STONEWALL, "those running now; the next stage follows"},
	{"all", EXIT_ALL, "everything"},
	{NULL, 0, NULL}};

static const struct option_choice continue_choices[] = {
	{"none", 0, "end the job"},
	{"read", CONTINUE_READ, NULL},
	{"write", CONTINUE_WRITE, NULL},
	{"io", CONTINUE_READ | CONTINUE_WRITE, NULL},
	{"verify", CONTINUE_VERIFY, NULL},
	{"all", CONTINUE_READ | CONTINUE_WRITE | CONTINUE_VERIFY, NULL},
	{"0", 0, NULL},
	{"1", CONTINUE_READ | CONTINUE_WRITE | CONTINUE_VERIFY, NULL},
	{NULL, 0, NULL}};

static const struct option_choice unit_base_choices[] = {
	{"0", 0, "bytes"},
	{"8", 8, "bytes"},
	{"1", 1, "bits"},
	{NULL, 0, NULL},
};

/* Of two words with one value the first is the one printed. */
static const struct option_choice unified_choices[] = {
	{"none", UNIFIED_NONE, "reads, writes and trims apart"},
	{"mixed", UNIFIED_MIXED, "all together"},
	{"both", UNIFIED_BOTH, "apart, then all together"},
	{"0", UNIFIED_NONE, "none"},
	{"1", UNIFIED_MIXED, "mixed"},
	{"2", UNIFIED_BOTH, "both"},
	{NULL, 0, NULL},
};

/*
 * Semantics and defaults are fio 3.33's. Sizes without a max are limited by the target. The order is
 * that of help and forms.
 */
const struct option_def job_options[] = {
	{.name = "name",
	 .type = OPT_STR,
	 .offset = FIELD(name),
	 .help = "Name shown for the job; on the command line it starts a new one."},
	{.name = "description",
	 .type = OPT_STR,
	 .offset = FIELD(description),
	 .help = "Free text shown in the report."},
	{.name = "filename",
	 .type = OPT_STR,
	 .offset = FIELD(filename),
	 .flags = OPT_LATE,
	 .help = "Device or file; several with ':' between, a colon in a name is '\\:'. sim:NAME "
		 "is a "
		 "simulated device and brings ioengine=sim along."},
	{.name = "directory",
	 .type = OPT_STR,
	 .offset = FIELD(directory),
	 .help = "Folder put before every filename; several with ':' go round the clones."},
	{.name = "rw",
	 .alias = "readwrite",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(rw),
	 .choices = rw_choices,
	 .def = "read",
	 .parse = rw_parse,
	 .print = rw_print,
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "Which kinds of I/O, in which order; ':N' adds a step or a random stride."},
	{.name = "bs",
	 .alias = "blocksize",
	 .type = OPT_SIZE3,
	 .offset = FIELD(bs_bytes),
	 .min = 1,
	 .max = 1ull << 30,
	 .def = "4k",
	 .unit = "bytes",
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "Block size of reads,writes,trims."},
	{.name = "size",
	 .type = OPT_AMOUNT,
	 .offset = FIELD(size),
	 .unit = "bytes",
	 .flags = OPT_PCT_OK,
	 .help = "Region each job covers; 0: the whole file or device."},
	{.name = "io_size",
	 .alias = "io_limit",
	 .type = OPT_AMOUNT,
	 .offset = FIELD(io_size),
	 .unit = "bytes",
	 .flags = OPT_PCT_OK,
	 .help = "Bytes to transfer, wrapping within the region; 0: as many as size."},
	{.name = "offset",
	 .alias = "fileoffset",
	 .type = OPT_AMOUNT,
	 .offset = FIELD(offset),
	 .unit = "bytes",
	 .flags = OPT_PCT_OK,
	 .help = "Where the region starts."},
	{.name = "offset_increment",
	 .type = OPT_AMOUNT,
	 .offset = FIELD(offset_increment),
	 .unit = "bytes",
	 .flags = OPT_PCT_OK,
	 .help = "Added to offset once per clone number."},
	ROW("offset_align", OPT_SIZE, offset_align,
	    "Offsets in percent are rounded up to a multiple of it; 0: of the smallest block.",
	    .def = "0", .unit = "bytes"),
	{.name = "number_ios",
	 .type = OPT_U64,
	 .offset = FIELD(number_ios),
	 .def = "0",
	 .help = "Stop after so many I/Os; 0: no limit."},
	{.name = "loops",
	 .type = OPT_U32,
	 .offset = FIELD(loops),
	 .min = 1,
	 .max = 1000000000,
	 .def = "1",
	 .help = "How often the whole job is repeated."},
	{.name = "numjobs",
	 .type = OPT_U32,
	 .offset = FIELD(numjobs),
	 .min = 1,
	 .max = TUNING_JOBS_MAX,
	 .def = "1",
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "Clones of the job that run at the same time."},
	{.name = "ioengine",
	 .type = OPT_STR,
	 .offset = FIELD(ioengine),
	 .def = "psync",
	 .flags = OPT_FORM,
	 .help = "How I/O is issued: psync, libaio, io_uring, null."},
	{.name = "iodepth",
	 .type = OPT_U32,
	 .offset = FIELD(iodepth),
	 .min = 1,
	 .max = TUNING_QD_MAX,
	 .def = "1",
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "I/Os each job keeps in flight."},
	{.name = "iodepth_batch",
	 .alias = "iodepth_batch_submit",
	 .type = OPT_U32,
	 .offset = FIELD(iodepth_batch),
	 .max = INT32_MAX,
	 .def = "1",
	 .help = "I/Os handed over in one call at most; 0 or 1: as many as there are."},
	{.name = "iodepth_batch_complete_min",
	 .alias = "iodepth_batch_complete",
	 .type = OPT_U32,
	 .offset = FIELD(iodepth_batch_complete_min),
	 .max = INT32_MAX,
	 .def = "1",
	 .help = "I/Os to wait for in one call; 0: never wait, only look."},
	{.name = "iodepth_batch_complete_max",
	 .type = OPT_U32,
	 .offset = FIELD(iodepth_batch_complete_max),
	 .max = INT32_MAX,
	 .def = "0",
	 .help = "I/Os to take in one call at most; 0: as many as are done."},
	{.name = "iodepth_low",
	 .type = OPT_U32,
	 .offset = FIELD(iodepth_low),
	 .max = INT32_MAX,
	 .def = "0",
	 .help = "Once full, drain to this depth before filling again; 0: iodepth."},
	{.name = "direct",
	 .type = OPT_BOOL,
	 .offset = FIELD(direct),
	 .def = "0",
	 .flags = OPT_FORM,
	 .help = "1: past the page cache (O_DIRECT)."},
	{.name = "buffered",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(direct),
	 .choices = bool_choices,
	 .parse = buffered_parse,
	 .print = buffered_print,
	 .flags = OPT_MIRROR,
	 .help = "The opposite of direct."},
	{.name = "rwmixread",
	 .type = OPT_U32,
	 .offset = FIELD(rwmixread),
	 .max = 100,
	 .def = "50",
	 .unit = "percent",
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "Share of reads in a mixed job."},
	{.name = "rwmixwrite",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(rwmixread),
	 .max = 100,
	 .unit = "percent",
	 .parse = rwmixwrite_parse,
	 .print = rwmixwrite_print,
	 .flags = OPT_MIRROR,
	 .help = "Share of writes in a mixed job: 100 - rwmixread."},
	{.name = "rate",
	 .type = OPT_SIZE3,
	 .offset = FIELD(rate_bps),
	 .def = "0",
	 .unit = "bytes/s",
	 .flags = OPT_LIVE,
	 .help = "Cap of reads,writes,trims per job; 0: none."},
	{.name = "rate_iops",
	 .type = OPT_U64X3,
	 .offset = FIELD(rate_iops),
	 .def = "0",
	 .unit = "IOPS",
	 .flags = OPT_LIVE | OPT_FORM,
	 .help = "Cap of reads,writes,trims per job; 0: none."},
	{.name = "runtime",
	 .alias = "timeout",
	 .type = OPT_TIME,
	 .offset = FIELD(runtime_ns),
	 .max = TIME_MAX_NS,
	 .scale = UNIT_SEC,
	 .def = "0",
	 .unit = "s",
	 .flags = OPT_FORM,
	 .help = "Time limit; with time_based the duration; 0: none."},
	{.name = "time_based",
	 .type = OPT_FLAG,
	 .offset = FIELD(time_based),
	 .def = "0",
	 .help = "Run for runtime even when the region is done: begin it again."},
	{.name = "ramp_time",
	 .type = OPT_TIME,
	 .offset = FIELD(ramp_ns),
	 .max = TIME_MAX_NS,
	 .scale = UNIT_SEC,
	 .def = "0",
	 .unit = "s",
	 .help = "Run this long before anything is counted."},
	{.name = "startdelay",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(startdelay_ns),
	 .scale = UNIT_SEC,
	 .def = "0",
	 .unit = "s",
	 .accepts = "a time, or two with '-' between: drawn between them",
	 .choices = startdelay_examples,
	 .parse = startdelay_parse,
	 .print = startdelay_print,
	 .help = "Start this long after the others."},
	{.name = "norandommap",
	 .type = OPT_FLAG,
	 .offset = FIELD(norandommap),
	 .def = "0",
	 .help = "Random offsets may repeat before every block was met once."},
	{.name = "randrepeat",
	 .alias = "allrandrepeat",
	 .type = OPT_BOOL,
	 .offset = FIELD(randrepeat),
	 .def = "1",
	 .help = "1: the same random sequence in every run."},
	{.name = "randseed",
	 .type = OPT_U64,
	 .offset = FIELD(randseed),
	 .def = "0",
	 .help = "Seed of the random sequence; 0: as randrepeat says."},
	{.name = "group_reporting",
	 .type = OPT_FLAG,
	 .offset = FIELD(group_reporting),
	 .def = "0",
	 .help = "One report for the clones and jobs of a group."},
	{.name = "new_group",
	 .type = OPT_FLAG,
	 .offset = FIELD(new_group),
	 .def = "0",
	 .help = "Start a new report group."},
	{.name = "stonewall",
	 .alias = "wait_for_previous",
	 .type = OPT_FLAG,
	 .offset = FIELD(stonewall),
	 .def = "0",
	 .help = "Wait for all earlier jobs; starts a new report group."},
	{.name = "thread",
	 .type = OPT_FLAG,
	 .offset = FIELD(thread),
	 .def = "0",
	 .help = "Threads instead of processes; here jobs are always threads."},
	{.name = "invalidate",
	 .type = OPT_BOOL,
	 .offset = FIELD(invalidate),
	 .def = "1",
	 .help = "Drop the page cache of the target before the job starts."},
	{.name = "fsync",
	 .type = OPT_U32,
	 .offset = FIELD(fsync_every),
	 .max = INT32_MAX,
	 .def = "0",
	 .help = "fsync after so many writes; 0: never."},
	{.name = "fdatasync",
	 .type = OPT_U32,
	 .offset = FIELD(fdatasync_every),
	 .max = INT32_MAX,
	 .def = "0",
	 .help = "fdatasync after so many writes; 0: never."},
	{.name = "end_fsync",
	 .type = OPT_BOOL,
	 .offset = FIELD(end_fsync),
	 .def = "0",
	 .help = "fsync once when the job ends; its time counts."},
	{.name = "unlink",
	 .type = OPT_BOOL,
	 .offset = FIELD(unlink),
	 .def = "0",
	 .help = "Delete the job's regular files when it ends."},
	{.name = "kb_base",
	 .type = OPT_ENUM,
	 .offset = FIELD(kb_base),
	 .choices = kb_choices,
	 .def = "1024",
	 .flags = OPT_EARLY,
	 .help = "What k means in sizes: 1024 or 1000."},
#include "src/spec/jobopts_blocks.inc"
#include "src/spec/jobopts_files.inc"
#include "src/spec/jobopts_time.inc"
#include "src/spec/jobopts_report.inc"
#include "src/spec/jobopts_replay.inc"
	{.name = NULL},
};
