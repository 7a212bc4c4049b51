/* spec/iolog: fio's text logs of I/O, versions 2 and 3 (fio-language 2). */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/spec/iolog.h"
#include "tests/unit/run_help.h"

#define V3 "fio version 3 iolog\n"
#define A  "0 a add\n0 a open\n"

static const struct iolog_how plain = {.time_pct = 100};

static int parse(struct iolog_set *set, const char *text, const struct iolog_how *how,
		 struct err *e)
{
	return iolog_parse(set, "log", text, strlen(text), how, e);
}

/* Parses what must be taken. */
static const struct iolog *taken(struct iolog_set *set, const char *text,
				 const struct iolog_how *how)
{
	struct err e = {0};

	*set = (struct iolog_set){0};
	cr_assert_eq(parse(set, text, how, &e), 0, "%s: %s", text, e.msg);
	return &set->logs[set->n_logs - 1];
}

Test(iolog, version_3_has_the_time_of_every_line)
{
	static const char text[] = V3 "5 a add\n9 b add\n100 a open\n110 a read 4096 512\n"
				      "120 b open\n125 b write 0 8192\n130 a close\n"
				      "200 b sync 0 0\n201 b datasync 0 0\n260 b trim 65536 4096\n";
	static const struct iolog_rec want[] = {
		{.offset = 4096,
		 .time_ns = 105000,
		 .len = 512,
		 .line = 5,
		 .file = 0,
		 .kind = IO_READ},
		{.offset = 0,
		 .time_ns = 15000,
		 .len = 8192,
		 .line = 7,
		 .file = 1,
		 .kind = IO_WRITE},
		{.time_ns = 75000, .line = 9, .file = 1, .kind = IOLOG_SYNC},
		{.time_ns = 1000, .line = 10, .file = 1, .kind = IOLOG_DATASYNC},
		{.offset = 65536,
		 .time_ns = 59000,
		 .len = 4096,
		 .line = 11,
		 .file = 1,
		 .kind = IO_TRIM},
	};
	struct iolog_set set;
	const struct iolog *log = taken(&set, text, &plain);

	cr_assert_eq(log->n, 5);
	for (size_t i = 0; i < log->n; i++) {
		const struct iolog_rec *r = &log->v[i];

		cr_expect(r->offset == want[i].offset && r->time_ns == want[i].time_ns &&
				  r->len == want[i].len && r->line == want[i].line &&
				  r->file == want[i].file && r->kind == want[i].kind,
			  "record %zu: %lu ns, line %u", i, r->time_ns, r->line);
	}
	cr_expect(log->syncs && !log->absolute);
	cr_expect_eq(log->ops, IO_BIT(IO_READ) | IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM));
	cr_expect_eq(log->bytes, 512 + 8192 + 4096);
	cr_expect_eq(log->len_max[IO_WRITE], 8192);
	cr_assert_eq(set.n_files, 2);
	cr_expect_str_eq(set.files[1]->path, "b");
	cr_expect(set.files[0]->ops == IO_BIT(IO_READ) && set.files[0]->begin_bytes == 4096 &&
		  set.files[0]->end_bytes == 4608);
	cr_expect(set.files[1]->end_bytes == 69632 && set.files[1]->end_line == 11);
	iolog_fini(&set);
}

/* fio 3.33 waits until so many ms after its start, whatever its manual says of microseconds. */
Test(iolog, version_2_waits_until_a_time)
{
	struct iolog_set set;
	const struct iolog *log = taken(&set,
					"fio version 2 iolog\na add\na open\na read 0 4096\n"
					"a wait 700 0\na read 4096 4096\na close\n",
					&plain);

	cr_assert_eq(log->n, 3);
	cr_expect(log->absolute && log->v[1].kind == IOLOG_WAIT);
	cr_expect_eq(log->v[1].time_ns, 700000000);
	cr_expect(log->v[0].time_ns == 0 && log->v[2].time_ns == 0);
	iolog_fini(&set);
}

/* write_iolog appends: the first line comes again, and the times begin anew. */
Test(iolog, what_was_appended_is_played_after_the_rest)
{
	struct iolog_set set;
	const struct iolog *log = taken(&set,
					V3 "0 a add\n3 a open\n50 a read 0 512\n" V3
					   "0 a add\n4 a open\n9 a read 512 512\n30 a close\n",
					&plain);

	cr_assert_eq(log->n, 2);
	cr_expect_eq(log->v[0].time_ns, 47000);
	cr_expect_eq(log->v[1].time_ns, 5000);
	iolog_fini(&set);
}

Test(iolog, replay_options_change_what_is_read)
{
	static char to[] = "elsewhere";
	static const char text[] = V3 A "10 a read 5000 512\n20 a write 9000 512\n30 a sync 0 0\n"
					"40 a read 0 512\n";
	struct iolog_how how = plain;
	struct iolog_set set;
	const struct iolog *log;

	how.time_pct = 50;
	log = taken(&set, text, &how);
	cr_expect_eq(log->v[1].time_ns, 20000, "half as fast");
	iolog_fini(&set);
	how = plain;
	how.no_stall = true;
	log = taken(&set, text, &how);
	cr_expect_eq(log->v[1].time_ns, 0);
	iolog_fini(&set);
	how = plain;
	how.align = 4096;
	how.scale = 2;
	log = taken(&set, text, &how);
	cr_expect(log->v[0].offset == 0 && log->v[1].offset == 4096, "%lu %lu", log->v[0].offset,
		  log->v[1].offset);
	iolog_fini(&set);
	how = plain;
	how.redirect = to;
	log = taken(&set, text, &how);
	cr_expect(set.n_files == 1 && strcmp(set.files[0]->path, to) == 0);
	iolog_fini(&set);
	how = plain;
	how.skip_ops = IO_BIT(IO_WRITE);
	how.skip_syncs = true;
	log = taken(&set, text, &how);
	cr_expect(log->n == 2 && log->ops == IO_BIT(IO_READ) && !log->syncs);
	cr_expect_eq(log->v[1].time_ns, 30000, "the time of what is left out stays");
	cr_expect_eq(set.files[0]->end_bytes, 5512, "its region does not");
	iolog_fini(&set);
}

Test(iolog, words_of_replay_skip)
{
	struct iolog_how how;
	struct err e = {0};

	cr_expect_eq(iolog_skip_parse("read,trim,sync", &how, &e), 0);
	cr_expect(how.skip_ops == (IO_BIT(IO_READ) | IO_BIT(IO_TRIM)) && how.skip_syncs);
	cr_expect_lt(iolog_skip_parse("flush", &how, &e), 0, "fio's help names it, fio refuses it");
	cr_expect_lt(iolog_skip_parse("read,", &how, &e), 0);
	cr_expect_lt(iolog_skip_parse("", &how, &e), 0);
}

Test(iolog, what_is_wrong_is_told_with_its_line)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "log: is empty"},
		{"read,0,4096\n", "log:1: 'read,0,4096': the first line"},
		{"fio version 1 iolog\n", "log:1: 'fio version 1"},
		{V3, "holds no read"},
		{V3 A, "holds no read"},
		{V3 A "1 a sync 0 0\n", "holds no read"},
		{V3 A "1 b read 0 512\n", "log:4: read of b, which no line"},
		{V3 "0 a add\n1 a read 0 512\n", "log:3: read of a, which is not open"},
		{V3 A "1 a close\n2 a read 0 512\n", "log:5: read of a, which is not open"},
		{V3 "1 a open\n", "log:2: open of a"},
		{V3 A "1 a read 0 0\n", "read of 0 bytes"},
		{V3 A "1 a read 0 1073741825\n", "(1 GiB)"},
		{V3 A "1 a read 9223372036854775807 512\n", "beyond what a file can hold"},
		{V3 A "1 a read 0 4k\n", "wanted offset and length"},
		{V3 A "1 a read -1 512\n", "wanted offset and length"},
		{V3 A "1 a read 18446744073709551616 512\n", "wanted offset and length"},
		{V3 A "1 a read 0\n", "log:4: wanted TIME FILE"},
		{V3 A "1 a read 0 512 9\n", "log:4: wanted TIME FILE"},
		{V3 A "x a read 0 512\n", "begins with a time"},
		{V3 A "1 a wait 100 0\n", "only version 2"},
		{V3 A "1 a erase 0 512\n", "'erase': wanted read"},
		{V3 "0 a unlink\n", "'unlink': wanted add"},
		{V3 A "fio version 2 iolog\n", "within a log of version 3"},
		{"fio version 2 iolog\na add\na open\n1 a read 0 512\n", "log:4: wanted FILE"},
		{V3 A "1 a\033[2J read 0 512\n", "log:4: a line with a control"},
		{"\007tae\n", "blktrace"},
		{"eat\007\n", "blktrace"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct iolog_set set = {0};
		struct err e = {0};

		cr_expect_lt(parse(&set, rows[i].text, &plain, &e), 0, "%s", rows[i].text);
		cr_expect(strstr(e.msg, rows[i].says), "case %zu: \"%s\" lacks \"%s\"", i, e.msg,
			  rows[i].says);
		iolog_fini(&set);
	}
}

Test(iolog, long_lines_and_names_are_refused)
{
	char text[8192], name[300];
	struct iolog_set set = {0};
	struct err e = {0};

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), V3 "0 %s add\n", name);
	cr_expect_lt(parse(&set, text, &plain, &e), 0);
	cr_expect(strstr(e.msg, "log:2: a file name of more than 255"), "%s", e.msg);
	iolog_fini(&set);
	memset(text, ' ', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, V3, strlen(V3));
	cr_expect_lt(parse(&set, text, &plain, &e), 0);
	cr_expect(strstr(e.msg, "log:2: a line of more than"), "%s", e.msg);
	iolog_fini(&set);
	cr_expect_lt(iolog_parse(&set, "log", V3 "0 a\0add\n", sizeof(V3) + 8, &plain, &e), 0);
	cr_expect(strstr(e.msg, "NUL"), "%s", e.msg);
	iolog_fini(&set);
}

Test(iolog, names_that_a_log_can_hold)
{
	struct err e = {0};

	cr_expect_eq(iolog_check_name("/dev/nvme0n1", &e), 0);
	cr_expect_lt(iolog_check_name("my file", &e), 0);
	cr_expect(strstr(e.msg, "blank"), "%s", e.msg);
	cr_expect_lt(iolog_check_name("", &e), 0);
}

Test(iolog, several_logs_share_their_files)
{
	struct iolog_set set = {0};
	struct err e = {0};

	cr_assert_eq(parse(&set, V3 A "1 a read 0 512\n", &plain, &e), 0);
	cr_assert_eq(parse(&set, V3 "0 b add\n0 b open\n0 a add\n0 a open\n1 a write 512 512\n",
			   &plain, &e),
		     0, "%s", e.msg);
	cr_expect(set.n_logs == 2 && set.n_files == 2);
	cr_expect(set.logs[1].v[0].file == 0 && set.files[0]->end_log == 1);
	cr_expect_eq(set.files[0]->ops, IO_BIT(IO_READ) | IO_BIT(IO_WRITE));
	iolog_fini(&set);
	cr_assert_eq(parse(&set, V3 A "1 a read 0 512\n", &plain, &e), 0);
	cr_expect_lt(parse(&set, V3 "1 a read 0 512\n", &plain, &e), 0,
		     "what another log adds is not added in this one");
	iolog_fini(&set);
}

Test(iolog, only_a_regular_file_is_read)
{
	struct iolog_set set = {0};
	struct err e = {0};
	char dir[64];

	tmp_make(dir, sizeof(dir), "/dev/shm");
	cr_expect_lt(iolog_load(&set, dir, &plain, &e), 0);
	cr_expect(strstr(e.msg, "not a regular file"), "%s", e.msg);
	cr_expect_lt(iolog_load(&set, "/nonexistent/log", &plain, &e), 0);
	cr_expect_eq(e.code, ENOENT);
	iolog_fini(&set);
	tmp_remove(dir);
}
