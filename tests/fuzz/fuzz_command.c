/*
 * Any line after `:`: it is done or refused with one line, what it has set can still be shown, and Tab offers
 * only what begins with the word that is typed. A console without a session: its feed takes nothing. Verbs that
 * make files, and those that look at what the line names, are completed only.
 */
#include <errno.h>
#include <stdbool.h>

#include "src/base/clock.h"
#include "src/base/strbuf.h"
#include "tests/fuzz/fuzz.h"
#include "ui/complete.h"
#include "ui/console.h"
#include "ui/script.h"

static int command_next(struct feed *f, uint64_t after_seq, struct snapshot *out)
{
	(void)f;
	(void)after_seq;
	(void)out;
	return 0;
}

static int command_refuse(struct feed *f, const struct command *c, struct err *e)
{
	(void)f;
	(void)c;
	return err_set(e, EROFS, "there is no session");
}

static const struct feed_ops command_feed_ops = {command_next, command_refuse};

/* The row of the line's verb; false: none, or one of the keys'. */
static bool command_row(const char *line, struct script_verb_row *row)
{
	size_t n;

	line += strspn(line, " \t:");
	n = strcspn(line, " \t");
	for (size_t i = 0; script_verb_at(i, row); i++)
		if (strlen(row->name) == n && strncmp(row->name, line, n) == 0)
			return true;
	return false;
}

static bool command_is_harmless(const char *line)
{
	struct script_verb_row row;

	/* A start asks in a thread of its own; each of them would be one. */
	if (!command_row(line, &row))
		return false;
	return !row.writes && row.kind != SCRIPT_ARGS_TARGET && strcmp(row.name, "run") != 0 &&
	       strcmp(row.name, "sweep") != 0 && !row.script_only;
}

static void command_complete(const struct console *con, const char *line)
{
	struct completion c;
	size_t common;

	complete_line(&con->st, line, &c);
	FUZZ_CHECK(c.from <= strlen(line));
	common = completion_common(&c);
	for (size_t i = 0; i < c.n; i++) {
		FUZZ_CHECK(strncmp(c.v[i], line + c.from, strlen(line + c.from)) == 0);
		FUZZ_CHECK(common <= strlen(c.v[i]) && common >= strlen(line + c.from));
		FUZZ_CHECK(i == 0 || strcmp(c.v[i - 1], c.v[i]) < 0);
	}
	completion_fini(&c);
}

static void command_do(struct console *con, const char *line)
{
	struct err e = {0};
	int rc;

	if (!command_is_harmless(line))
		return;
	rc = script_verb(con, NULL, line, 0, &e);
	if (rc < 0)
		fuzz_check_message(&e);
	console_draw(con, con->screen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct engine_info command_engines[] = {
		{"psync", true}, {"io_uring", false}, {NULL, false}};
	struct feed feed = {&command_feed_ops, -1};
	struct ui_cfg cfg = {.feed = &feed,
			     .engines = command_engines,
			     .fsroot = "/proc/self/fdinfo", /* a machine without devices */
			     .no_terminal = true};
	struct console con;
	struct canvas canvas;
	struct err e = {0};
	char *text, *save = NULL;

	if (size > 1024 || memchr(data, '\0', size))
		return 0;
	fuzz_register_engines();
	FUZZ_CHECK(console_init(&con, &cfg, &e) == 0);
	canvas_init(&canvas, 80, 24, &glyphs_utf8);
	con.screen = &canvas;
	text = calloc(1, size + 1);
	memcpy(text, data, size);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		command_complete(&con, line);
		command_do(&con, line);
	}
	free(text);
	canvas_fini(&canvas);
	console_fini(&con);
	return 0;
}
