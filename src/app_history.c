#include "src/app_history.h"

#include <stdlib.h>

#include "src/app_sweep_files.h"
#include "src/base/xalloc.h"
#include "src/out/out_sweep.h"
#include "src/out/report.h"
#include "src/rec/store.h"
#include "src/spec/cmdline.h"

/* UI thread, after the run's end: the session has its result until the next start. */
static void report(void *arg, const struct snapshot *last, bool sweep, const struct job_spec *job,
		   struct strbuf *out)
{
	const struct run_result *r;

	if (sweep) {
		app_sweep_print(SWEEP_JSON, &last->sweep.r, job, out);
		return;
	}
	r = session_result(arg);
	if (r)
		report_print(FORMAT_JSON, r, out);
}

struct archive *app_history_open(struct session *s, const char *state_dir)
{
	char *folder = state_dir ? xasprintf("%s/runs", state_dir) : store_default_folder();
	struct archive *a = NULL;

	if (folder)
		a = store_open(&(struct store_cfg){
			.folder = folder,
			.report = report,
			.arg = s,
		});
	free(folder);
	return a;
}

void app_history_close(struct archive *a)
{
	store_close(a);
}
