#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/jobfile.h"
#include "src/spec/profile.h"
#include "src/spec/profile_dirs.h"

static void summarise_job(const struct job_spec *job, struct strbuf *out)
{
	strbuf_addf(out, "%s ", job_spec_rw_word(&job->rw));
	option_print(option_find(job_options, "bs"), job, out);
	strbuf_addf(out, " qd %u", job->iodepth);
	if (job->numjobs > 1)
		strbuf_addf(out, " x %u jobs", job->numjobs);
	if (job->ioengine)
		strbuf_addf(out, " %s", job->ioengine);
	if (job->direct)
		strbuf_puts(out, " direct");
}

static char *summarise(const struct spec *spec)
{
	struct strbuf text = {0};
	char *copy;

	if (spec->n_jobs == 1) {
		summarise_job(&spec->jobs[0], &text);
	} else {
		strbuf_addf(&text, "%zu jobs:", spec->n_jobs);
		for (size_t i = 0; i < spec->n_jobs; i++)
			strbuf_addf(&text, "%s %s", i ? "," : "", spec->jobs[i].name);
	}
	copy = xstrdup(strbuf_str(&text));
	strbuf_fini(&text);
	return copy;
}

static void describe(struct profile_entry *entry)
{
	struct err e = {0};
	struct spec spec;

	spec_init(&spec);
	entry->broken = jobfile_load(entry->path, NULL, &spec, &e) < 0;
	entry->summary = entry->broken ? xstrdup(e.msg) : summarise(&spec);
	spec_fini(&spec);
}

/* A folder that is not there has no profiles. */
static void add_folder(struct profile_list *list, const char *dir, bool shipped)
{
	struct dirent **names;
	int n = dir ? profile_scan(dir, &names) : -1;

	for (int i = 0; i < n; i++) {
		const char *file = names[i]->d_name;
		struct profile_entry *entry;

		list->v = xrealloc(list->v, (list->n + 1) * sizeof(*list->v));
		entry = &list->v[list->n++];
		*entry = (struct profile_entry){.shipped = shipped};
		entry->name = xasprintf("%.*s", (int)(strlen(file) - strlen(PROFILE_SUFFIX)), file);
		entry->path = xasprintf("%s/%s", dir, file);
		describe(entry);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

void profile_list_load(struct profile_list *list)
{
	char *user = profile_user_dir(), *shipped = profile_shipped_dir();

	*list = (struct profile_list){0};
	add_folder(list, user, false);
	add_folder(list, shipped, true);
	free(user);
	free(shipped);
}

void profile_list_fini(struct profile_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->v[i].name);
		free(list->v[i].path);
		free(list->v[i].summary);
	}
	free(list->v);
	*list = (struct profile_list){0};
}
