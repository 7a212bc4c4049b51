#include "tests/unit/run_help.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app_engines.h"
#include "src/base/xalloc.h"

#define WORDS_MAX  64
#define RUN_MAX_NS (60 * NSEC_PER_SEC)

static void on_note(void *arg, const char *line)
{
	struct run_help *h = arg;
	size_t n = strlen(h->notes);

	snprintf(h->notes + n, sizeof(h->notes) - n, "%s\n", line);
}

static int split(char *text, char **words)
{
	int n = 0;

	for (char *w = strtok(text, " "); w && n < WORDS_MAX; w = strtok(NULL, " "))
		words[n++] = w;
	return n;
}

/* "%s" is the path, "%%" a percent sign. */
static void expand(char *out, size_t size, const char *args, const char *path)
{
	size_t n = 0;

	for (const char *c = args; *c && n + 1 < size; c++) {
		if (c[0] == '%' && c[1] == 's') {
			n += (size_t)snprintf(out + n, size - n, "%s", path);
			c++;
			continue;
		}
		if (c[0] == '%' && c[1] == '%')
			c++;
		out[n++] = *c;
	}
	out[n < size ? n : size - 1] = '\0';
}

static int begin(struct run_help *h, const char *args, const char *path)
{
	char text[2048], *words[WORDS_MAX];
	struct session_cfg cfg = {.note = on_note, .note_arg = h, .fsroot = ""};
	int rc;

	memset(h, 0, sizeof(*h));
	app_engines_register();
	expand(text, sizeof(text), args, path);
	rc = cmdline_parse(split(text, words), words, &h->cmd, &h->e);
	if (rc)
		return rc;
	cfg.readonly = h->cmd.readonly;
	cfg.allow_destroy = (const char *const *)h->cmd.allow_destroy.v;
	cfg.n_allow_destroy = h->cmd.allow_destroy.n;
	cfg.allow_overwrite = (const char *const *)h->cmd.allow_overwrite.v;
	cfg.n_allow_overwrite = h->cmd.allow_overwrite.n;
	cr_assert_eq(session_open(&h->session, &cfg, &h->e), 0, "%s", h->e.msg);
	return session_start(h->session, &h->cmd.spec, &h->e);
}

void run_help_begin(struct run_help *h, const char *args, const char *path)
{
	cr_assert_eq(begin(h, args, path), 0, "%s: %s", args, h->e.msg);
}

void run_help_end(struct run_help *h)
{
	cr_assert(session_wait(h->session, RUN_MAX_NS), "the run did not end");
	h->r = session_result(h->session);
	session_error(h->session, &h->e);
}

int run_help(struct run_help *h, const char *args, const char *path)
{
	int rc = begin(h, args, path);

	if (rc == 0)
		run_help_end(h);
	return rc;
}

void run_help_fini(struct run_help *h)
{
	session_close(h->session);
	cmdline_fini(&h->cmd);
}

uint64_t run_help_ops(const struct run_help *h, enum io_op op)
{
	uint64_t n = 0;

	for (size_t i = 0; h->r && i < h->r->n_jobs; i++)
		n += h->r->jobs[i].dir[op].st.ops;
	return n;
}

uint64_t run_help_bytes(const struct run_help *h, enum io_op op)
{
	uint64_t n = 0;

	for (size_t i = 0; h->r && i < h->r->n_jobs; i++)
		n += h->r->jobs[i].dir[op].st.bytes;
	return n;
}

void tmp_make(char *dir, size_t size, const char *base)
{
	snprintf(dir, size, "%s/iodeck-test-XXXXXX", base);
	cr_assert_not_null(mkdtemp(dir));
}

void tmp_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[1024];

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(dir);
}

/* One job of these ops on a target, 1 MiB. */
struct job_spec *run_help_spec(struct spec *spec, const char *path, uint8_t ops)
{
	struct job_spec job;

	spec_init(spec);
	job_spec_init(&job);
	free(job.filename);
	job.filename = xstrdup(path);
	job.rw.ops = ops;
	job.size = (struct amount){.bytes = (1ull << 20), .is_set = true};
	spec_add(spec, &job);
	job_spec_fini(&job);
	return &spec->jobs[0];
}

void run_help_for_a_minute(struct job_spec *job)
{
	job->runtime_ns = 60 * NSEC_PER_SEC;
	job->time_based = true;
}
