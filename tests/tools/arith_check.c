/*
 * Reads one json report on standard input and checks its arithmetic: a line per violation on standard
 * output. Exit status 0: none, 1: some, 2: not one valid json document, or bad usage.
 *   usage: arith_check [--busy] < report.json
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/arith.h"

int main(int argc, char **argv)
{
	struct strbuf out = {0};
	json_error_t e;
	json_t *root;
	unsigned flags = 0, n;

	if (argc == 2 && strcmp(argv[1], "--busy") == 0)
		flags |= ARITH_BUSY;
	else if (argc != 1)
		return fprintf(stderr, "usage: arith_check [--busy] < report.json\n"), 2;
	root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &e);
	if (!root) {
		fprintf(stderr, "arith_check: line %d: %s\n", e.line, e.text);
		return 2;
	}
	n = arith_check(root, flags, &out);
	fputs(strbuf_str(&out), stdout);
	strbuf_fini(&out);
	json_decref(root);
	return n ? 1 : 0;
}
