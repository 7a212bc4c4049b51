#include "src/spec/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"

#define STDIN_MAX_BYTES (16u << 20)

static const char utf8_bom[] = "\xef\xbb\xbf";

static struct source *push(struct source_stack *st, const char *name)
{
	struct source *s = &st->v[st->depth++];

	*s = (struct source){.name = xstrdup(name)};
	return s;
}

static void pop(struct source_stack *st)
{
	struct source *s = &st->v[--st->depth];

	free(s->name);
	strbuf_fini(&s->text);
}

void source_fini(struct source_stack *st)
{
	while (st->depth)
		pop(st);
}

const struct source *source_top(const struct source_stack *st)
{
	return &st->v[st->depth ? st->depth - 1 : 0];
}

static void skip_bom(struct source *s)
{
	if (strncmp(strbuf_str(&s->text), utf8_bom, 3) == 0)
		s->pos = 3;
}

void source_push_text(struct source_stack *st, const char *name, const char *text, size_t len)
{
	struct source *s = push(st, name);

	if (len)
		strbuf_add(&s->text, text, len);
	skip_bom(s);
}

static int read_stdin(struct strbuf *out)
{
	char chunk[8192];
	ssize_t n;

	while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (out->len + (size_t)n > STDIN_MAX_BYTES)
			return -EFBIG;
		strbuf_add(out, chunk, (size_t)n);
	}
	return 0;
}

static int read_source(struct source_stack *st, const char *path, const struct stat *sb,
		       struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct source *s = push(st, is_stdin ? "standard input" : path);
	int rc = is_stdin ? read_stdin(&s->text) : fs_read_all("", path, &s->text);

	if (rc) {
		pop(st);
		return err_set(e, -rc, "%.300s: %s", path, strerror(-rc));
	}
	if (sb) {
		s->dev = sb->st_dev;
		s->ino = sb->st_ino;
	}
	skip_bom(s);
	return 0;
}

int source_push_file(struct source_stack *st, const char *path, struct err *e)
{
	struct stat sb;

	if (strcmp(path, "-") == 0)
		return read_source(st, path, NULL, e);
	if (stat(path, &sb) < 0)
		return err_set(e, errno, "%.300s: cannot open this job file: %s", path,
			       strerror(errno));
	return read_source(st, path, &sb, e);
}

/* `path` in the folder of the file `beside`. */
static char *sibling(const char *beside, const char *path)
{
	const char *slash = strrchr(beside, '/');

	return xasprintf("%.*s%s", slash ? (int)(slash - beside + 1) : 0, beside, path);
}

static char *find_include(const struct source_stack *st, const char *path, struct stat *sb)
{
	char *found = xstrdup(path);

	if (stat(found, sb) == 0)
		return found;
	for (unsigned i = 0; i < 2 && *path != '/'; i++) {
		free(found);
		found = sibling(i == 0 ? source_top(st)->name : st->v[0].name, path);
		if (stat(found, sb) == 0)
			return found;
	}
	free(found);
	return NULL;
}

static bool is_open(const struct source_stack *st, const struct stat *sb)
{
	for (unsigned i = 0; i < st->depth; i++)
		if (st->v[i].ino && st->v[i].dev == sb->st_dev && st->v[i].ino == sb->st_ino)
			return true;
	return false;
}

int source_push_include(struct source_stack *st, const char *path, struct err *e)
{
	struct stat sb;
	char *found;
	int rc;

	if (!*path)
		return err_set(e, EINVAL, "include needs a file name");
	if (st->depth == SOURCE_DEPTH_MAX)
		return err_set(e, ELOOP, "include %.200s: nested more than %d deep", path,
			       SOURCE_DEPTH_MAX);
	found = find_include(st, path, &sb);
	if (!found)
		return err_set(e, ENOENT, "include %.200s: no such file", path);
	if (!S_ISREG(sb.st_mode))
		rc = err_set(e, EINVAL, "include %.200s: not a regular file", path);
	else if (is_open(st, &sb))
		rc = err_set(e, ELOOP, "include %.200s: the file includes itself", path);
	else
		rc = read_source(st, found, &sb, e);
	free(found);
	return rc;
}

/* NUL bytes end a C text early: they count as control characters here. */
static int check_line(const struct strbuf *line, struct err *e)
{
	const char *s = strbuf_str(line);
	size_t n = strlen(s);

	if (n && s[n - 1] == '\r') /* the line ends of another system */
		n--;
	if (line->len > SOURCE_LINE_MAX)
		return err_set(e, EINVAL, "the line is %zu bytes long, at most %d are read",
			       line->len, SOURCE_LINE_MAX);
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
			return err_set(e, EINVAL, "control character 0x%02x in the line",
				       (unsigned char)s[i]);
	if (strlen(s) != line->len)
		return err_set(e, EINVAL, "a zero byte in the line: not a text file");
	return 1;
}

int source_next(struct source_stack *st, struct strbuf *buf, struct err *e)
{
	struct source *s;
	const char *from, *end;
	size_t len;

	strbuf_reset(buf);
	while (st->depth && st->v[st->depth - 1].pos >= st->v[st->depth - 1].text.len) {
		if (st->depth == 1) /* the last one stays, for source_top */
			return 0;
		pop(st);
	}
	if (!st->depth)
		return 0;
	s = &st->v[st->depth - 1];
	from = s->text.s + s->pos;
	end = memchr(from, '\n', s->text.len - s->pos);
	len = end ? (size_t)(end - from) : s->text.len - s->pos;
	s->pos += len + 1;
	s->line++;
	strbuf_add(buf, from, len);
	return check_line(buf, e);
}
