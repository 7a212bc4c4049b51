/* The guard's verdict on a device, from the device list and the mounts: who else has its blocks? */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/dev/guard.h"
#include "src/dev/guard_report.h"
#include "src/dev/stack.h"

#define SERIAL_TAIL 4

/* --- the report --- */

bool guard_reason_refuses(enum guard_reason reason)
{
	return reason < GUARD_DEVICE;
}

void guard_add(struct guard_report *r, enum guard_reason reason, const char *fmt, ...)
{
	struct guard_why *why = &r->why[r->n_why];
	va_list ap;

	if (guard_reason_refuses(reason))
		r->verdict = GUARD_REFUSE;
	else if (r->verdict == GUARD_ALLOW)
		r->verdict = GUARD_CONFIRM;
	if (r->n_why == GUARD_WHY_MAX) {
		r->n_more++;
		return;
	}
	why->reason = reason;
	va_start(ap, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);
	r->n_why++;
}

bool guard_has_reason(const struct guard_report *r, enum guard_reason reason)
{
	for (size_t i = 0; i < r->n_why; i++)
		if (r->why[i].reason == reason)
			return true;
	return false;
}

void guard_text(const struct guard_report *r, char *out, size_t size)
{
	bool refused = r->verdict == GUARD_REFUSE;
	size_t len = 0;

	if (size)
		out[0] = '\0';
	for (size_t i = 0; i < r->n_why && len + 1 < size; i++) {
		int n;

		if (refused && !guard_reason_refuses(r->why[i].reason))
			continue;
		n = snprintf(out + len, size - len, "%s%s", len ? "; " : "", r->why[i].text);
		len += n > 0 ? (size_t)n : 0;
	}
}

/* --- who shares blocks with d --- */

struct judge {
	const struct device_list *list;
	const struct mounts *mounts;
	const struct device *d;
	struct guard_report *r;
	bool *shares; /* in list order: d and all that has some of its blocks */
};

static bool ranges_meet(const struct device *a, const struct device *b)
{
	return a->start_bytes < b->start_bytes + b->size_bytes &&
	       b->start_bytes < a->start_bytes + a->size_bytes;
}

/*
 * Does `x` share blocks with `y` because of what both lie on? A loop device is its backing device under
 * another name. A partition shares with everything on its disk but its siblings, unless their ranges
 * meet (a BSD slice, a broken table).
 */
static bool shares_below(const struct device_list *list, const struct device *x,
			 const struct device *y)
{
	if (y->kind == DEV_LOOP && !y->is_partition && stack_on(y, x))
		return true;
	if (!stack_is_partition(y))
		return false;
	if (stack_on(y, x))
		return true;
	for (size_t i = 0; i < list->n; i++) {
		const struct device *disk = &list->v[i];

		if (!stack_on(y, disk) || !stack_on(x, disk))
			continue;
		if (!stack_is_partition(x))
			return true;
		return x->is_partition && y->is_partition && ranges_meet(x, y);
	}
	return false;
}

/*
 * d and all above it, and what shares with it from below. The disk of a partition is in the set for
 * its own sake (is it mounted?), but what stands on other parts of the disk is not.
 */
static void find_sharers(struct judge *j)
{
	const struct device_list *list = j->list;
	bool *disk_only = xcalloc(list->n, sizeof(*disk_only)), added;

	stack_above(list, j->d, j->shares);
	do {
		added = false;
		for (size_t from = 0; from < list->n; from++)
			for (size_t to = 0; j->shares[from] && !disk_only[from] && to < list->n;
			     to++) {
				const struct device *x = &list->v[to], *y = &list->v[from];

				if (j->shares[to] || !shares_below(list, x, y))
					continue;
				if (stack_is_partition(y) && stack_on(y, x))
					j->shares[to] = disk_only[to] = true;
				else
					stack_above(list, x, j->shares);
				added = true;
			}
	} while (added);
	free(disk_only);
}

/* --- what they are used for --- */

static const char *shown_name(const struct device *d)
{
	return d->dm_name[0] ? d->dm_name : d->name;
}

static void judge_mounts(struct judge *j, const struct device *x)
{
	const struct mount_row *row;

	for (size_t i = 0; (row = mounts_find(j->mounts, x->major, x->minor, i)); i++)
		guard_add(j->r, GUARD_MOUNTED, "%s is mounted at %.96s%s%.16s%s", shown_name(x),
			  row->target, row->fstype[0] ? " (" : "", row->fstype,
			  row->fstype[0] ? ")" : "");
	if (mounts_find_swap(j->mounts, x->major, x->minor))
		guard_add(j->r, GUARD_SWAP, "%s is in use as swap", shown_name(x));
}

/* Everything but a partition claims what it stands on. */
static void judge_holders(struct judge *j, const struct device *lower)
{
	for (size_t i = 0; i < j->list->n; i++) {
		const struct device *x = &j->list->v[i];

		if (j->shares[i] && x != j->d && !stack_is_partition(x) && stack_on(x, lower))
			guard_add(j->r, GUARD_HELD, "%s (%s) is built on %s", shown_name(x),
				  device_kind_word(x->kind), shown_name(lower));
	}
	/* A holder that has no device number of its own (bcache's set, a driver's) still holds. */
	for (size_t i = 0; i < lower->n_holders; i++)
		if (!device_find_name(j->list, lower->holders[i]))
			guard_add(j->r, GUARD_HELD, "%s holds %s", lower->holders[i],
				  shown_name(lower));
}

/*
 * The disks below / and /boot with all their partitions, even unused ones: a boot loader's partition
 * is mounted nowhere and has no signature. What is mapped from these disks on purpose (another
 * logical volume) is not the disk.
 */
static void judge_system_disk(struct judge *j)
{
	bool *set = xcalloc(j->list->n, sizeof(*set));

	for (size_t i = 0; i < j->mounts->n; i++) {
		const struct mount_row *row = &j->mounts->v[i];
		const struct device *root = device_find_dev(j->list, row->major, row->minor);

		if (!row->is_system || !root)
			continue;
		memset(set, 0, j->list->n * sizeof(*set));
		stack_below(j->list, root, set);
		stack_add_partitions(j->list, set);
		if (!set[j->d - j->list->v])
			continue;
		guard_add(j->r, GUARD_SYSTEM_DISK, "%s is on the disk that carries %s",
			  shown_name(j->d), row->target);
		break;
	}
	free(set);
}

static void judge_itself(struct judge *j)
{
	const struct device *d = j->d;
	const struct device *disk = d->is_partition ? device_find_name(j->list, d->parent) : NULL;

	if (d->read_only == 1 || (disk && disk->read_only == 1))
		guard_add(j->r, GUARD_READ_ONLY, "%s is read-only", shown_name(d));
	if (d->size_bytes == 0)
		guard_add(j->r, GUARD_EMPTY, "%s has size 0 (no medium, or detached)",
			  shown_name(d));
}

static void fmt_size(char out[24], uint64_t bytes)
{
	static const char units[] = "BKMGTP";
	size_t u = 0;

	for (; bytes >= 1024 && u + 2 < sizeof(units); u++)
		bytes /= 1024;
	snprintf(out, 24, "%llu%c", (unsigned long long)bytes, units[u]);
}

/* Name and the last serial characters; without a serial name and size. */
static void make_phrase(const struct device *d, struct guard_report *r)
{
	size_t len = strlen(d->serial);
	char size[24];

	fmt_size(size, d->size_bytes);
	snprintf(r->phrase, sizeof(r->phrase), "%s %s", r->name,
		 len >= SERIAL_TAIL ? d->serial + len - SERIAL_TAIL : size);
	guard_add(r, GUARD_DEVICE, "everything on %s would be destroyed (%s%s%.60s%s%.60s)",
		  r->name, size, d->model[0] ? ", " : "", d->model, d->serial[0] ? ", serial " : "",
		  d->serial);
}

enum guard_verdict guard_judge(const struct device_list *list, const struct mounts *mounts,
			       const struct device *d, struct guard_report *r)
{
	struct judge j = {.list = list, .mounts = mounts, .d = d, .r = r};

	memset(r, 0, sizeof(*r));
	r->verdict = GUARD_ALLOW;
	r->is_block = true;
	r->major = d->major;
	r->minor = d->minor;
	r->size_bytes = d->size_bytes;
	snprintf(r->name, sizeof(r->name), "%s", shown_name(d));
	j.shares = xcalloc(list->n, sizeof(*j.shares));
	find_sharers(&j);
	judge_itself(&j);
	judge_system_disk(&j);
	for (size_t i = 0; i < list->n; i++)
		if (j.shares[i]) {
			judge_mounts(&j, &list->v[i]);
			judge_holders(&j, &list->v[i]);
		}
	free(j.shares);
	make_phrase(d, r);
	if (r->verdict == GUARD_REFUSE)
		r->phrase[0] = '\0';
	return r->verdict;
}
