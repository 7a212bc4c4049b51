#include "src/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/ioop.h"

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -code;
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return -code;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char old[sizeof(e->msg)];
	size_t n;
	va_list ap;

	memcpy(old, e->msg, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	n = strlen(e->msg);
	strncat(e->msg, ": ", sizeof(e->msg) - n - 1);
	n = strlen(e->msg);
	strncat(e->msg, old, sizeof(e->msg) - n - 1);
	return -e->code;
}

const char *io_op_name(enum io_op op)
{
	static const char *const names[IO_OP_NR] = {"read", "write", "trim"};

	return op < IO_OP_NR ? names[op] : "?";
}
