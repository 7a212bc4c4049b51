/* What the fuzz targets share. */
#ifndef IODECK_TESTS_FUZZ_H
#define IODECK_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_engines.h"
#include "src/base/err.h"

/* Not assert(): it must hold in every build. */
#define FUZZ_CHECK(cond)                                                                           \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);                 \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* One line, a code, no control characters. */
static inline void fuzz_check_message(const struct err *e)
{
	FUZZ_CHECK(e->code > 0);
	FUZZ_CHECK(e->msg[0] && strlen(e->msg) < sizeof(e->msg));
	for (const char *p = e->msg; *p; p++)
		FUZZ_CHECK((unsigned char)*p >= 0x20 || *p == '\t');
}

/* The options of engines are part of the language. */
static inline void fuzz_register_engines(void)
{
	static bool done;

	if (!done)
		app_engines_register();
	done = true;
}

#endif
