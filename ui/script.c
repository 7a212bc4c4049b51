#include "ui/script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "ui/console.h"

void script_parse(struct script *s, const char *name, const char *text)
{
	*s = (struct script){.name = xstrdup(name), .text = xstrdup(text)};
	s->next = s->text;
}

int script_load(struct script *s, const char *path, struct err *e)
{
	struct strbuf sb = {0};
	int rc = fs_read_all("", path, &sb);

	*s = (struct script){0};
	if (rc == 0 && sb.len != strlen(strbuf_str(&sb)))
		rc = err_set(e, EINVAL, "%s: not a text file", path);
	else if (rc < 0)
		err_set(e, -rc, "%s: %s", path, strerror(-rc));
	if (rc == 0)
		script_parse(s, path, strbuf_str(&sb));
	strbuf_fini(&sb);
	return rc;
}

void script_fini(struct script *s)
{
	free(s->name);
	free(s->text);
	*s = (struct script){0};
}

/* Cuts the next line off; NULL at the end. */
static char *next_line(struct script *s)
{
	char *line = s->next, *nl;

	if (!line || !*line)
		return NULL;
	nl = strchr(line, '\n');
	if (nl)
		*nl = '\0';
	s->next = nl ? nl + 1 : NULL;
	s->line++;
	return line;
}

static int run_failed(const struct console *con, struct err *e)
{
	const struct snapshot *snap = con->model.snap;

	return err_set(e, EIO, "the run failed: %s",
		       snap->error[0] ? snap->error : "no reason given");
}

/* 1: over; 0: not yet; -errno. */
static int wait_over(struct script *s, struct console *con, uint64_t now_ns, struct err *e)
{
	enum run_state state = con->model.snap->state;

	if (s->wait == WAIT_TIME)
		return now_ns >= s->until_ns;
	if (s->wait == WAIT_TEXT && script_screen_has(con, s->wait_text))
		return 1;
	if (s->wait == WAIT_IDLE && !console_is_running(con))
		return 1;
	if (s->wait == WAIT_RUNNING && !con->start_pending) {
		if (state == RUN_RAMP || state == RUN_ON)
			return 1;
		if (state == RUN_FAILED)
			return run_failed(con, e);
		if (!console_is_running(con))
			return err_set(e, EINVAL, "wait running: no run is on");
	}
	if (s->until_ns && now_ns >= s->until_ns)
		return err_set(e, ETIMEDOUT, "wait text: the screen did not show \"%s\"",
			       s->wait_text);
	return 0;
}

static enum script_state fail(const struct script *s, struct err *e)
{
	err_wrap(e, "%s:%u", s->name, s->line);
	return SCRIPT_FAILED;
}

enum script_state script_step(struct script *s, struct console *con, uint64_t now_ns, struct err *e)
{
	char *line;
	int rc;

	while (con->quit == QUIT_NO) {
		/* What follows a start begins with its answer. */
		if (con->asking)
			return SCRIPT_WAITING;
		if (s->wait != WAIT_NONE) {
			rc = wait_over(s, con, now_ns, e);
			if (rc < 0)
				return fail(s, e);
			if (rc == 0)
				return SCRIPT_WAITING;
			s->wait = WAIT_NONE;
		}
		line = next_line(s);
		if (!line)
			return SCRIPT_DONE;
		line += strspn(line, " \t");
		if (*line == '#')
			continue;
		if (script_verb(con, s, line, now_ns, e) < 0)
			return fail(s, e);
	}
	return SCRIPT_DONE;
}
