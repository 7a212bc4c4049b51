#include "src/run/plan_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

static char *in_directory(const struct job_spec *s, unsigned clone, const char *name)
{
	const char *list = s->directory;
	char *dir = NULL, *path;
	unsigned n = 0;

	if (!list || !*list)
		return xstrdup(name);
	for (const char *c = list; (dir = spec_path_next(&c)); free(dir))
		n++;
	for (unsigned skip = clone % n; (dir = spec_path_next(&list)) && skip; skip--)
		free(dir);
	path = xasprintf("%s/%s", dir, name);
	free(dir);
	return path;
}

static void add_path(struct plan *p, char *path)
{
	p->targets = xrealloc(p->targets, (p->n_targets + 1) * sizeof(*p->targets));
	p->targets[p->n_targets] = (struct target){.path = path, .fd = -1};
	p->n_targets++;
}

/* A job's name may hold what no file name can. */
static void add_job_name(const struct job_spec *s, struct strbuf *out)
{
	for (const char *c = s->name; *c; c++)
		strbuf_putc(out, *c == '/' ? '.' : *c);
}

static const char *const keywords[] = {"$jobname", "$jobnum", "$filenum", NULL};

static unsigned keyword_at(const char *text)
{
	unsigned i = 0;

	while (keywords[i] && strncmp(keywords[i], text, strlen(keywords[i])) != 0)
		i++;
	return i;
}

/* filename_format: "$jobname.$jobnum.$filenum" is what fio uses when none is given. */
static void make_name(const struct job_spec *s, unsigned clone, unsigned file, struct strbuf *out)
{
	const char *f = s->filename_format ? s->filename_format : "$jobname.$jobnum.$filenum";

	while (*f) {
		unsigned k = *f == '$' ? keyword_at(f) : 3;

		if (k == 0)
			add_job_name(s, out);
		else if (k == 1)
			strbuf_addf(out, "%u", clone);
		else if (k == 2)
			strbuf_addf(out, "%u", file);
		else
			strbuf_putc(out, *f);
		f += k < 3 ? strlen(keywords[k]) : 1;
	}
}

static int make_names(struct plan *p)
{
	const struct job_spec *s = p->spec;

	p->n_files = s->nrfiles;
	for (unsigned k = 0; k < s->numjobs; k++) {
		for (unsigned f = 0; f < s->nrfiles; f++) {
			unsigned clone = plan_clone_number(p, k);
			struct strbuf name = {0};

			make_name(s, clone, f, &name);
			add_path(p, in_directory(s, clone, strbuf_str(&name)));
			strbuf_fini(&name);
		}
	}
	return 0;
}

static int listed_names(struct plan *p, struct err *e)
{
	const char *list = p->spec->filename;
	char *name;

	p->shared_files = true;
	if (!*list)
		return err_set(e, EINVAL,
			       "filename= is an empty file name; name a file or a device");
	while ((name = spec_path_next(&list))) {
		bool empty = !*name;

		add_path(p, in_directory(p->spec, 0, name));
		free(name);
		if (empty)
			return err_set(e, EINVAL, "filename=%s holds an empty file name",
				       p->spec->filename);
	}
	p->n_files = p->n_targets;
	return 0;
}

int plan_name_files(struct plan *p, struct err *e)
{
	const struct job_spec *s = p->spec;

	return s->filename && !s->filename_format ? listed_names(p, e) : make_names(p);
}
