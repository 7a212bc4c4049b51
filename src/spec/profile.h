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

/*
 * The shipped folder is $IODECK_PROFILES when set; else share/iodeck/profiles beside the binary's bin
 * folder; else, in a source tree, the nearest `profiles` folder above the binary. NULL: none found.
 * Owned by the caller.
 */
char *profile_shipped_dir(void);
/* User's folder first, shipped ones after, each sorted by name. Broken files are listed as such. */
void profile_list_load(struct profile_list *);
void profile_list_fini(struct profile_list *);
/*
 * The folder profiles are saved to; under $XDG_CONFIG_HOME or ~/.config. NULL when there is neither a
 * home nor a password entry. Owned by the caller.
 */
char *profile_user_dir(void);
/* The job file text for one job: [global] omitted, one section, only what differs from default. */
void profile_print(const struct job_spec *, struct strbuf *out);
/* True when the user's folder has a NAME.fio already: saving would replace it. */
bool profile_exists(const char *name);
/*
 * Writes NAME.fio into the user's folder, replacing an older one; *path (owned by the caller) tells
 * where. Refuses names that are not plain file names and values that no job file can hold (';' and '#'
 * anywhere, blanks at an end, variables).
 */
int profile_save(const char *name, const struct job_spec *, char **path, struct err *e);

#endif
