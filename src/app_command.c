#include "src/app_command.h"

#include <errno.h>
#include <string.h>

struct session_cfg app_command_session(const struct cmdline *c,
				       void (*note)(void *arg, const char *line), void *arg)
{
	return (struct session_cfg){
		.readonly = c->readonly,
		.bandwidth_log = c->bandwidth_log,
		.allow_destroy = (const char *const *)c->allow_destroy.v,
		.n_allow_destroy = c->allow_destroy.n,
		.allow_overwrite = (const char *const *)c->allow_overwrite.v,
		.n_allow_overwrite = c->allow_overwrite.n,
		.note = note,
		.note_arg = arg,
		.fsroot = "",
	};
}

int app_command_print(const struct strbuf *sb, FILE *out)
{
	if (fwrite(strbuf_str(sb), 1, sb->len, out) == sb->len && fflush(out) == 0)
		return 0;
	fprintf(stderr, "iodeck: writing the report: %s\n", strerror(errno));
	return 1;
}
