#include "engines/ownpos.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_again(int fd)
{
	char path[40];
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path,
		    (flags & (O_ACCMODE | O_DIRECT | O_SYNC | O_DSYNC | O_NOATIME)) | O_CLOEXEC);
}

static int open_files(struct ownpos_engine *s, const struct engine_env *env, const char *name,
		      struct err *e)
{
	s->file = calloc(env->n_fds + 1, sizeof(*s->file));
	if (!s->file || fdmap_init(&s->map, env))
		return err_set(e, ENOMEM, "%s: no memory for %u files", name, env->n_fds);
	for (uint32_t i = 0; i < env->n_fds; i++) {
		s->file[i].fd = open_again(env->fds[i]);
		if (s->file[i].fd < 0)
			return err_set(e, errno, "%s: opening file %u of %u again: %s", name, i + 1,
				       env->n_fds, strerror(errno));
		s->n_files++;
	}
	return 0;
}

int ownpos_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	int r = sync_open(eng, env, sizeof(struct ownpos_engine), e);

	if (r == 0) {
		r = open_files(eng->priv, env, eng->ops->name, e);
		if (r < 0)
			ownpos_close(eng);
	}
	return r;
}

void ownpos_close(struct engine *eng)
{
	struct ownpos_engine *s = eng->priv;

	for (uint32_t i = 0; i < s->n_files; i++)
		close(s->file[i].fd);
	free(s->file);
	fdmap_fini(&s->map);
	sync_close(eng);
}

struct ownpos_file *ownpos_seek(struct ownpos_engine *s, const struct io_slot *io)
{
	int32_t i = fdmap_find(&s->map, io->fd);
	struct ownpos_file *f;

	if (i < 0) {
		errno = EBADF;
		return NULL;
	}
	f = &s->file[i];
	if (f->at != (off_t)io->offset) {
		f->at = lseek(f->fd, (off_t)io->offset, SEEK_SET);
		if (f->at < 0)
			return NULL;
	}
	return f;
}
