/* `iodeck help json` against the keys that a report has. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/help.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/out_fixture.h"

/* Documented keys: case 116, `iodeck help json`. */

static bool is_one_of(const char *key, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(key, *words) == 0)
			return true;
	return false;
}

/* The row for a key below `path`: itself, its kind (DIR, LAT), or any key ("*"). -1: none. */
static int key_row(const char *path, const char *key, const char *tail)
{
	static const char *const dirs[] = {"read", "write", "trim", "mixed", NULL};
	static const char *const lat[] = {"min", "max", "mean", "stddev", "N", NULL};
	const char *const names[] = {key, is_one_of(key, dirs) ? "DIR" : key,
				     is_one_of(key, lat) ? "LAT" : key, "*"};
	char full[200];

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		snprintf(full, sizeof(full), "%s%s%s%s", path, *path ? "." : "", names[n], tail);
		for (int i = 0; json_keys[i].path; i++)
			if (strcmp(json_keys[i].path, full) == 0)
				return i;
	}
	return -1;
}

/* The path as the table writes it; below a "*" and for an empty object nothing is left to look up. */
static void see_keys(const json_t *o, const char *path, bool *seen)
{
	static const char *const dirs[] = {"read", "write", "trim", "mixed", NULL};
	char below[200];
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)o, key, v)
	{
		const json_t *child = json_is_array(v) ? json_array_get(v, 0) : v;
		int row = key_row(path, key, json_is_object(v) ? ".*" : "");

		if (row < 0 && json_is_object(child)) {
			snprintf(below, sizeof(below), "%s%s%s%s", path, *path ? "." : "",
				 is_one_of(key, dirs) ? "DIR" : key, json_is_array(v) ? "[]" : "");
			see_keys(child, below, seen);
			continue;
		}
		cr_expect_geq(row, 0, "%s.%s is not documented", path, key);
		if (row >= 0)
			seen[row] = true;
	}
}

Test(out_json, case_116_help_json_names_every_key_and_no_other)
{
	struct fixture *f = fixture_measured(1);
	bool seen[256] = {false};
	struct strbuf help = {0};
	json_t *doc;

	f->spec_job[0].description = xstrdup("text");
	f->spec_job[0].given = xcalloc(1, sizeof(struct opt_given));
	f->spec_job[0].given[0] = (struct opt_given){xstrdup("rw"), xstrdup("randrw")};
	f->spec_job[0].n_given = 1;
	f->spec.globals = xcalloc(1, sizeof(struct opt_given));
	f->spec.globals[0] = (struct opt_given){xstrdup("bs"), xstrdup("4k")};
	f->spec.n_globals = 1;
	f->disk[0].n_slaves = 1;
	f->spec_job[0].slat_percentiles = f->spec_job[0].lat_percentiles = true;
	f->spec_job[0].continue_on_error = CONTINUE_READ;
	f->job[0].search.state = SEARCH_MET;
	f->job[0].steady = xcalloc(1, sizeof(*f->job[0].steady));
	f->job[0].dir[IO_READ].slat_h = xcalloc(1, sizeof(struct hist));
	f->job[0].dir[IO_READ].slat_h->n[1000] = f->job[0].dir[IO_READ].st.slat.n;
	f->job[0].dir[IO_READ].resp = xcalloc(1, sizeof(struct lat_dist));
	*f->job[0].dir[IO_READ].resp = f->job[0].dir[IO_READ].st.lat;
	doc = fixture_json(f, FORMAT_JSON_PLUS);
	see_keys(doc, "", seen);
	cr_assert(report_help("json", &help));
	for (unsigned i = 0; json_keys[i].path; i++) {
		cr_expect(seen[i], "%s is documented and not there", json_keys[i].path);
		cr_expect_not_null(strstr(help.s, json_keys[i].path));
	}
	json_decref(doc);
	strbuf_fini(&help);
	fixture_free(f);
}
