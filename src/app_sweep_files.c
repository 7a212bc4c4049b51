#include "src/app_sweep_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app_target.h"
#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/rec/store.h"
#include "src/spec/jobfile.h"

static struct sweep_result *identified(const struct sweep_result *r, const struct job_spec *job)
{
	struct sweep_result *known = xcalloc(1, sizeof(*known));

	*known = *r;
	app_target_identity(job->filename, known->target_id, sizeof(known->target_id));
	return known;
}

void app_sweep_print(unsigned format, const struct sweep_result *r, const struct job_spec *job,
		     struct strbuf *out)
{
	struct sweep_result *known = identified(r, job);

	sweep_report(format, known, job, out);
	free(known);
}

/* What a name's end asks for; 0: none. */
static unsigned export_format(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && strcmp(dot, ".json") == 0)
		return SWEEP_JSON;
	if (dot && strcmp(dot, ".csv") == 0)
		return SWEEP_CSV;
	return dot && strcmp(dot, ".txt") == 0 ? SWEEP_NORMAL : 0;
}

int app_sweep_export(const struct sweep_result *r, const struct job_spec *job, const char *path,
		     struct err *e)
{
	unsigned format = export_format(path);
	const char *dot = strrchr(path, '.');
	struct strbuf sb = {0};
	int rc;

	if (!format && !(dot && strcmp(dot, ".fio") == 0))
		return err_set(e, EINVAL,
			       "export %.150s: the name must end in .json, .csv, .txt or .fio",
			       path);
	if (access(path, F_OK) == 0)
		return err_set(e, EEXIST, "export: %.150s is there already; another name", path);
	if (format)
		app_sweep_print(format, r, job, &sb);
	else
		sweep_out_jobs(r, job, &sb);
	rc = fs_write_atomic(path, strbuf_str(&sb), sb.len);
	strbuf_fini(&sb);
	return rc ? err_set(e, -rc, "export %.150s: %s", path, strerror(-rc)) : 0;
}

int app_sweep_same_target(const char *name, const struct sweep_result *r,
			  const struct job_spec *job, struct err *e)
{
	char id[sizeof(r->target_id)];

	app_target_identity(job->filename, id, sizeof(id));
	if (strcmp(id, r->target_id) == 0)
		return 0;
	return err_set(e, EINVAL, "%s: was measured on %.150s; %.80s is %.150s now", name,
		       r->target_id[0] ? r->target_id : "a file",
		       job->filename ? job->filename : "its file", id[0] ? id : "no block device");
}

int app_sweep_read(const char *name, const char *text, struct spec *job, struct sweep_result *r,
		   struct err *e)
{
	struct sweep_saved *saved = xcalloc(1, sizeof(*saved));
	int rc = sweep_load_text(name, text, saved, e);

	if (rc == 0)
		rc = jobfile_parse(name, saved->job, strlen(saved->job), NULL, job, e);
	if (rc == 0)
		rc = app_sweep_same_target(name, &saved->r, &job->jobs[0], e);
	if (rc == 0)
		*r = saved->r;
	sweep_saved_fini(saved);
	free(saved);
	return rc;
}

char *app_sweep_find(const char *what)
{
	char *folder, *path = NULL;

	if (access(what, F_OK) == 0 || strchr(what, '/'))
		return xstrdup(what);
	folder = store_default_folder();
	if (folder)
		path = xasprintf("%s/%s/run.json", folder, what);
	free(folder);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return xstrdup(what);
}
