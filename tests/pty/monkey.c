#include "tests/pty/monkey.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "tests/pty/deck.h"
#include "tests/pty/monkey_keys.h"

enum {
	NOBODY = 65534,
	FOREIGN_BYTES = 65536,
	FILE_MAX_BYTES = 64 << 20,
	RSS_MAX_MIB = 3072, /* it may ask for much; the machine is not ours alone */
	LOOK_EVERY = 50,    /* tokens between two looks whether the program still answers */
	HUNG_MS = 60000,
	SHRINK_TRIES = 24,
};

struct cage {
	struct deck d; /* the folder, and the program on its terminal */
	char foreign[96];
	char san[96]; /* where sanitizers of the program write */
	char env[6][192];
	unsigned programs, too_large;
	unsigned guarded; /* how often the guard stood in the way */
	bool guard_up;
};

/* ---- the cage ---- */

static void fill_foreign(char out[FOREIGN_BYTES])
{
	for (int i = 0; i < FOREIGN_BYTES; i++)
		out[i] = (char)('A' + (i * 7 + i / 512) % 26);
}

static bool foreign_is_whole(const struct cage *c)
{
	char want[FOREIGN_BYTES];
	struct strbuf is = {0};
	bool whole;

	fill_foreign(want);
	whole = fs_read_all("", c->foreign, &is) == 0 && is.len == sizeof(want) &&
		memcmp(is.s, want, sizeof(want)) == 0;
	strbuf_fini(&is);
	return whole;
}

static void make_env(struct cage *c)
{
	struct strbuf supp = {0};
	char path[128];

	deck_path(&c->d, "san", c->san, sizeof(c->san));
	deck_path(&c->d, "supp", path, sizeof(path));
	fs_read_all("", "tests/tools/lsan.supp", &supp);
	fs_write_atomic(path, strbuf_str(&supp), supp.len);
	chmod(path, 0644);
	strbuf_fini(&supp);
	snprintf(c->env[0], sizeof(c->env[0]), "HOME=%s", c->d.dir);
	snprintf(c->env[1], sizeof(c->env[1]), "XDG_CONFIG_HOME=%s", c->d.dir);
	snprintf(c->env[2], sizeof(c->env[2]), "ASAN_OPTIONS=log_path=%s:allow_user_segv_handler=1",
		 c->san);
	snprintf(c->env[3], sizeof(c->env[3]), "LSAN_OPTIONS=suppressions=%s:print_suppressions=0",
		 path);
	snprintf(c->env[4], sizeof(c->env[4]), "UBSAN_OPTIONS=log_path=%s:print_stacktrace=1",
		 c->san);
	snprintf(c->env[5], sizeof(c->env[5]), "TSAN_OPTIONS=log_path=%s:halt_on_error=0", c->san);
}

static void cage_open(struct cage *c)
{
	char bytes[FOREIGN_BYTES];

	*c = (struct cage){0};
	deck_make(&c->d);
	deck_path(&c->d, "Zebra", c->foreign, sizeof(c->foreign));
	fill_foreign(bytes);
	fs_write_atomic(c->foreign, bytes, sizeof(bytes));
	/* Whoever the program is, nothing but its own guard keeps it from writing. */
	chmod(c->foreign, 0666);
	chmod(c->d.dir, 0777);
	make_env(c);
}

static void become_nobody(void)
{
	if (geteuid() != 0)
		return;
	if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* forgotten with the old credentials */
}

static int enter(void *cage)
{
	struct cage *c = cage;
	const struct rlimit size = {FILE_MAX_BYTES, FILE_MAX_BYTES};
	char bin[PATH_MAX], json[128];
	/* A foreign file at every other start, a simulated device at the others. */
	const char *target = c->programs % 2 ? c->foreign : "sim:nvme";
	char *argv[] = {(char[]){"iodeck"}, (char *)(uintptr_t)target, json, NULL};
	int fd;

	snprintf(json, sizeof(json), "--json=%s", c->d.json);
	if (!realpath(IODECK_BIN, bin))
		return 127;
	fd = open(bin, O_PATH | O_CLOEXEC);
	fs_write_atomic("/proc/self/oom_score_adj", "1000", 4);
	setrlimit(RLIMIT_FSIZE, &size);
	become_nobody();
	if (chdir(c->d.dir))
		return 127;
	fexecve(fd, argv, environ);
	return 127;
}

/* Before that a signal ends it as it ends any program. */
static bool is_up(struct vt *vt, void *arg)
{
	(void)arg;
	return vt_in_altscreen(vt) || vt_wait_exit(vt, 0) != -1;
}

static void program_start(struct cage *c)
{
	const char *env[16];
	int n = 0;

	for (size_t i = 0; i < sizeof(c->env) / sizeof(c->env[0]); i++)
		env[n++] = c->env[i];
	env[n++] = "XDG_DATA_HOME";
	env[n++] = "XDG_STATE_HOME";
	env[n] = NULL;
	c->programs++;
	c->d.vt = vt_fork(enter, c, env, 80, 24);
	vt_wait(c->d.vt, is_up, NULL, HUNG_MS);
}

static void program_end(struct cage *c)
{
	vt_free(c->d.vt);
	c->d.vt = NULL;
}

/* ---- what must hold ---- */

static bool complain(struct cage *c, const char *what)
{
	struct strbuf sb = {0};

	vt_text(c->d.vt, &sb);
	fprintf(stderr, "monkey: %s\n%s", what, strbuf_str(&sb));
	strbuf_fini(&sb);
	return false;
}

static void print_file(const char *path)
{
	struct strbuf sb = {0};

	if (fs_read_all("", path, &sb) == 0)
		fprintf(stderr, "%s\n", strbuf_str(&sb));
	strbuf_fini(&sb);
}

static bool no_report(struct cage *c)
{
	char pattern[128];
	glob_t g;
	bool none;

	snprintf(pattern, sizeof(pattern), "%s.*", c->san);
	none = glob(pattern, 0, NULL, &g) == GLOB_NOMATCH;
	for (size_t i = 0; !none && i < g.gl_pathc; i++) {
		print_file(g.gl_pathv[i]);
		unlink(g.gl_pathv[i]);
	}
	if (!none)
		globfree(&g);
	return none;
}

/* told: by SIGTERM. */
static bool status_is_good(int status, bool told)
{
	if (!WIFEXITED(status))
		return false;
	return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 130 ||
	       (told && WEXITSTATUS(status) == 128 + SIGTERM);
}

/* The program is over, with that status of waitpid(). */
static bool ended_well(struct cage *c, int status, bool told)
{
	char what[64];

	snprintf(what, sizeof(what), "ended with status %x", (unsigned)status);
	if (!no_report(c))
		return complain(c, "a sanitizer has found something");
	if (!status_is_good(status, told))
		return complain(c, what);
	if (vt_in_altscreen(c->d.vt) || !vt_termios_is_back(c->d.vt))
		return complain(c, "left the terminal broken");
	return true;
}

static bool grew(struct vt *vt, void *bytes)
{
	return vt_bytes(vt) > *(uint64_t *)bytes || vt_wait_exit(vt, 0) != -1;
}

static bool answers(struct cage *c)
{
	uint64_t bytes;

	vt_wait_quiet(c->d.vt, 0, 0);
	bytes = vt_bytes(c->d.vt);
	vt_send(c->d.vt, "\f\f\f\f"); /* the piece before may swallow up to three */
	if (vt_wait(c->d.vt, grew, &bytes, HUNG_MS))
		return true;
	return complain(c, "does not answer any more");
}

static unsigned rss_mib(pid_t pid)
{
	unsigned long size, rss = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%lu %lu", &size, &rss) != 2)
		rss = 0;
	if (f)
		fclose(f);
	return (unsigned)(rss * (unsigned long)sysconf(_SC_PAGESIZE) >> 20);
}

/* ---- playing ---- */

static void watch_guard(struct cage *c)
{
	bool up = vt_has_text(c->d.vt, "make it read-only");

	c->guarded += up && !c->guard_up;
	c->guard_up = up;
}

/* One token, and a little time for it. 1: go on; 0: the program has ended well; -1: it failed. */
static int play_token(struct cage *c, const struct token *t, int pause_ms)
{
	int status;

	vt_send_bytes(c->d.vt, t->bytes, t->n);
	status = vt_wait_exit(c->d.vt, pause_ms);
	if (pause_ms)
		watch_guard(c);
	if (status == -1)
		return 1;
	return ended_well(c, status, false) ? 0 : -1;
}

static bool told_to_end(struct cage *c)
{
	int status;

	vt_kill(c->d.vt, SIGTERM);
	status = vt_wait_exit(c->d.vt, HUNG_MS);
	if (status == -1)
		return complain(c, "does not end when told to");
	return ended_well(c, status, true);
}

/* A log from the start of a program to its end. */
static bool replay(struct cage *c, const struct token_log *log)
{
	int rc = 1;

	program_start(c);
	for (size_t i = 0; i < log->n && rc > 0; i++)
		rc = play_token(c, &log->v[i], 5);
	if (rc > 0 && answers(c))
		rc = told_to_end(c) ? 0 : -1;
	else if (rc > 0)
		rc = -1;
	program_end(c);
	return rc == 0;
}

/* Leaves out what is not needed for the failure, in halves, quarters and so on. */
static void shrink(struct cage *c, struct token_log *log)
{
	int tries = SHRINK_TRIES;

	for (size_t part = log->n / 2; part > 0 && tries > 0; part /= 2)
		for (size_t at = 0; at < log->n && tries > 0; tries--) {
			struct token_log less = {0};

			for (size_t i = 0; i < log->n; i++)
				if (i < at || i >= at + part)
					token_log_add(&less, &log->v[i]);
			if (replay(c, &less)) {
				token_log_fini(&less);
				at += part;
			} else {
				token_log_fini(log);
				*log = less;
			}
		}
}

static void tell(const struct monkey_cfg *cfg, struct token_log *log, const char *how)
{
	char path[] = P_tmpdir "/iodeck-monkey-XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0)
		close(fd);
	if (fd >= 0 && token_log_save(log, path) == 0)
		fprintf(stderr, "monkey: seed %llu, %zu keys %s: VT_MONKEY_REPLAY=%s\n",
			(unsigned long long)cfg->seed, log->n, how, path);
}

static void resize(struct cage *c, struct rng *r)
{
	static const int odd[][2] = {{1, 1}, {2, 200}, {200, 2}, {80, 24}, {120, 40}, {40, 10}};
	uint64_t i = rng_below(r, 12);

	if (i < 6)
		vt_resize(c->d.vt, odd[i][0], odd[i][1]);
	else
		vt_resize(c->d.vt, 1 + (int)rng_below(r, 160), 1 + (int)rng_below(r, 60));
}

/* Every so often. False: it does not answer. */
static bool look(struct cage *c, struct rng *r)
{
	if (rss_mib(vt_pid(c->d.vt)) > RSS_MAX_MIB) {
		c->too_large++;
		vt_kill(c->d.vt, SIGTERM);
	}
	resize(c, r);
	return answers(c);
}

/* One program, until it quits or the time is up. Its keys are in `log`. */
static bool play(struct cage *c, struct rng *r, uint64_t end_ns, struct token_log *log)
{
	struct token *t = xcalloc(1, sizeof(*t));
	unsigned killed = c->too_large;
	int rc = 1;

	program_start(c);
	while (rc > 0 && clock_mono_ns() < end_ns && c->too_large == killed) {
		token_draw(r, t);
		token_log_add(log, t);
		rc = play_token(c, t, t->n > 8 ? 50 : rng_below(r, 4) ? 0 : (int)rng_below(r, 12));
		if (rc > 0 && log->n % LOOK_EVERY == 0 && !look(c, r))
			rc = -1;
	}
	if (rc > 0)
		rc = told_to_end(c) ? 0 : -1;
	program_end(c);
	free(t);
	return rc == 0;
}

static bool run_seed(struct cage *c, const struct monkey_cfg *cfg)
{
	uint64_t end_ns = clock_mono_ns() + cfg->seconds * NSEC_PER_SEC;
	struct token_log log = {0};
	size_t keys = 0;
	struct rng r;
	bool ok = true;

	rng_seed(&r, cfg->seed);
	while (ok && clock_mono_ns() < end_ns) {
		token_log_fini(&log);
		ok = play(c, &r, end_ns, &log);
		keys += log.n;
	}
	if (!ok) {
		tell(cfg, &log, "as typed");
		shrink(c, &log);
		tell(cfg, &log, "shrunk");
	}
	token_log_fini(&log);
	printf("monkey: seed %llu, %us: %zu keys, %u programs, the guard stood in the way %u "
	       "times, "
	       "%u stopped for their memory\n",
	       (unsigned long long)cfg->seed, cfg->seconds, keys, c->programs, c->guarded,
	       c->too_large);
	return ok;
}

static bool run_replay(struct cage *c, const char *path)
{
	struct token_log log = {0};
	bool ok = token_log_load(&log, path) == 0 && replay(c, &log);

	token_log_fini(&log);
	return ok;
}

bool monkey_run(const struct monkey_cfg *cfg)
{
	struct cage c;
	bool ok;

	cage_open(&c);
	ok = cfg->replay ? run_replay(&c, cfg->replay) : run_seed(&c, cfg);
	if (!foreign_is_whole(&c)) {
		fprintf(stderr, "monkey: the foreign file was changed: the guard was passed\n");
		ok = false;
	}
	deck_end(&c.d);
	return ok;
}
