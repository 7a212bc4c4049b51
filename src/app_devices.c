#include "src/app_devices.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/guard.h"
#include "src/dev/signature.h"
#include "src/dev/stack.h"

#define SIGNATURES_MAX 8
#define DEPTH_MAX      16 /* of the tree: a broken sysfs must not make it endless */

/* A device with what is found out besides its own attributes. */
struct row {
	const struct device *d;
	struct guard_report report;
	char sign[SIGNATURES_MAX][SIGNATURE_TEXT];
	int n_sign; /* -errno: could not be read */
};

struct listing {
	const struct devices_opts *opts;
	struct device_list list;
	struct mounts mounts;
	struct row *rows; /* in list order */
};

/* ---- finding out ---- */

static void read_signatures(const struct listing *l, struct row *r)
{
	const struct device *d = r->d;

	r->n_sign = signature_read(l->opts->fsroot, d->name, d->major, d->minor, r->sign,
				   SIGNATURES_MAX);
}

static bool is_shown(const struct listing *l, const struct device *d)
{
	return l->opts->all || d->size_bytes > 0;
}

static int listing_load(struct listing *l, const struct devices_opts *opts, struct err *e)
{
	int rc;

	*l = (struct listing){.opts = opts};
	rc = device_list_load(opts->fsroot, &l->list, e);
	if (rc == 0)
		rc = mounts_load(opts->fsroot, MOUNTS_ALL_NAMESPACES, &l->mounts, e);
	if (rc)
		return rc;
	l->rows = xcalloc(l->list.n + 1, sizeof(*l->rows));
	for (size_t i = 0; i < l->list.n; i++) {
		l->rows[i].d = &l->list.v[i];
		guard_judge(&l->list, &l->mounts, &l->list.v[i], &l->rows[i].report);
		if (is_shown(l, &l->list.v[i]) && l->list.v[i].size_bytes)
			read_signatures(l, &l->rows[i]);
		else
			l->rows[i].n_sign = -ENOMEDIUM;
	}
	return 0;
}

static void listing_fini(struct listing *l)
{
	free(l->rows);
	mounts_fini(&l->mounts);
	device_list_fini(&l->list);
}

/* ---- the table ---- */

enum column {
	COL_NAME,
	COL_KIND,
	COL_SIZE,
	COL_MODEL,
	COL_SERIAL,
	COL_ROTA,
	COL_SECTOR,
	COL_SCHED,
	COL_MOUNT,
	COL_HOLDS,
	COL_WRITE,
	COL_NR
};

static const char *const column_names[COL_NR] = {
	[COL_NAME] = "NAME",     [COL_KIND] = "KIND",         [COL_SIZE] = "SIZE",
	[COL_MODEL] = "MODEL",   [COL_SERIAL] = "SERIAL",     [COL_ROTA] = "ROTA",
	[COL_SECTOR] = "SECTOR", [COL_SCHED] = "SCHED",       [COL_MOUNT] = "MOUNTED",
	[COL_HOLDS] = "HOLDS",   [COL_WRITE] = "A WRITE JOB",
};

struct table {
	char *(*v)[COL_NR];
	size_t n;
};

static char *or_dash(const char *text)
{
	return xstrdup(text[0] ? text : "-");
}

static char *sector_text(const struct device *d)
{
	char l[16] = "-", p[16] = "-";

	if (d->logical_block != DEVICE_UNKNOWN_U32)
		snprintf(l, sizeof(l), "%u", d->logical_block);
	if (d->physical_block != DEVICE_UNKNOWN_U32)
		snprintf(p, sizeof(p), "%u", d->physical_block);
	return xasprintf("%s/%s", l, p);
}

static char *size_text(const struct device *d)
{
	char size[32];

	units_fmt_bytes(size, sizeof(size), (double)d->size_bytes, false);
	return xstrdup(size);
}

static char *mount_text(const struct device *d)
{
	if (d->is_swap)
		return xstrdup("[swap]");
	return or_dash(d->n_mounts ? d->mounts[0] : "");
}

static char *signature_text(const struct row *r)
{
	struct strbuf sb = {0};

	for (int i = 0; i < r->n_sign; i++)
		strbuf_addf(&sb, "%s%s", i ? ", " : "", r->sign[i]);
	if (r->n_sign == 0)
		strbuf_addf(&sb, "no signature");
	return sb.s ? sb.s : xstrdup("-");
}

static char *write_text(const struct row *r)
{
	char text[400];

	guard_text(&r->report, text, sizeof(text));
	switch (r->report.verdict) {
	case GUARD_REFUSE:
		return xasprintf("is refused: %s", text);
	case GUARD_CONFIRM:
		return xstrdup("asks: all data would be lost");
	case GUARD_ALLOW:
		break;
	}
	return xstrdup("is allowed");
}

static void add_row(struct table *t, const struct row *r, unsigned depth)
{
	const struct device *d = r->d;
	char **cell;

	t->v = xrealloc(t->v, (t->n + 1) * sizeof(*t->v));
	cell = t->v[t->n++];
	cell[COL_NAME] =
		xasprintf("%*s%s", (int)depth * 2, "", d->dm_name[0] ? d->dm_name : d->name);
	cell[COL_KIND] = xstrdup(d->is_partition ? "part" : device_kind_word(d->kind));
	cell[COL_SIZE] = size_text(d);
	cell[COL_MODEL] = or_dash(d->is_partition ? "" : d->model);
	cell[COL_SERIAL] = or_dash(d->is_partition ? "" : d->serial);
	cell[COL_ROTA] = xstrdup(d->rotational < 0 ? "-" : d->rotational ? "yes" : "no");
	cell[COL_SECTOR] = sector_text(d);
	cell[COL_SCHED] = or_dash(d->scheduler);
	cell[COL_MOUNT] = mount_text(d);
	cell[COL_HOLDS] = signature_text(r);
	cell[COL_WRITE] = write_text(r);
}

/* A device and, indented, what stands directly on it. What has several below is shown under each. */
static void add_tree(const struct listing *l, struct table *t, size_t at, unsigned depth)
{
	if (is_shown(l, &l->list.v[at]))
		add_row(t, &l->rows[at], depth);
	for (size_t i = 0; depth < DEPTH_MAX && i < l->list.n; i++)
		if (i != at && stack_on(&l->list.v[i], &l->list.v[at]))
			add_tree(l, t, i, depth + 1);
}

static bool is_root(const struct listing *l, size_t at)
{
	for (size_t i = 0; i < l->list.n; i++)
		if (i != at && stack_on(&l->list.v[at], &l->list.v[i]))
			return false;
	return true;
}

static void print_line(struct strbuf *out, char *const *cell, const int *width)
{
	for (int c = 0; c < COL_NR - 1; c++)
		strbuf_addf(out, "%-*s  ", width[c], cell[c]);
	strbuf_addf(out, "%s\n", cell[COL_NR - 1]);
}

static void table_print(const struct table *t, struct strbuf *out)
{
	char *head[COL_NR];
	int width[COL_NR];

	for (int c = 0; c < COL_NR; c++) {
		head[c] = xstrdup(column_names[c]);
		width[c] = (int)strlen(head[c]);
		for (size_t i = 0; i < t->n; i++)
			if ((int)strlen(t->v[i][c]) > width[c])
				width[c] = (int)strlen(t->v[i][c]);
	}
	print_line(out, head, width);
	for (size_t i = 0; i < t->n; i++)
		print_line(out, t->v[i], width);
	for (int c = 0; c < COL_NR; c++)
		free(head[c]);
}

static void print_table(const struct listing *l, struct strbuf *out)
{
	struct table t = {0};

	for (size_t i = 0; i < l->list.n; i++)
		if (is_root(l, i))
			add_tree(l, &t, i, 0);
	table_print(&t, out);
	for (size_t i = 0; i < t.n; i++)
		for (int c = 0; c < COL_NR; c++)
			free(t.v[i][c]);
	free(t.v);
}

/* ---- json: unknown is null ---- */

static void set_text(json_t *o, const char *key, const char *text)
{
	/* Firmware may hold any bytes; what is not UTF-8 is told as unknown. */
	json_t *v = text[0] ? json_string(text) : NULL;

	json_object_set_new(o, key, v ? v : json_null());
}

static void set_flag(json_t *o, const char *key, int flag)
{
	json_object_set_new(o, key, flag < 0 ? json_null() : json_boolean(flag));
}

static void set_u32(json_t *o, const char *key, uint32_t v)
{
	json_object_set_new(o, key, v == DEVICE_UNKNOWN_U32 ? json_null() : json_integer(v));
}

static json_t *names(const char *first, size_t n, size_t size)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, json_string(first + i * size));
	return a;
}

static json_t *writes_json(const struct guard_report *r)
{
	static const char *const words[] = {
		[GUARD_REFUSE] = "refuse", [GUARD_CONFIRM] = "confirm", [GUARD_ALLOW] = "allow"};
	json_t *o = json_object(), *why = json_array();

	set_text(o, "verdict", words[r->verdict]);
	for (size_t i = 0; i < r->n_why; i++)
		if (r->verdict != GUARD_REFUSE || guard_reason_refuses(r->why[i].reason))
			json_array_append_new(why, json_string(r->why[i].text));
	json_object_set_new(o, "reasons", why);
	return o;
}

static json_t *device_json(const struct row *r)
{
	const struct device *d = r->d;
	json_t *o = json_object();

	set_text(o, "name", d->name);
	json_object_set_new(o, "major", json_integer(d->major));
	json_object_set_new(o, "minor", json_integer(d->minor));
	set_text(o, "kind", device_kind_word(d->kind));
	set_flag(o, "partition", d->is_partition);
	set_text(o, "parent", d->parent);
	json_object_set_new(o, "size_bytes", json_integer((json_int_t)d->size_bytes));
	set_text(o, "model", d->model);
	set_text(o, "serial", d->serial);
	set_text(o, "firmware", d->firmware);
	set_text(o, "wwn", d->wwn);
	set_flag(o, "rotational", d->rotational);
	set_u32(o, "logical_block", d->logical_block);
	set_u32(o, "physical_block", d->physical_block);
	set_text(o, "scheduler", d->scheduler);
	json_object_set_new(o, "numa_node",
			    d->numa_node < 0 ? json_null() : json_integer(d->numa_node));
	set_flag(o, "discard", d->discard);
	set_flag(o, "write_cache", d->write_cache);
	set_flag(o, "read_only", d->read_only);
	set_text(o, "dm_name", d->dm_name);
	set_text(o, "backing", d->backing);
	json_object_set_new(o, "holders",
			    names((const char *)d->holders, d->n_holders, sizeof(*d->holders)));
	json_object_set_new(o, "slaves",
			    names((const char *)d->slaves, d->n_slaves, sizeof(*d->slaves)));
	json_object_set_new(o, "mounts",
			    names((const char *)d->mounts, d->n_mounts, sizeof(*d->mounts)));
	set_flag(o, "swap", d->is_swap);
	json_object_set_new(o, "signatures",
			    r->n_sign < 0 ? json_null()
					  : names(r->sign[0], (size_t)r->n_sign, SIGNATURE_TEXT));
	json_object_set_new(o, "writes", writes_json(&r->report));
	return o;
}

static void print_json(const struct listing *l, struct strbuf *out)
{
	json_t *root = json_object(), *list = json_array();
	char *text;

	for (size_t i = 0; i < l->list.n; i++)
		if (is_shown(l, &l->list.v[i]))
			json_array_append_new(list, device_json(&l->rows[i]));
	json_object_set_new(root, "devices", list);
	text = json_dumps(root, JSON_INDENT(2));
	strbuf_addf(out, "%s\n", text ? text : "");
	free(text);
	json_decref(root);
}

/* ---- the command ---- */

int devices_print(const struct devices_opts *opts, struct strbuf *out, struct err *e)
{
	struct listing l;
	int rc = listing_load(&l, opts, e);

	if (rc == 0 && opts->json)
		print_json(&l, out);
	else if (rc == 0)
		print_table(&l, out);
	listing_fini(&l);
	return rc;
}

int app_devices(int argc, char *const *argv)
{
	struct devices_opts opts = {.fsroot = ""};
	struct strbuf out = {0};
	struct err e = {0};
	int rc;

	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			opts.json = true;
		} else if (strcmp(argv[i], "--all") == 0) {
			opts.all = true;
		} else {
			fprintf(stderr, "iodeck: devices: %s: accepted: --json, --all\n", argv[i]);
			return 1;
		}
	}
	rc = devices_print(&opts, &out, &e);
	if (rc)
		fprintf(stderr, "iodeck: %s\n", e.msg);
	else
		fputs(strbuf_str(&out), stdout);
	strbuf_fini(&out);
	return rc ? 1 : 0;
}
