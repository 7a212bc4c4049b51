#include "ui/complete.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/xalloc.h"
#include "src/spec/job_spec.h"
#include "src/spec/profile.h"
#include "src/spec/sweep_spec.h"
#include "src/stat/archive.h"
#include "ui/keys.h"
#include "ui/script.h"
#include "ui/state.h"

#define CANDIDATES_MAX 1000 /* of a folder: nobody reads more */

/* word: what is typed of it; a candidate begins with it. */
static void offer(struct completion *c, const char *word, const char *text)
{
	if (strncmp(text, word, strlen(word)) != 0 || c->n == CANDIDATES_MAX)
		return;
	c->v = xrealloc(c->v, (c->n + 1) * sizeof(*c->v));
	c->v[c->n++] = xstrdup(text);
}

static void offer_assign(struct completion *c, const char *word, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "%s=", name);
	offer(c, word, text);
}

/* Words with blanks between. */
static void offer_words(struct completion *c, const char *word, const char *words)
{
	char *copy = xstrdup(words), *save = NULL;

	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		offer(c, word, w);
	free(copy);
}

/* ---- options and their values ---- */

/* word: "NAME=" and what is typed of the value, whose name has name_len bytes. */
static void offer_value(struct completion *c, const char *word, size_t name_len, const char *value)
{
	char text[256];

	snprintf(text, sizeof(text), "%.*s=%s", (int)name_len, word, value);
	offer(c, word, text);
}

static void offer_engines(const struct ui_state *st, struct completion *c, const char *word,
			  size_t name_len)
{
	for (size_t i = 0; st->engines && st->engines[i].name; i++)
		offer_value(c, word, name_len, st->engines[i].name);
}

static void offer_values(const struct ui_state *st, const struct option_def *row, const char *word,
			 size_t name_len, struct completion *c)
{
	for (const struct option_choice *ch = row->choices; ch && ch->word; ch++)
		offer_value(c, word, name_len, ch->word);
	if (strcmp(row->name, "ioengine") == 0 || strcmp(row->name, "engine") == 0)
		offer_engines(st, c, word, name_len);
	if (row->type == OPT_BOOL || row->type == OPT_FLAG) {
		offer_value(c, word, name_len, "0");
		offer_value(c, word, name_len, "1");
	}
}

static void offer_options(const struct ui_state *st, const struct option_def *rows,
			  const char *word, struct completion *c)
{
	const char *eq = strchr(word, '=');
	char name[64];
	const struct option_def *row;

	if (!eq) {
		for (row = rows; row->name; row++)
			offer_assign(c, word, row->name);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(eq - word), word);
	row = option_find(rows, name);
	if (row)
		offer_values(st, row, word, (size_t)(eq - word), c);
}

/* The strip's short names, and every job option. */
static void offer_settings(const struct ui_state *st, const char *word, struct completion *c)
{
	const char *engine = state_field_label(FIELD_ENGINE);
	size_t n = strlen(engine);

	for (int f = 0; f < FIELD_NR && !strchr(word, '='); f++)
		offer_assign(c, word, state_field_label((enum field)f));
	if (!strchr(word, '='))
		offer_assign(c, word, "fps");
	if (strncmp(word, engine, n) == 0 && word[n] == '=')
		offer_engines(st, c, word, n);
	offer_options(st, job_options, word, c);
}

/* ---- names ---- */

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A blank would end the word. */
static bool is_typable(const char *name, const char *base)
{
	return strncmp(name, base, strlen(base)) == 0 && (name[0] != '.' || base[0] == '.') &&
	       !strpbrk(name, " \t\n") && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void offer_file(const char *word, const char *dir, const char *name, struct completion *c)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path) - 1, "%s%s", dir, name) >= (int)sizeof(path) - 1)
		return;
	if (is_folder(path))
		strcat(path, "/");
	offer(c, word, path);
}

static void offer_files(const char *word, struct completion *c)
{
	const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
	char dir[PATH_MAX];
	struct dirent **names = NULL;
	int n;

	if (snprintf(dir, sizeof(dir), "%.*s", (int)(base - word), word) >= (int)sizeof(dir))
		return;
	n = scandir(*dir ? dir : ".", &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (is_typable(names[i]->d_name, base))
			offer_file(word, dir, names[i]->d_name, c);
		free(names[i]);
	}
	free(names);
}

static void offer_targets(const struct ui_state *st, const char *word, struct completion *c)
{
	char path[80];

	for (size_t i = 0; st->sims && st->sims[i].name[0]; i++)
		offer(c, word, st->sims[i].name);
	for (size_t i = 0; st->devices && i < st->devices->n; i++) {
		snprintf(path, sizeof(path), "/dev/%s", st->devices->v[i].name);
		offer(c, word, path);
	}
	if (strncmp(word, "/dev/", 5) != 0)
		offer_files(word, c);
}

/* first: the word after the verb. */
static void offer_profiles(const char *word, bool first, struct completion *c)
{
	struct profile_list list = {0};

	if (first) {
		offer_words(c, word, "load save save!");
		return;
	}
	profile_list_load(&list);
	for (size_t i = 0; i < list.n; i++)
		offer(c, word, list.v[i].name);
	profile_list_fini(&list);
}

static void offer_export(const char *word, bool first, struct completion *c)
{
	for (int i = 0; first && i < ARCHIVE_FORMAT_NR; i++)
		offer(c, word, archive_format_words[i]);
	offer_files(word, c);
}

/* ---- a line ---- */

static void offer_verbs(const char *word, struct completion *c)
{
	struct script_verb_row row;

	for (size_t i = 0; script_verb_at(i, &row); i++)
		if (!row.script_only)
			offer(c, word, row.name);
	for (const struct keybind *k = keys_table; k->request; k++)
		if (k->verb)
			offer(c, word, k->verb);
}

static bool find_verb(const char *line, size_t n, struct script_verb_row *row)
{
	for (size_t i = 0; script_verb_at(i, row); i++)
		if (strlen(row->name) == n && strncmp(row->name, line, n) == 0)
			return true;
	return false;
}

static void offer_args(const struct ui_state *st, const struct script_verb_row *row,
		       const char *word, bool first, struct completion *c)
{
	switch (row->kind) {
	case SCRIPT_ARGS_NONE:
		break;
	case SCRIPT_ARGS_WORDS:
		if (first)
			offer_words(c, word, row->words);
		break;
	case SCRIPT_ARGS_SETTINGS:
		offer_settings(st, word, c);
		break;
	case SCRIPT_ARGS_SWEEP:
		offer_options(st, sweep_options, word, c);
		break;
	case SCRIPT_ARGS_PROFILE:
		offer_profiles(word, first, c);
		break;
	case SCRIPT_ARGS_TARGET:
		offer_targets(st, word, c);
		break;
	case SCRIPT_ARGS_EXPORT:
		offer_export(word, first, c);
		break;
	case SCRIPT_ARGS_FILE:
		offer_files(word, c);
		break;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An option may be of two tables, a verb of two screens. */
static void sort(struct completion *c)
{
	size_t n = 0;

	if (c->n == 0)
		return;
	qsort(c->v, c->n, sizeof(*c->v), by_text);
	for (size_t i = 0; i < c->n; i++) {
		if (n && strcmp(c->v[n - 1], c->v[i]) == 0)
			free(c->v[i]);
		else
			c->v[n++] = c->v[i];
	}
	c->n = n;
}

void complete_line(const struct ui_state *st, const char *line, struct completion *out)
{
	size_t begin = strspn(line, " \t:"), verb = strcspn(line + begin, " \t"), word = begin,
	       args;
	struct script_verb_row row;

	for (size_t i = begin; line[i]; i++)
		if (line[i] == ' ' || line[i] == '\t')
			word = i + 1;
	*out = (struct completion){.from = word};
	args = begin + verb + strspn(line + begin + verb, " \t");
	if (word == begin)
		offer_verbs(line + begin, out);
	else if (find_verb(line + begin, verb, &row))
		offer_args(st, &row, line + word, word <= args, out);
	sort(out);
}

void completion_fini(struct completion *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i]);
	free(c->v);
	*c = (struct completion){0};
}

size_t completion_common(const struct completion *c)
{
	size_t n = c->n ? strlen(c->v[0]) : 0;

	for (size_t i = 1; i < c->n; i++) {
		size_t k = 0;

		while (k < n && c->v[i][k] == c->v[0][k])
			k++;
		n = k;
	}
	/* Not in the middle of a character. */
	while (n && c->n > 1 && ((unsigned char)c->v[0][n] & 0xc0) == 0x80)
		n--;
	return n;
}
