/* Profiles: what is saved comes back, fio reads it too, and the shipped ones are good. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/spec/profile.h"
#include "tests/unit/random_row.h"
#include "tests/unit/spec_text.h"

static char home[32];

/* A config folder of this test's own. */
static void setup(void)
{
	strcpy(home, "/tmp/iodeck-prof-XXXXXX");
	cr_assert_not_null(mkdtemp(home));
	setenv("XDG_CONFIG_HOME", home, 1);
}

static void cleanup(void)
{
	char *cmd = xasprintf("rm -r %s", home);

	cr_expect_eq(system(cmd), 0);
	free(cmd);
}

TestSuite(profile, .init = setup, .fini = cleanup);

/* All files in one call: each costs fio half a second. Without fio there is nobody to ask. */
static void expect_fio_reads(const char *files)
{
	char *cmd;

	if (system("command -v fio >/dev/null 2>&1") != 0)
		cr_skip_test("fio is not installed");
	cmd = xasprintf("cd %s && fio --parse-only %s 2>err || { cat err; false; }", home, files);
	cr_expect_eq(system(cmd), 0, "%s", files);
	free(cmd);
}

/* The numbers and words of every row; texts keep to what a job file can hold. */
static void randomise(struct rng *rng, struct job_spec *job)
{
	char text[128];

	for (const struct option_def *row = job_options; row->name; row++) {
		struct err e = {0};

		/* fio wants it to exist */
		if (strcmp(row->name, "directory") == 0 || rng_below(rng, 3) == 0)
			continue;
		random_row_text(rng, row, "te xt:[=]\\", text, sizeof(text));
		cr_assert_eq(option_set(row, job, text, job->kb_base, &e), 0, "%s", e.msg);
	}
}

/* What no job may hold together. */
static void make_runnable(struct job_spec *job)
{
	memset(job->rate_iops, 0, sizeof(job->rate_iops));
	if (job->size.is_set && !job->size.is_pct)
		job->size.bytes |= 1ull << 40;
	job->time_based &= job->runtime_ns > 0;
}

static void expect_same(const struct job_spec *a, const struct job_spec *b, const char *path)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		if (strcmp(row->name, "name") == 0 && !a->name)
			continue;
		cr_expect(option_equal(row, a, b), "%s: %s came back differently", path, row->name);
	}
}

Test(profile, saved_and_loaded_jobs_are_equal_and_fio_reads_them)
{
	struct rng rng;

	rng_seed(&rng, 7);
	for (unsigned i = 0; i < 60; i++) {
		struct job_spec job;
		struct err e = {0};
		struct spec s;
		char *path, name[8];

		snprintf(name, sizeof(name), "p%u", i);
		job_spec_init(&job);
		randomise(&rng, &job);
		make_runnable(&job);
		cr_assert_eq(profile_save(name, &job, &path, &e), 0, "%s", e.msg);
		spec_init(&s);
		cr_assert_eq(jobfile_load(path, NULL, &s, &e), 0, "%s", e.msg);
		cr_assert_eq(s.n_jobs, 1);
		cr_expect_eq(s.notes.len, 0, "%s", s.notes.s);
		expect_same(&job, &s.jobs[0], path);
		free(path);
		spec_fini(&s);
		job_spec_fini(&job);
	}
	expect_fio_reads("iodeck/profiles/*.fio");
}

Test(profile, every_row_alone_survives)
{
	struct rng rng;
	char text[128];

	rng_seed(&rng, 8);
	for (const struct option_def *row = job_options; row->name; row++) {
		for (unsigned i = 0; i < 20; i++) {
			struct strbuf printed = {0};
			struct job_spec job;
			struct spec s;

			job_spec_init(&job);
			random_row_text(&rng, row, "word", text, sizeof(text));
			cr_assert_eq(option_set(row, &job, text, 1024, NULL), 0);
			make_runnable(&job);
			profile_print(&job, &printed);
			parse_ok(printed.s, &s);
			expect_same(&job, &s.jobs[0], row->name);
			spec_fini(&s);
			strbuf_fini(&printed);
			job_spec_fini(&job);
		}
	}
}

Test(profile, only_what_differs_from_the_defaults_is_written)
{
	struct strbuf text = {0};
	struct job_spec job;

	job_spec_init(&job);
	profile_print(&job, &text);
	cr_expect_str_eq(text.s, "[job]\n");
	strbuf_reset(&text);
	option_set(option_find(job_options, "name"), &job, "globalish", 1024, NULL);
	option_set(option_find(job_options, "bs"), &job, "8k", 1024, NULL);
	option_set(option_find(job_options, "time_based"), &job, NULL, 1024, NULL);
	option_set(option_find(job_options, "randrepeat"), &job, "0", 1024, NULL);
	option_set(option_find(job_options, "size"), &job, "25%", 1024, NULL);
	profile_print(&job, &text);
	cr_expect_str_eq(text.s,
			 "[job]\nname=globalish\nbs=8k\nsize=25%\ntime_based\nrandrepeat=0\n");
	strbuf_fini(&text);
	job_spec_fini(&job);
}

Test(profile, sizes_are_plain_bytes_when_k_means_a_thousand)
{
	struct strbuf text = {0};
	struct job_spec job;

	job_spec_init(&job);
	job.kb_base = 1000;
	job.bs_bytes[IO_READ] = job.bs_bytes[IO_WRITE] = job.bs_bytes[IO_TRIM] = 8192;
	profile_print(&job, &text);
	cr_expect_str_eq(text.s, "[job]\nbs=8192\nkb_base=1000\n");
	strbuf_fini(&text);
	job_spec_fini(&job);
}

/* Case 4: the file picker's x:y.dat. */
Test(profile, case_4_a_colon_in_a_file_name)
{
	struct err e = {0};
	struct job_spec job;
	struct strbuf text = {0};
	struct spec s;
	const char *list;
	char *path, *name;

	job_spec_init(&job);
	job.filename = spec_path_escape("x:y.dat");
	cr_assert_eq(profile_save("colon", &job, &path, &e), 0, "%s", e.msg);
	fs_read_all("", path, &text);
	cr_expect_not_null(strstr(text.s, "filename=x\\:y.dat\n"), "%s", text.s);
	spec_init(&s);
	cr_assert_eq(jobfile_load(path, NULL, &s, &e), 0);
	list = s.jobs[0].filename;
	name = spec_path_next(&list);
	cr_expect_str_eq(name, "x:y.dat");
	free(name);
	free(path);
	strbuf_fini(&text);
	spec_fini(&s);
	job_spec_fini(&job);
}

static void expect_unsaved(const char *name, const char *filename, const char *part)
{
	struct err e = {0};
	struct job_spec job;
	char *path = NULL;

	job_spec_init(&job);
	job.filename = xstrdup(filename);
	cr_expect_lt(profile_save(name, &job, &path, &e), 0, "saved %s as %s", filename, name);
	cr_expect_not_null(strstr(e.msg, part), "%s", e.msg);
	cr_expect_null(path);
	job_spec_fini(&job);
}

Test(profile, what_a_job_file_cannot_hold_is_refused_not_damaged)
{
	expect_unsaved("p", "a#b", "begin a comment");
	expect_unsaved("p", "a;b", "begin a comment");
	expect_unsaved("p", " a", "a blank at an end");
	expect_unsaved("p", "a\nrw=write", "control character");
	expect_unsaved("p", "a${HOME}", "is a variable");
	expect_unsaved("p", "a$ncpus", "is a variable");
	expect_unsaved("../p", "a", "cannot name a profile");
	expect_unsaved(".p", "a", "cannot name a profile");
	expect_unsaved("", "a", "cannot name a profile");
	cr_expect_not(profile_exists("p"));
}

Test(profile, list_has_the_users_first_then_the_shipped_and_marks_broken_ones)
{
	char *shipped = xasprintf("%s/shipped", home), *path, *file;
	struct profile_list list;
	struct job_spec job;
	struct err e = {0};

	setenv("IODECK_PROFILES", shipped, 1);
	job_spec_init(&job);
	cr_assert_eq(profile_save("zebra", &job, &path, &e), 0, "%s", e.msg);
	free(path);
	cr_expect(profile_exists("zebra"));
	cr_assert_eq(profile_save("ant", &job, NULL, &e), 0);
	file = xasprintf("%s/bee.fio", shipped);
	cr_assert_eq(fs_write_atomic(file, "[b]\nbs=x\n", 9), 0);
	free(file);
	file = xasprintf("%s/cow.fio", shipped);
	cr_assert_eq(fs_write_atomic(file, "[a]\n[b]\n", 8), 0);
	free(file);
	file = xasprintf("%s/notes.txt", shipped);
	cr_assert_eq(fs_write_atomic(file, "x", 1), 0);
	free(file);
	profile_list_load(&list);
	cr_assert_eq(list.n, 4);
	cr_expect_str_eq(list.v[0].name, "ant");
	cr_expect_str_eq(list.v[0].summary, "read 4k qd 1 psync");
	cr_expect_str_eq(list.v[1].name, "zebra");
	cr_expect(!list.v[1].shipped && !list.v[1].broken);
	cr_expect_str_eq(list.v[2].name, "bee");
	cr_expect(list.v[2].shipped && list.v[2].broken);
	cr_expect_not_null(strstr(list.v[2].summary, "bee.fio:2: [b]: bs=x"));
	cr_expect_str_eq(list.v[3].summary, "2 jobs: a, b");
	profile_list_fini(&list);
	job_spec_fini(&job);
	free(shipped);
}

Test(profile, folders_follow_the_environment)
{
	char *dir;

	setenv("XDG_CONFIG_HOME", "relative", 1);
	setenv("HOME", "/home/x", 1);
	dir = profile_user_dir();
	cr_expect_str_eq(dir, "/home/x/.config/iodeck/profiles");
	free(dir);
	setenv("XDG_CONFIG_HOME", "/cfg", 1);
	dir = profile_user_dir();
	cr_expect_str_eq(dir, "/cfg/iodeck/profiles");
	free(dir);
}

/* The binary of this test lies in the tree, as ./iodeck does. */
Test(profile, the_shipped_ones_load_name_only_scratch_files_and_run_in_fio)
{
	struct strbuf files = {0};
	struct profile_list list;
	unsigned shipped = 0;

	unsetenv("IODECK_PROFILES");
	profile_list_load(&list);
	for (size_t i = 0; i < list.n; i++) {
		struct strbuf text = {0};
		struct err e = {0};
		struct spec s;

		if (!list.v[i].shipped)
			continue;
		shipped++;
		cr_expect_not(list.v[i].broken, "%s: %s", list.v[i].path, list.v[i].summary);
		spec_init(&s);
		cr_expect_eq(jobfile_load(list.v[i].path, NULL, &s, &e), 0, "%s", e.msg);
		cr_expect_eq(s.notes.len, 0, "%s", s.notes.s);
		for (size_t j = 0; j < s.n_jobs; j++)
			cr_expect(!s.jobs[j].directory &&
				  (!s.jobs[j].filename ||
				   strcmp(s.jobs[j].filename, "iodeck.scratch") == 0));
		fs_read_all("", list.v[i].path, &text);
		cr_expect_eq(text.s[0], ';', "%s does not say what it shows", list.v[i].path);
		strbuf_addf(&files, " '%s'", list.v[i].path);
		strbuf_fini(&text);
		spec_fini(&s);
	}
	profile_list_fini(&list);
	cr_expect_geq(shipped, 8, "%u shipped profiles found", shipped);
	expect_fio_reads(strbuf_str(&files));
	strbuf_fini(&files);
}
