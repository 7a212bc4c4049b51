/*
 * Profiles: plain fio job files NAME.fio in the user's folder ($XDG_CONFIG_HOME/iodeck/profiles)
 * and in the shipped one. iodeck's own keys live in comment lines `; iodeck: key=value`, so fio
 * still runs the file. Saving writes only what differs from the defaults, atomically.
 */
#ifndef IODECK_SPEC_PROFILE_H
#define IODECK_SPEC_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"
#include "src/spec/spec.h"

struct profile_entry {
	char *name; /* without .fio */
	char *path;
	char *summary; /* "randread 4k qd 32", or the first error */
	bool shipped, broken;
};

struct profile_list {
	struct profile_entry *v;
	size_t n;
};

/* User's folder first, shipped ones after, each sorted by name. Broken files are listed as such. */
void profile_list_load(struct profile_list *);
void profile_list_fini(struct profile_list *);
/* The folder profiles are saved to; under $XDG_CONFIG_HOME or ~/.config. Owned by the caller. */
char *profile_user_dir(void);
/* The job file text for one job: [global] omitted, one section, only what differs from default. */
void profile_print(const struct job_spec *, struct strbuf *out);
/* Writes NAME.fio into the user's folder; *path (owned by the caller) tells where. */
int profile_save(const char *name, const struct job_spec *, char **path, struct err *e);

#endif
