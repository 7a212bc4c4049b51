#include "src/spec/profile_dirs.h"

#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/spec/profile.h"

/* build/release/iodeck: two steps up to the source tree, one to spare. */
#define TREE_STEPS 3

bool profile_is_file_name(const char *name)
{
	size_t n = strlen(name), suffix = strlen(PROFILE_SUFFIX);

	return name[0] != '.' && n > suffix && strcmp(name + n - suffix, PROFILE_SUFFIX) == 0;
}

static int is_profile(const struct dirent *entry)
{
	return profile_is_file_name(entry->d_name);
}

int profile_scan(const char *dir, struct dirent ***names)
{
	return scandir(dir, names, is_profile, alphasort);
}

static bool has_profiles(const char *dir)
{
	struct dirent **names;
	int n = profile_scan(dir, &names);

	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n >= 0)
		free(names);
	return n > 0;
}

/* From the password file, for when HOME is not set. NULL: none. */
static char *home_of_user(void)
{
	struct passwd pw, *found = NULL;
	char buf[4096];

	if (getpwuid_r(getuid(), &pw, buf, sizeof(buf), &found) != 0 || !found)
		return NULL;
	return found->pw_dir && *found->pw_dir ? xstrdup(found->pw_dir) : NULL;
}

char *profile_user_dir(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *env_home = getenv("HOME");
	char *home, *dir;

	/* The XDG rules: a relative path is to be ignored. */
	if (xdg && xdg[0] == '/')
		return xasprintf("%s/iodeck/profiles", xdg);
	home = env_home && *env_home ? xstrdup(env_home) : home_of_user();
	dir = home ? xasprintf("%s/.config/iodeck/profiles", home) : NULL;
	free(home);
	return dir;
}

/* dir + tail if that holds profiles, else NULL. */
static char *try_dir(const char *dir, const char *tail)
{
	char *path = xasprintf("%s%s", dir, tail);

	if (has_profiles(path))
		return path;
	free(path);
	return NULL;
}

/* Cuts the last component; false at the root. */
static bool step_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

char *profile_shipped_dir(void)
{
	const char *set = getenv("IODECK_PROFILES");
	char dir[PATH_MAX], *found;
	ssize_t n;

	if (set && *set)
		return xstrdup(set);
	n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	if (n <= 0)
		return NULL;
	dir[n] = '\0';
	if (!step_up(dir))
		return NULL;
	found = try_dir(dir, "/../share/iodeck/profiles");
	for (unsigned i = 0; !found && i <= TREE_STEPS; i++) {
		found = try_dir(dir, "/profiles");
		if (!found && !step_up(dir))
			break;
	}
	return found;
}
