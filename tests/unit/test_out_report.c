/* out/report: the table of formats, the header printed before a run, terse, and the locale. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/out/help.h"
#include "src/out/num.h"
#include "src/out/out_terse.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/out_fixture.h"

Test(out_report, formats_are_found_by_name_and_have_one_bit_each)
{
	static const char *const names[] = {"normal", "terse", "json", "json+"};
	unsigned seen = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct report_ops *ops = report_find(names[i]);

		cr_assert_not_null(ops, "%s", names[i]);
		cr_expect_str_eq(ops->name, names[i]);
		cr_expect(ops->summary && ops->run);
		cr_expect_eq(seen & ops->format, 0);
		seen |= ops->format;
	}
	cr_expect_eq(seen, FORMAT_NORMAL | FORMAT_TERSE | FORMAT_JSON | FORMAT_JSON_PLUS);
	cr_expect_null(report_find("yaml"));
	cr_expect_null(report_find(""));
}

Test(out_report, formats_asked_for_together_come_as_terse_json_normal)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf out = {0};
	const char *terse, *json, *normal;

	report_print(FORMAT_NORMAL | FORMAT_TERSE | FORMAT_JSON, &f->r, &out);
	terse = strstr(out.s, "3;" REPORT_VERSION ";job0;0;0;");
	json = strstr(out.s, "\n{\n");
	normal = strstr(out.s, "\n}\n\njob0: (groupid=0");
	cr_expect_eq(terse, out.s);
	cr_expect(json && normal && json < normal);
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_report, json_and_json_plus_together_are_one_document)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf both = {0}, plus = {0}, json = {0};

	report_print(FORMAT_JSON | FORMAT_JSON_PLUS, &f->r, &both);
	report_print(FORMAT_JSON_PLUS, &f->r, &plus);
	report_print(FORMAT_JSON, &f->r, &json);
	cr_expect_str_eq(both.s, plus.s);
	cr_expect_null(strstr(json.s, "\"bins\""));
	cr_expect_not_null(strstr(plus.s, "\"bins\""));
	strbuf_fini(&both);
	strbuf_fini(&plus);
	strbuf_fini(&json);
	fixture_free(f);
}

/* The jobs of the next test, as fio is told about them. */
static const char header_args[] =
	"--ioengine=null --size=1m --name=mix --rw=randrw --bs=16k,4k --iodepth=8 --numjobs=2 "
	"--thread --name=two --rw=write --bs=1m --thread --stonewall --name=three --rw=randtrim "
	"--new_group --thread --kb_base=1000 --bs=65536";

static struct fixture *header_fixture(void)
{
	struct fixture *f = fixture_new(3);
	struct job_spec *j = f->spec_job;
	static const char *const names[] = {"mix", "two", "three"};

	for (unsigned i = 0; i < 3; i++) {
		free(j[i].name);
		free(j[i].ioengine);
		j[i].name = xstrdup(names[i]);
		j[i].ioengine = xstrdup("null");
		j[i].iodepth = 1;
	}
	j[0].rw = (struct rw_spec){.ops = IO_BIT(IO_READ) | IO_BIT(IO_WRITE), .random = true};
	j[0].bs_bytes[IO_READ] = 16384;
	j[0].iodepth = 8;
	j[0].numjobs = 2;
	j[1].rw = (struct rw_spec){.ops = IO_BIT(IO_WRITE)};
	j[1].stonewall = true;
	j[2].rw = (struct rw_spec){.ops = IO_BIT(IO_TRIM), .random = true};
	j[2].new_group = true;
	j[2].kb_base = 1000;
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		j[1].bs_bytes[op] = 1 << 20;
		j[2].bs_bytes[op] = 65536;
	}
	return f;
}

static const char header_text[] =
	"mix: (g=0): rw=randrw, bs=(R) 16.0KiB-16.0KiB, (W) 4096B-4096B, (T) 4096B-4096B, "
	"ioengine=null, iodepth=8\n"
	"...\n"
	"two: (g=1): rw=write, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) "
	"1024KiB-1024KiB, ioengine=null, iodepth=1\n"
	"three: (g=2): rw=randtrim, bs=(R) 65.5kB-65.5kB, (W) 65.5kB-65.5kB, (T) 65.5kB-65.5kB, "
	"ioengine=null, iodepth=1\n"
	"%s\n"
	"Starting 4 threads\n";

Test(out_report, header_names_every_job_the_version_and_the_threads)
{
	struct fixture *f = header_fixture();
	struct strbuf out = {0}, want = {0};

	strbuf_addf(&want, header_text, REPORT_VERSION);
	report_header(&f->spec, &out);
	cr_expect_str_eq(out.s, want.s);
	strbuf_reset(&out);
	f->spec.n_jobs = 1;
	f->spec_job[0].numjobs = 1;
	report_header(&f->spec, &out);
	cr_expect_not_null(strstr(out.s, "iodepth=8\n" REPORT_VERSION "\nStarting 1 thread\n"));
	strbuf_fini(&out);
	strbuf_fini(&want);
	fixture_free(f);
}

Test(out_report, header_is_that_of_fio, .timeout = 60)
{
	char *text = fixture_run_fio(header_args, "normal");
	struct strbuf want = {0};

	if (!text)
		cr_skip("no fio here");
	strbuf_addf(&want, header_text, "fio-3.33");
	if (!strstr(text, "\nfio-3.33\n"))
		cr_skip("another version of fio");
	cr_expect(strncmp(text, want.s, want.len) == 0, "%s", text);
	strbuf_fini(&want);
	free(text);
}

/* Splits a terse line in place; the number of fields. */
static unsigned terse_fields(char *line, char **field, unsigned max)
{
	unsigned n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *s = line; s && n < max; n++)
		field[n] = strsep(&s, ";");
	return n;
}

Test(out_report, terse_has_121_fields_and_nine_per_disk)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf out = {0};
	char *field[200];
	unsigned n;

	report_print(FORMAT_TERSE, &f->r, &out);
	n = terse_fields(out.s, field, 200);
	cr_assert_eq(n, 139, "%u fields", n);
	/* What the scripts of articles 000 and 002 read, counted from 1. */
	cr_expect_str_eq(field[2], "job0");
	cr_expect_str_eq(field[5], "28000");
	cr_expect_str_eq(field[6], "13993", "R19: truncated");
	cr_expect_str_eq(field[7], "3498");
	cr_expect_str_eq(field[8], "2001");
	cr_expect_str_eq(field[48], "1500");
	cr_expect_eq(strncmp(field[17], "1.000000%=", 10), 0);
	cr_expect_str_eq(field[36], "0%=0");
	cr_expect_str_eq(field[87], "5.000000%");
	cr_expect_str_eq(field[121], "vda");
	cr_expect_str_eq(field[129], "75.95%");
	cr_expect_str_eq(field[130], "nvme0n1");
	strbuf_reset(&out);
	f->r.n_disks = 0;
	f->spec_job[0].description = xstrdup("a;b\nc");
	report_print(FORMAT_TERSE, &f->r, &out);
	n = terse_fields(out.s, field, 200);
	cr_assert_eq(n, 122);
	cr_expect_str_eq(field[121], "a_b_c");
	strbuf_fini(&out);
	fixture_free(f);
}

static const struct {
	unsigned version, fields, per_disk;
} terse_versions[] = {
	{2, 161, 0},
	{3, 121, 9},
	{4, 162, 9},
	{5, 180, 9},
};

static unsigned count_of(const char *s, char c)
{
	unsigned n = 0;

	for (; *s; s++)
		n += *s == c;
	return n;
}

Test(out_report, terse_versions_2_to_5_have_the_field_counts_of_fio)
{
	struct fixture *f = fixture_measured(1);

	for (size_t i = 0; i < sizeof(terse_versions) / sizeof(terse_versions[0]); i++) {
		struct report_how how = {FORMAT_TERSE, terse_versions[i].version};
		struct strbuf out = {0};

		report_print_as(&how, &f->r, &out);
		cr_expect_eq(count_of(out.s, ';') + 1,
			     terse_versions[i].fields + 2 * terse_versions[i].per_disk,
			     "version %u: %s", how.terse_version, out.s);
		cr_expect_eq(count_of(out.s, '\n'), 1);
		cr_expect_eq(out.s[0], '0' + (char)how.terse_version);
		strbuf_fini(&out);
	}
	fixture_free(f);
}

/* The n-th line of a text, without what follows it; NULL when there is none. */
static char *line_of(char *text, unsigned n)
{
	while (text && n--)
		text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
	return text;
}

/* Case 22 and 116: units and names are documented, one line per field that is printed. */
Test(out_report, case_22_help_terse_numbers_every_field_of_a_line)
{
	struct fixture *f = fixture_measured(1);

	f->r.n_disks = 1;
	f->spec_job[0].description = xstrdup("text");
	f->spec_job[0].continue_on_error = CONTINUE_READ;
	for (size_t i = 0; i < sizeof(terse_versions) / sizeof(terse_versions[0]); i++) {
		struct strbuf help = {0}, line = {0};
		char name[16];
		unsigned n, last = 0;

		snprintf(name, sizeof(name), "terse%u", terse_versions[i].version);
		cr_assert(report_help(name, &help));
		terse_add_line(&f->r, &f->job[0], terse_versions[i].version, &line);
		n = count_of(line.s, ';') + 1;
		cr_expect_eq(count_of(help.s, '\n'), n, "%s", name);
		sscanf(line_of(help.s, n - 1), "%u", &last);
		cr_expect_eq(last, n);
		strbuf_fini(&help);
		strbuf_fini(&line);
	}
	fixture_free(f);
}

Test(out_report, help_terse_names_what_scripts_read)
{
	static const struct {
		unsigned index;
		const char *text;
	} rows[] = {
		{3, "   3  jobname "},
		{7, "   7  read_bandwidth_kb    KiB/s "},
		{8, "   8  read_iops            1/s "},
		{48, "  48  write_bandwidth_kb   KiB/s "},
		{88, "  88  cpu_user             % "},
		{121, " 121  lat_over_2000ms      % "},
		{122, " 122  disk_name "},
		{130, " 130  disk_util            % "},
	};
	struct strbuf help = {0};

	cr_assert(report_help("terse", &help));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(strncmp(line_of(help.s, rows[i].index - 1), rows[i].text,
				     strlen(rows[i].text)),
			     0, "%.60s", line_of(help.s, rows[i].index - 1));
	strbuf_fini(&help);
	cr_expect_not(report_help("terse1", &help));
	cr_expect_not(report_help("terse33", &help));
	cr_expect_not(report_help("normal", &help));
}

Test(out_report, terse_of_a_job_that_did_nothing_is_zeros)
{
	struct fixture *f = fixture_new(1);
	struct strbuf out = {0};
	char *field[200];

	f->job[0].started = false;
	f->job[0].error = 2;
	report_print(FORMAT_TERSE, &f->r, &out);
	cr_expect_null(strstr(out.s, "nan"));
	cr_assert_eq(terse_fields(out.s, field, 200), 121);
	cr_expect_str_eq(field[4], "2");
	for (unsigned i = 5; i < 121; i++) {
		const char *value = strchr(field[i], '=') ? strchr(field[i], '=') + 1 : field[i];

		cr_expect_eq(strtod(value, NULL), 0, "field %u: %s", i + 1, field[i]);
	}
	strbuf_fini(&out);
	fixture_free(f);
}

/*
 * One unit of the last decimal of a number's text. The fixture is made from fio's json, which has six
 * decimals: a value that lies on a tie there may be rounded the other way by fio, who has them all.
 */
static double last_digit(const char *number)
{
	const char *dot = strchr(number, '.');

	return dot ? pow(10, -(double)strspn(dot + 1, "0123456789")) : 0;
}

/* Numbers in the same notation with the same unit, equal but for the last digits of a mean. */
static bool same_field(const char *a, const char *b)
{
	const char *x = strchr(a, '=') ? strchr(a, '=') + 1 : a;
	const char *y = strchr(b, '=') ? strchr(b, '=') + 1 : b;
	char *end_x, *end_y;
	double v = strtod(x, &end_x), w = strtod(y, &end_y);

	if (strcmp(a, b) == 0)
		return true;
	return x - a == y - b && strncmp(a, b, (size_t)(x - a)) == 0 && end_x != x &&
	       strcmp(end_x, end_y) == 0 && strchr(x, '.') &&
	       fabs(v - w) <= 1e-4 * fabs(v) + fmax(1e-3, last_digit(x) * 1.001);
}

/* Is field i (from 0) a percentile? fio lets those exceed the maximum. */
static bool exceeds_maximum(unsigned version, unsigned i, char *const *ours, const char *theirs)
{
	unsigned first = version == 2 ? 4 : 5, dir = version == 5 ? 47 : 41, at;

	if (i < first)
		return false;
	at = (i - first) % dir;
	return at >= 12 && at < 32 && strncmp(ours[i], theirs, strcspn(theirs, "=")) == 0 &&
	       strtoull(strchr(theirs, '=') + 1, NULL, 10) > strtoull(ours[i - at + 9], NULL, 10);
}

static void compare_terse(char *theirs_line, char *ours_line, unsigned version)
{
	char *ours[220], *theirs[220];
	unsigned n = terse_fields(ours_line, ours, 220);

	cr_expect_eq(n, terse_fields(theirs_line, theirs, 220), "version %u", version);
	for (unsigned i = 0; i < n; i++) {
		if (i == 1 && version != 2) /* the program */
			continue;
		cr_expect(same_field(theirs[i], ours[i]) ||
				  exceeds_maximum(version, i, ours, theirs[i]),
			  "version %u field %u: fio %s, iodeck %s", version, i + 1, theirs[i],
			  ours[i]);
	}
}

/* fio prints the description of version 2 on a line of its own; so it is left out there. */
static void terse_against_fio(unsigned version)
{
	struct strbuf args = {0}, out = {0};
	struct report_how how = {FORMAT_TERSE, version};
	struct fixture *f;
	json_error_t e;
	json_t *root;
	char *text, *doc;

	strbuf_addf(&args,
		    "--terse-version=%u --name=t --filename=f --size=4m --ioengine=psync "
		    "--rw=randrw --bs=4k %s",
		    version, version == 2 ? "" : "--description=text");
	text = fixture_run_fio(args.s, "terse,json+");
	strbuf_fini(&args);
	if (!text)
		cr_skip("no fio here");
	doc = strstr(text, "\n{\n");
	cr_assert_not_null(doc, "%s", text);
	root = json_loads(doc + 1, JSON_DISABLE_EOF_CHECK, &e);
	cr_assert_not_null(root, "%s", e.text);
	f = fixture_from_fio(root);
	report_print_as(&how, &f->r, &out);
	*doc = '\0';
	doc = strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text;
	compare_terse(doc, out.s, version);
	strbuf_fini(&out);
	fixture_free(f);
	json_decref(root);
	free(text);
}

Test(out_report, terse_is_that_of_fio_for_its_own_numbers, .timeout = 60)
{
	for (unsigned version = TERSE_VERSION_MIN; version <= TERSE_VERSION_MAX; version++)
		terse_against_fio(version);
}

/*
 * Case 118. A locale with a decimal comma, compiled for this test alone when the system has none. True
 * when printf really prints a comma.
 */
static bool use_comma_locale(const char *dir)
{
	static const char *const installed[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
						"ru_RU.UTF-8"};
	char cmd[256], text[16];

	for (size_t i = 0; i < sizeof(installed) / sizeof(installed[0]); i++)
		if (setlocale(LC_ALL, installed[i]))
			return true;
	snprintf(cmd, sizeof(cmd),
		 "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1 && "
		 "test -d %s/de_DE.UTF-8",
		 dir, dir);
	if (system(cmd) != 0)
		return false;
	setenv("LOCPATH", dir, 1);
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		return false;
	snprintf(text, sizeof(text), "%.1f", 1.5);
	return strcmp(text, "1,5") == 0;
}

Test(out_report, case_118_every_format_has_dots_whatever_the_locale, .timeout = 60)
{
	char dir[] = "/tmp/iodeck-locale-XXXXXX", cmd[64];
	const unsigned all = FORMAT_NORMAL | FORMAT_TERSE | FORMAT_JSON_PLUS;
	struct fixture *f = fixture_measured(2);
	struct strbuf plain = {0}, comma = {0};
	bool found;

	cr_assert_not_null(mkdtemp(dir));
	report_print(all, &f->r, &plain);
	found = use_comma_locale(dir);
	if (found) {
		report_print(all, &f->r, &comma);
		cr_expect_str_eq(comma.s, plain.s);
		cr_expect_str_eq(num_real(1234.5, 0, 2).s, "1234.50");
	}
	setlocale(LC_ALL, "C");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	cr_expect_eq(system(cmd), 0);
	strbuf_fini(&plain);
	strbuf_fini(&comma);
	fixture_free(f);
	if (!found)
		cr_skip("no locale with a decimal comma, and none can be compiled");
}
