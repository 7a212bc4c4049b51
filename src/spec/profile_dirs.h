/* Where profiles live. Only profile*.c need this; profile.h has what others may call. */
#ifndef IODECK_SPEC_PROFILE_DIRS_H
#define IODECK_SPEC_PROFILE_DIRS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>

#define PROFILE_SUFFIX ".fio"

/* True for "name.fio", visible. */
bool profile_is_file_name(const char *name);
/* scandir() of the profiles in a folder, sorted: how many, or -1 with errno. */
int profile_scan(const char *dir, struct dirent ***names);

#endif
