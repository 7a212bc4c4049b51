#include "src/app_history_list.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/app_history.h"
#include "src/base/clock.h"
#include "src/base/json_put.h"
#include "src/base/units.h"

static const char usage[] =
	"usage: iodeck history [--json] [--state-dir DIR]\n"
	"\n"
	"  The runs that are kept, the newest first.\n"
	"  --json           one document, raw numbers with the unit in the key\n"
	"  --state-dir DIR  those in DIR/runs instead of the home folder's\n";

struct opts {
	const char *state_dir;
	bool json, help;
};

static int parse(int argc, char *const *argv, struct opts *o, struct err *e)
{
	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0)
			o->json = true;
		else if (strcmp(argv[i], "--help") == 0)
			o->help = true;
		else if (strncmp(argv[i], "--state-dir=", 12) == 0)
			o->state_dir = argv[i] + 12;
		else if (strcmp(argv[i], "--state-dir") == 0 && i + 1 < argc)
			o->state_dir = argv[++i];
		else
			return err_set(
				e, EINVAL,
				"history: %.60s: --json, --state-dir DIR or --help is needed",
				argv[i]);
	}
	if (o->state_dir && !*o->state_dir)
		return err_set(e, EINVAL, "history: --state-dir: a folder is needed");
	return 0;
}

/* ---- the table ---- */

static const char *or_dash(const char *text)
{
	return *text ? text : "-";
}

static const char *count_text(double v, char out[32])
{
	if (isnan(v))
		snprintf(out, 32, "-");
	else
		units_fmt_count(out, 32, v);
	return out;
}

static const char *ns_text(const struct archive_entry *en, uint64_t ns, char out[32])
{
	if (en->n)
		units_fmt_ns(out, 32, (double)ns, "u");
	else
		snprintf(out, 32, "-");
	return out;
}

static void print_entry(const struct archive_entry *en)
{
	char when[24], iops[32], bs[32] = "-", p50[32], p99[32], len[32], depth[32] = "-";
	time_t s = (time_t)(en->start_ms / 1000);
	struct tm tm;

	if (en->damaged) {
		printf("%-21s damaged: %s\n", en->id, en->why);
		return;
	}
	localtime_r(&s, &tm);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm);
	units_fmt_clock(len, sizeof(len), en->elapsed_ms * NSEC_PER_MSEC);
	if (en->bs_bytes)
		units_fmt_bytes(bs, sizeof(bs), (double)en->bs_bytes, false);
	if (en->qd)
		snprintf(depth, sizeof(depth), "%ux%u", en->qd, en->jobs);
	printf("%-21s %-16s %-9s %8s %8s %7s %9s %9s %7s  %s  %s%s%s\n", en->id, when,
	       or_dash(en->rw), bs, depth, count_text(en->iops, iops), ns_text(en, en->p50_ns, p50),
	       ns_text(en, en->p99_ns, p99), len, en->target, archive_ended_text(en),
	       en->simulated ? ", SIMULATED" : "", en->tag[0] ? ", " : "");
	if (en->tag[0])
		printf("%23s%s\n", "", en->tag);
}

static void print_table(const struct archive_list *l)
{
	if (l->n == 0) {
		puts("no run is kept yet");
		return;
	}
	printf("%-21s %-16s %-9s %8s %8s %7s %9s %9s %7s  %s\n", "ID", "WHEN", "RW", "BS",
	       "QDxJOBS", "IOPS", "P50", "P99", "LENGTH", "TARGET, ENDED, TAG");
	for (size_t i = 0; i < l->n; i++)
		print_entry(&l->v[i]);
}

/* ---- json ---- */

static void put_known(json_t *o, const char *key, uint64_t v, bool known)
{
	json_object_set_new(o, key, known ? json_make_count(v) : json_null());
}

static json_t *entry_json(const struct archive_entry *en)
{
	json_t *o = json_object();

	json_put_text(o, "id", en->id);
	json_put_bool(o, "damaged", en->damaged);
	json_put_text(o, "why", en->why);
	if (en->damaged)
		return o;
	json_put_count(o, "start_unix_ms", en->start_ms);
	json_put_text(o, "kind", en->kind);
	json_put_text(o, "status", archive_status_words[en->status]);
	json_put_bool(o, "simulated", en->simulated);
	json_put_text(o, "target", en->target);
	json_put_text(o, "device", en->device);
	json_put_text(o, "rw", en->rw);
	json_put_text(o, "engine", en->engine);
	json_put_text(o, "tag", en->tag);
	put_known(o, "bs_bytes", en->bs_bytes, en->bs_bytes);
	put_known(o, "iodepth", en->qd, en->qd);
	put_known(o, "jobs", en->jobs, en->jobs);
	json_put_count(o, "elapsed_ms", en->elapsed_ms);
	json_put_real(o, "iops", en->iops);
	json_put_real(o, "bytes_per_s", en->bps);
	put_known(o, "p50_ns", en->p50_ns, en->n);
	put_known(o, "p99_ns", en->p99_ns, en->n);
	put_known(o, "p99.9_ns", en->p999_ns, en->n);
	put_known(o, "max_ns", en->max_ns, en->n);
	return o;
}

static void print_json(const struct archive_list *l)
{
	json_t *doc = json_object(), *runs = json_array();
	char *dump;

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(runs, entry_json(&l->v[i]));
	json_object_set_new(doc, "runs", runs);
	dump = json_dumps(doc, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	if (dump)
		puts(dump);
	free(dump);
	json_decref(doc);
}

static int list(const struct opts *o, struct err *e)
{
	struct archive *a = app_history_open(NULL, o->state_dir);
	struct archive_list l = {0};
	int rc;

	if (!a)
		return err_set(e, ENOENT, "history: no home folder; give --state-dir DIR");
	rc = a->ops->list(a, &l, e);
	if (rc == 0 && o->json)
		print_json(&l);
	else if (rc == 0)
		print_table(&l);
	archive_list_fini(&l);
	app_history_close(a);
	return rc;
}

int app_history_list(int argc, char *const *argv)
{
	struct opts o = {0};
	struct err e = {0};
	int rc = parse(argc, argv, &o, &e);

	if (rc == 0 && o.help)
		fputs(usage, stdout);
	else if (rc == 0)
		rc = list(&o, &e);
	if (rc < 0)
		fprintf(stderr, "iodeck: %s\n", e.msg);
	return rc < 0;
}
