#include "src/stat/archive.h"

#include <stdlib.h>

const char *const archive_status_words[ARCHIVE_STATUS_NR] = {
	[ARCHIVE_DONE] = "done", [ARCHIVE_STOPPED] = "stopped", [ARCHIVE_FAILED] = "failed",
	[ARCHIVE_LOST] = "lost", [ARCHIVE_PARTIAL] = "partial",
};

const char *archive_ended_text(const struct archive_entry *en)
{
	return en->status == ARCHIVE_PARTIAL ? "partial: ended by a crash"
					     : archive_status_words[en->status];
}

const char *const archive_format_words[ARCHIVE_FORMAT_NR] = {
	[ARCHIVE_SVG] = "svg",
	[ARCHIVE_HTML] = "html",
	[ARCHIVE_JSON] = "json",
	[ARCHIVE_CSV] = "csv",
};

void archive_list_fini(struct archive_list *l)
{
	free(l->v);
	*l = (struct archive_list){0};
}

void archive_series_fini(struct archive_series *s)
{
	free(s->v);
	*s = (struct archive_series){0};
}
