#include "src/run/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"

static struct hold *find(const struct hold_list *list, const struct guard_id *id)
{
	for (size_t i = 0; i < list->n; i++)
		if (guard_id_equal(&list->v[i]->id, id))
			return list->v[i];
	return NULL;
}

static struct hold *add(struct hold_list *list, const char *path, const struct guard_id *id,
			struct write_grant *grant)
{
	struct hold *h = xcalloc(1, sizeof(*h));

	*h = (struct hold){.id = *id, .grant = grant, .path = xstrdup(path), .fd = -1};
	list->v = xrealloc(list->v, (list->n + 1) * sizeof(struct hold *));
	list->v[list->n++] = h;
	return h;
}

int hold_agree(struct hold_list *list, int fd, const char *path, const char *fsroot,
	       const struct guard_intent *intent, const struct guard_consent *consent,
	       struct hold **out, struct err *e)
{
	struct guard_report *r;
	struct write_grant *g;
	struct guard_id id;
	int rc = guard_id_of_fd(fd, path, &id, e);

	if (rc)
		return rc;
	/* A taken device must not be looked at again: its own exclusive claim would be in the way. */
	*out = find(list, &id);
	if (*out)
		return 0;
	r = xcalloc(1, sizeof(*r));
	guard_inspect(fd, path, fsroot, intent, r);
	g = guard_grant(r, consent, e);
	guard_id_of(r, &id);
	free(r);
	if (!g)
		return -e->code;
	*out = add(list, path, &id, g);
	return 0;
}

int hold_take(struct hold *h, const char *fsroot, struct err *e)
{
	int rc = 0;

	if (h->fd >= 0)
		return 0;
	h->fd = guard_open(h->grant, h->path, fsroot, 0, e);
	if (h->fd < 0)
		return h->fd;
	h->own = !h->id.is_block && ownfile_is_ours(h->fd, h->path);
	if (h->own)
		rc = ownfile_mark(h->fd, h->path, e);
	if (rc) {
		close(h->fd);
		h->fd = -1;
	}
	return rc;
}

int hold_check(struct hold *h, const char *fsroot, struct err *e)
{
	int rc;

	if (h->broken)
		return err_set(e, ENODEV, "%s: may not be written any more", h->path);
	if (h->fd < 0)
		return 0;
	rc = guard_recheck(h->grant, h->fd, fsroot, e);
	h->broken = rc != 0;
	return rc;
}

int hold_open(const struct hold *h, int flags, struct err *e)
{
	if (h->broken || h->fd < 0)
		return err_set(e, EPERM, "%s: is not held for writing", h->path);
	return guard_reopen(h->grant, h->fd, flags, e);
}

static void release(struct hold *h)
{
	/* Not sealed, it stays ours: no data of anybody is at stake. */
	if (h->fd >= 0 && h->own)
		ownfile_seal(h->fd, h->path, NULL);
	if (h->fd >= 0)
		close(h->fd);
	guard_grant_free(h->grant);
	free(h->path);
	free(h);
}

void holds_release(struct hold_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		release(list->v[i]);
	free(list->v);
	*list = (struct hold_list){0};
}
