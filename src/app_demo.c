#include "src/app_demo.h"

#include <stddef.h>
#include <string.h>

#define STEPS_MAX 9

struct demo {
	const char *name, *summary;
	const char *a, *b;  /* targets of the lanes */
	const char *start;  /* settings of both lanes */
	const char *only_b; /* and of lane B alone; NULL: the lanes stay linked */
	struct step {
		const char *set; /* NULL: only the caption changes */
		const char *say;
	} steps[STEPS_MAX]; /* say NULL ends */
};

/* A caption stands before its step is measured, so it says what to look at, not what came out. */
static const struct demo demos[] = {
	{
		.name = DEMO_DEFAULT,
		.summary = "a SATA SSD and an NVMe SSD, queue depth 1 to 128",
		.a = "sim:sata",
		.b = "sim:nvme",
		.start = "rw=randread bs=4k iodepth=1 runtime=600",
		.steps =
			{
				{NULL, "depth 1: each I/O waits for the one before. This is the "
				       "latency."},
				{"iodepth=2",
				 "depth 2: two at a time. Both devices have channels to spare."},
				{"iodepth=4", "depth 4: IOPS grow, latency hardly: the flash works "
					      "in parallel."},
				{"iodepth=8",
				 "depth 8: watch the SATA lane bend: its link fills up."},
				{"iodepth=16", "depth 16: SATA is near its cap, NVMe goes on."},
				{"iodepth=32", "depth 32: the 32 tags of SATA are all in use."},
				{"iodepth=64",
				 "depth 64: SATA has no tag left: more depth is more waiting."},
				{"iodepth=128",
				 "depth 128: NVMe still gains; SATA only gets slower."},
			},
	},
	{
		.name = "block-size",
		.summary = "a SATA SSD and an NVMe SSD, blocks of 4 KiB to 1 MiB",
		.a = "sim:sata",
		.b = "sim:nvme",
		.start = "rw=randread bs=4k iodepth=16 runtime=600",
		.steps =
			{
				{NULL, "4 KiB: IOPS count here, not bytes."},
				{"bs=16k", "16 KiB: fewer I/Os, more bytes in each."},
				{"bs=64k",
				 "64 KiB: the SATA link is the limit: IOPS fall as blocks grow."},
				{"bs=256k", "256 KiB: now the links are compared, not the flash."},
				{"bs=1m", "1 MiB: read bytes/s in the table."},
			},
	},
	{
		.name = "hdd-ssd",
		.summary = "a hard disk and a SATA SSD, queue depth 1 to 32",
		.a = "sim:hdd",
		.b = "sim:sata",
		.start = "rw=randread bs=4k iodepth=1 runtime=600",
		.steps =
			{
				{NULL, "depth 1: the disk seeks and turns. y: an axis of its own "
				       "for each."},
				{"iodepth=4",
				 "depth 4: the disk sorts its queue and gains a little."},
				{"iodepth=16", "depth 16: its latency grows as fast as the queue."},
				{"iodepth=32", "depth 32: one arm, whatever the queue."},
				{"rw=read",
				 "sequential: the arm stays, and the disk is a different device."},
			},
	},
	{
		.name = "mixed",
		.summary = "reads alone and reads beside writes on the same NVMe SSD model",
		.a = "sim:nvme?seed=1",
		.b = "sim:nvme?seed=2",
		.start = "rw=randread bs=4k iodepth=16 runtime=600",
		.only_b = "rw=randrw rwmixread=70",
		.steps =
			{
				{NULL,
				 "A only reads. Of B's I/Os three in ten are writes. Look at p99."},
				{"iodepth=32", "B at depth 32: writes get in the way of reads."},
				{"iodepth=64", "B at depth 64: the tail grows first."},
			},
	},
	{
		.name = "flush",
		.summary = "writes, and writes with a flush after each, on the same NVMe SSD model",
		.a = "sim:nvme?seed=1",
		.b = "sim:nvme?seed=2",
		.start = "rw=randwrite bs=4k iodepth=1 runtime=600",
		.only_b = "fsync=1",
		.steps =
			{
				{NULL, "A leaves its writes in the device's cache; B flushes after "
				       "each one."},
				{NULL, "The write itself is as fast; the flush is what a database "
				       "waits for."},
			},
	},
};
#define DEMOS (sizeof(demos) / sizeof(demos[0]))

static const struct demo *find(const char *name)
{
	for (size_t i = 0; i < DEMOS; i++)
		if (strcmp(demos[i].name, name) == 0)
			return &demos[i];
	return NULL;
}

bool app_demo_known(const char *name)
{
	return find(name) != NULL;
}

void app_demo_list(struct strbuf *out)
{
	for (size_t i = 0; i < DEMOS; i++)
		strbuf_addf(out, "%-10s %s\n", demos[i].name, demos[i].summary);
}

void app_demo_script(const char *name, const char *step_seconds, struct strbuf *out)
{
	const struct demo *d = find(name);

	if (!d)
		return;
	strbuf_addf(out, "set %s\n", d->start);
	strbuf_addf(out, "lane A\ndev %s\nlane B\ndev %s\n", d->a, d->b);
	if (d->only_b)
		strbuf_addf(out, "lane-link\nset %s\n", d->only_b);
	strbuf_addf(out, "run\nwait running\n");
	for (const struct step *s = d->steps; s < d->steps + STEPS_MAX && s->say; s++) {
		if (s->set)
			strbuf_addf(out, "set %s\n", s->set);
		strbuf_addf(out, "say %s\nwait %s\n", s->say, step_seconds);
	}
	strbuf_addf(out, "say The demo is over, the run goes on: every key is yours. ? helps.\n");
}
