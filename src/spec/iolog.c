#include "src/spec/iolog.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"

#define LINE_MAX_BYTES 4096u
#define WORDS_MAX      6u
#define US             1000ull
/* Longer than any run; sums of it stay far from overflow. */
#define TIME_MAX_NS (3650ull * 86400 * UNIT_SEC)
/* The first bytes of what blktrace(8) writes, on either kind of machine. */
#define BLKTRACE_MAGIC 0x65617400u

/* One log while it is read. */
struct reader {
	struct iolog_set *set;
	struct iolog *log;
	const struct iolog_how *how;
	unsigned number; /* of the log, from 1 */
	uint32_t line;
	bool begun;            /* the header was there */
	uint64_t last_us;      /* 0: no time yet */
	uint64_t gap_ns;       /* since the last record */
	struct iolog_file *at; /* of the line before: most lines name the same */
	struct err *e;
};

static int bad(const struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int bad(const struct reader *r, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(r->e, EINVAL, "%.200s:%u: %s", r->log->name, r->line, what);
}

/* Files */

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct iolog_file *)a)->path, ((const struct iolog_file *)b)->path);
}

static struct iolog_file *find_file(struct reader *r, char *path)
{
	struct iolog_file key = {.path = path}, **found;

	if (r->at && strcmp(r->at->path, path) == 0)
		return r->at;
	found = tfind(&key, &r->set->by_name, compare_names);
	return found ? *found : NULL;
}

static struct iolog_file *add_file(struct reader *r, char *path)
{
	struct iolog_file *f = find_file(r, path);
	struct iolog_set *set = r->set;

	if (!f) {
		f = xcalloc(1, sizeof(*f));
		f->path = xstrdup(path);
		f->index = (unsigned)set->n_files;
		f->begin_bytes = UINT64_MAX;
		set->files = xrealloc(set->files, (set->n_files + 1) * sizeof(struct iolog_file *));
		set->files[set->n_files++] = f;
		tsearch(f, &set->by_name, compare_names);
	}
	f->added_in = r->number;
	return f;
}

int iolog_check_name(const char *path, struct err *e)
{
	size_t len = strlen(path);

	if (len == 0 || len > IOLOG_NAME_MAX)
		return err_set(e, EINVAL, "'%.60s': a log of I/O holds names of 1 to %u bytes",
			       path, IOLOG_NAME_MAX);
	if (strpbrk(path, " \t\r\n\v\f"))
		return err_set(e, EINVAL, "'%.200s': a log of I/O holds no name with a blank in it",
			       path);
	return 0;
}

/* Records */

static struct iolog_rec *new_record(struct reader *r, uint8_t kind, const struct iolog_file *f)
{
	struct iolog *log = r->log;
	struct iolog_rec *rec;

	if (log->n == log->size) {
		log->size = log->size ? 2 * log->size : 64;
		log->v = xrealloc(log->v, log->size * sizeof(*log->v));
	}
	rec = &log->v[log->n++];
	*rec = (struct iolog_rec){
		.time_ns = r->gap_ns, .line = r->line, .file = f ? f->index : 0, .kind = kind};
	r->gap_ns = 0;
	return rec;
}

static void touch(const struct reader *r, struct iolog_file *f, const struct iolog_rec *rec)
{
	uint64_t end = rec->offset + rec->len;

	f->ops |= IO_BIT(rec->kind);
	if (rec->offset < f->begin_bytes)
		f->begin_bytes = rec->offset;
	if (end <= f->end_bytes)
		return;
	f->end_bytes = end;
	f->end_log = r->number - 1;
	f->end_line = rec->line;
}

static uint64_t moved(const struct iolog_how *how, uint64_t offset)
{
	if (how->scale > 1)
		offset /= how->scale;
	return how->align ? offset & ~(how->align - 1) : offset;
}

static int add_io(struct reader *r, enum io_op op, struct iolog_file *f, uint64_t offset,
		  uint64_t len)
{
	struct iolog *log = r->log;
	struct iolog_rec *rec;

	if (len == 0 || len > IOLOG_LENGTH_MAX)
		return bad(r, "%s of %llu bytes: 1 to %u (1 GiB) can be done at once",
			   io_op_name(op), (unsigned long long)len, IOLOG_LENGTH_MAX);
	if (offset > INT64_MAX - len)
		return bad(r, "offset %llu: beyond what a file can hold",
			   (unsigned long long)offset);
	if (r->how->skip_ops & IO_BIT(op))
		return 0;
	rec = new_record(r, (uint8_t)op, f);
	rec->offset = moved(r->how, offset);
	rec->len = (uint32_t)len;
	log->ops |= IO_BIT(op);
	log->bytes += len;
	if (rec->len > log->len_max[op])
		log->len_max[op] = rec->len;
	touch(r, f, rec);
	return 0;
}

static int add_sync(struct reader *r, uint8_t kind, const struct iolog_file *f)
{
	if (r->how->skip_syncs)
		return 0;
	new_record(r, kind, f);
	r->log->syncs = true;
	return 0;
}

static uint64_t scaled_ns(const struct iolog_how *how, uint64_t n, uint64_t unit_ns)
{
	unsigned __int128 ns = (unsigned __int128)n * unit_ns * 100 / how->time_pct;

	return ns < TIME_MAX_NS ? (uint64_t)ns : TIME_MAX_NS;
}

static int add_wait(struct reader *r, uint64_t ms)
{
	if (!r->log->absolute)
		return bad(r, "wait: only version 2 has it; here the times of the lines say when");
	if (!r->how->no_stall)
		new_record(r, IOLOG_WAIT, NULL)->time_ns = scaled_ns(r->how, ms, UNIT_MS);
	return 0;
}

/* Times that step back (another run was appended) count as no time, as in fio. */
static void take_time(struct reader *r, uint64_t us)
{
	if (r->last_us && us > r->last_us && !r->how->no_stall)
		r->gap_ns += scaled_ns(r->how, us - r->last_us, US);
	if (r->gap_ns > TIME_MAX_NS)
		r->gap_ns = TIME_MAX_NS;
	r->last_us = us;
}

/* Lines */

/* FILE ACTION */
static int file_line(struct reader *r, char *path, const char *action)
{
	struct iolog_file *f = find_file(r, path);

	if (strcmp(action, "add") == 0) {
		r->at = add_file(r, path);
		return 0;
	}
	if (strcmp(action, "open") && strcmp(action, "close"))
		return bad(
			r,
			"'%.40s': wanted add, open or close, or an action with offset and length",
			action);
	if (!f || f->added_in != r->number)
		return bad(r, "%s of %.100s, which no line before this one adds", action, path);
	f->open_in = *action == 'o' ? r->number : 0;
	r->at = f;
	return 0;
}

static int find_kind(const char *action)
{
	static const char *const kinds[] = {
		[IO_READ] = "read",    [IO_WRITE] = "write",          [IO_TRIM] = "trim",
		[IOLOG_SYNC] = "sync", [IOLOG_DATASYNC] = "datasync", [IOLOG_WAIT] = "wait",
	};

	for (int i = 0; i <= IOLOG_WAIT; i++)
		if (strcmp(kinds[i], action) == 0)
			return i;
	return -1;
}

/* FILE ACTION OFFSET LENGTH */
static int io_line(struct reader *r, char *path, const char *action, const char *offset_text,
		   const char *len_text)
{
	struct iolog_file *f = find_file(r, path);
	int kind = find_kind(action);
	uint64_t offset, len;

	if (kind < 0)
		return bad(r, "'%.40s': wanted read, write, trim, sync, datasync or wait", action);
	if (units_parse_u64(offset_text, 0, UINT64_MAX, &offset, NULL) < 0 ||
	    units_parse_u64(len_text, 0, UINT64_MAX, &len, NULL) < 0)
		return bad(r, "%s %.30s %.30s: wanted offset and length in bytes", action,
			   offset_text, len_text);
	if (kind == IOLOG_WAIT)
		return add_wait(r, offset);
	if (!f || f->added_in != r->number)
		return bad(r, "%s of %.100s, which no line before this one adds", action, path);
	if (f->open_in != r->number)
		return bad(r, "%s of %.100s, which is not open here", action, path);
	r->at = f;
	return kind < IO_OP_NR ? add_io(r, (enum io_op)kind, f, offset, len)
			       : add_sync(r, (uint8_t)kind, f);
}

static int header_line(struct reader *r, const char *line)
{
	unsigned version = r->log->absolute ? 2 : 3;

	if (r->begun && strcmp(line, version == 3 ? IOLOG_HEADER : "fio version 2 iolog") != 0)
		return bad(r, "'%.40s' within a log of version %u", line, version);
	if (!r->begun && strcmp(line, "fio version 2 iolog") && strcmp(line, IOLOG_HEADER))
		return bad(r, "'%.40s': the first line is to be '%s', or the same with 2", line,
			   IOLOG_HEADER);
	r->log->absolute = strchr(line, '2') != NULL;
	r->begun = true;
	r->last_us = 0;
	return 0;
}

static size_t split_words(char *line, char *word[WORDS_MAX])
{
	char *save = NULL;
	size_t n = 0;

	for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
		if (n == WORDS_MAX)
			return WORDS_MAX;
		word[n++] = w;
	}
	return n;
}

/* line: NUL-terminated, without newline; it is taken apart. */
static int body_line(struct reader *r, char *line)
{
	char *word[WORDS_MAX], **w = word;
	size_t n = split_words(line, word);
	uint64_t us;

	if (n == 0)
		return 0;
	if (!r->log->absolute) {
		if (units_parse_u64(word[0], 0, UINT64_MAX, &us, NULL) < 0)
			return bad(r, "'%.40s': a line begins with a time in us", word[0]);
		take_time(r, us);
		w++;
		n--;
	}
	if (n != 2 && n != 4)
		return bad(r, "wanted %sFILE add|open|close, or %sFILE ACTION OFFSET LENGTH",
			   r->log->absolute ? "" : "TIME ", r->log->absolute ? "" : "TIME ");
	if (strlen(w[0]) > IOLOG_NAME_MAX)
		return bad(r, "a file name of more than %u bytes", IOLOG_NAME_MAX);
	if (r->how->redirect)
		*w = r->how->redirect;
	return n == 2 ? file_line(r, w[0], w[1]) : io_line(r, w[0], w[1], w[2], w[3]);
}

static int one_line(struct reader *r, const char *text, size_t len)
{
	char line[LINE_MAX_BYTES];

	r->line++;
	if (len >= sizeof(line))
		return bad(r, "a line of more than %u bytes", LINE_MAX_BYTES);
	if (memchr(text, '\0', len))
		return bad(r, "a line with a NUL byte: this is no text");
	memcpy(line, text, len);
	line[len] = '\0';
	if (len && line[len - 1] == '\r')
		line[len - 1] = '\0';
	if (text_has_control(line))
		return bad(r, "a line with a control character: this is no text");
	if (!r->begun || strncmp(line, "fio version", 11) == 0)
		return header_line(r, line);
	return body_line(r, line);
}

static bool is_blktrace(const void *text, size_t len)
{
	uint32_t magic;

	if (len < sizeof(magic))
		return false;
	memcpy(&magic, text, sizeof(magic));
	return (magic & 0xffffff00u) == BLKTRACE_MAGIC ||
	       (__builtin_bswap32(magic) & 0xffffff00u) == BLKTRACE_MAGIC;
}

/* Begin and end of one log */

static void begin(struct reader *r, struct iolog_set *set, const char *name,
		  const struct iolog_how *how, struct err *e)
{
	set->logs = xrealloc(set->logs, (set->n_logs + 1) * sizeof(*set->logs));
	*r = (struct reader){.set = set, .log = &set->logs[set->n_logs], .how = how, .e = e};
	*r->log = (struct iolog){.name = xstrdup(name)};
	r->number = (unsigned)++set->n_logs;
}

static int end(const struct reader *r)
{
	const struct iolog_how *how = r->how;

	if (!r->begun)
		return err_set(r->e, EINVAL, "%.200s: is empty; wanted '%s' and lines of I/O",
			       r->log->name, IOLOG_HEADER);
	if (r->log->ops)
		return 0;
	return err_set(r->e, EINVAL, "%.200s: holds no read, write or trim%s", r->log->name,
		       how->skip_ops ? " that replay_skip leaves" : "");
}

static int refuse_blktrace(const struct reader *r)
{
	return err_set(
		r->e, ENOTSUP,
		"%.200s: a blktrace file, which is not supported; wanted a text log (write_iolog=)",
		r->log->name);
}

int iolog_parse(struct iolog_set *set, const char *name, const char *text, size_t len,
		const struct iolog_how *how, struct err *e)
{
	const char *stop = text + len, *nl;
	struct reader r;
	int rc = 0;

	begin(&r, set, name, how, e);
	if (is_blktrace(text, len))
		return refuse_blktrace(&r);
	for (; text < stop && rc == 0; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(stop - text));
		nl = nl ? nl : stop;
		rc = one_line(&r, text, (size_t)(nl - text));
	}
	return rc ? rc : end(&r);
}

static int read_lines(struct reader *r, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	int rc = 0;

	while (rc == 0 && (errno = 0, n = getline(&line, &size, f)) > 0) {
		if (r->line == 0 && is_blktrace(line, (size_t)n))
			rc = refuse_blktrace(r);
		else
			rc = one_line(r, line, (size_t)n - (line[n - 1] == '\n'));
	}
	if (rc == 0 && ferror(f))
		rc = err_set(r->e, errno, "%.200s: %s", r->log->name, strerror(errno));
	free(line);
	return rc ? rc : end(r);
}

/* Only a file: a pipe could keep the start waiting, and what is read twice must be the same. */
static FILE *open_log(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	FILE *f;

	if (fd < 0) {
		err_set(e, errno, "read_iolog=%.200s: %s", path, strerror(errno));
		return NULL;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		err_set(e, EINVAL, "read_iolog=%.200s: not a regular file", path);
		close(fd);
		return NULL;
	}
	f = fdopen(fd, "r");
	if (!f) {
		err_set(e, errno, "read_iolog=%.200s: %s", path, strerror(errno));
		close(fd);
	}
	return f;
}

int iolog_load(struct iolog_set *set, const char *path, const struct iolog_how *how, struct err *e)
{
	FILE *f = open_log(path, e);
	struct reader r;
	int rc;

	if (!f)
		return -e->code;
	begin(&r, set, path, how, e);
	rc = read_lines(&r, f);
	fclose(f);
	return rc;
}

static void keep(void *node)
{
	(void)node; /* the files are the set's */
}

void iolog_fini(struct iolog_set *set)
{
	tdestroy(set->by_name, keep);
	for (size_t i = 0; i < set->n_logs; i++) {
		free(set->logs[i].name);
		free(set->logs[i].v);
	}
	for (size_t i = 0; i < set->n_files; i++) {
		free(set->files[i]->path);
		free(set->files[i]);
	}
	free(set->logs);
	free(set->files);
	*set = (struct iolog_set){0};
}

int iolog_skip_parse(const char *text, struct iolog_how *how, struct err *e)
{
	static const char *const words[] = {"read", "write", "trim", "sync"};

	how->skip_ops = 0;
	how->skip_syncs = false;
	for (;; text++) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < 4 && (strlen(words[i]) != len || strncmp(words[i], text, len) != 0))
			i++;
		if (i == 4)
			return err_set(e, EINVAL, "'%.*s'", (int)(len < 40 ? len : 40), text);
		if (i < IO_OP_NR)
			how->skip_ops |= IO_BIT(i);
		else
			how->skip_syncs = true;
		text += len;
		if (!*text)
			return 0;
	}
}
