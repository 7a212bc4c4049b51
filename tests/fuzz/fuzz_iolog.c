/*
 * Any bytes as a log of I/O: refused with one line that names a line of it, or records that stay within what
 * the log's own sums say. The first byte chooses the replay_ options. What was taken prints as a log that is
 * taken again, with the same I/O.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/strbuf.h"
#include "src/spec/iolog.h"
#include "tests/fuzz/fuzz.h"

static struct iolog_how how_of(uint8_t bits)
{
	static char redirect[] = "one";

	return (struct iolog_how){
		.redirect = bits & 1 ? redirect : NULL,
		.skip_ops = bits & 2 ? IO_BIT(IO_WRITE) : 0,
		.skip_syncs = bits & 4,
		.no_stall = bits & 8,
		.time_pct = bits & 16 ? 50 : 100,
		.align = bits & 32 ? 4096 : 0,
		.scale = bits & 64 ? 3 : 1,
	};
}

static void check_file(const struct iolog_set *set, const struct iolog_rec *r)
{
	const struct iolog_file *f = set->files[r->file];

	FUZZ_CHECK(f->ops & IO_BIT(r->kind));
	FUZZ_CHECK(r->offset >= f->begin_bytes && r->offset + r->len <= f->end_bytes);
	FUZZ_CHECK(f->end_log < set->n_logs && f->end_line >= 1);
}

static void check_log(const struct iolog_set *set, const struct iolog *log)
{
	uint64_t bytes = 0;
	uint32_t line = 0;

	for (size_t i = 0; i < log->n; i++) {
		const struct iolog_rec *r = &log->v[i];

		FUZZ_CHECK(r->line > line && r->kind <= IOLOG_WAIT);
		line = r->line;
		if (r->kind >= IO_OP_NR)
			continue;
		FUZZ_CHECK(r->file < set->n_files && r->len >= 1 && r->len <= IOLOG_LENGTH_MAX);
		FUZZ_CHECK(log->ops & IO_BIT(r->kind) && r->len <= log->len_max[r->kind]);
		check_file(set, r);
		bytes += r->len;
	}
	FUZZ_CHECK(bytes == log->bytes);
}

static void print_log(const struct iolog_set *set, struct strbuf *out)
{
	static const char *const kinds[] = {"read", "write", "trim", "sync", "datasync"};
	const struct iolog *log = &set->logs[0];

	strbuf_puts(out, IOLOG_HEADER "\n");
	for (size_t i = 0; i < set->n_files; i++)
		strbuf_addf(out, "0 %s add\n0 %s open\n", set->files[i]->path, set->files[i]->path);
	for (size_t i = 0; i < log->n; i++) {
		const struct iolog_rec *r = &log->v[i];

		if (r->kind != IOLOG_WAIT)
			strbuf_addf(out, "1 %s %s %llu %u\n", set->files[r->file]->path,
				    kinds[r->kind], (unsigned long long)r->offset, r->len);
	}
}

static void check_log_again(const struct iolog_set *set)
{
	struct iolog_how plain = how_of(0);
	struct iolog_set again = {0};
	struct strbuf text = {0};
	struct err e = {0};

	print_log(set, &text);
	FUZZ_CHECK(iolog_parse(&again, "again", text.s, text.len, &plain, &e) == 0);
	FUZZ_CHECK(again.logs[0].bytes == set->logs[0].bytes);
	FUZZ_CHECK(again.logs[0].ops == set->logs[0].ops);
	FUZZ_CHECK(again.n_files == set->n_files);
	strbuf_fini(&text);
	iolog_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct iolog_set set = {0};
	struct iolog_how how;
	struct err e = {0};

	if (size == 0)
		return 0;
	how = how_of(data[0]);
	if (iolog_parse(&set, "log", (const char *)data + 1, size - 1, &how, &e)) {
		fuzz_check_message(&e);
		FUZZ_CHECK(strncmp(e.msg, "log:", 4) == 0);
	} else {
		check_log(&set, &set.logs[0]);
		check_log_again(&set);
	}
	iolog_fini(&set);
	return 0;
}
