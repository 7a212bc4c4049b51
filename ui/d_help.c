/* Help: every key from the table, the verbs, and the words of the trade. */
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "ui/dialog.h"

#define TERM_COLS 22 /* width of the left column */
#define TEXT_COLS 52 /* the right one is wrapped to this: an 80-column screen shows it whole */

struct d_help {
	char **lines; /* "left<TAB>right" or a heading without a tab */
	int n;
	struct list_pos pos; /* .top is what scrolls; .at follows it */
	int rows_seen;
};

static const char *const glossary =
	"Words\n"
	"latency\tfrom handing an I/O to the engine until it is reaped, as the program sees it\n"
	"lat\tfio's word for it: slat + clat\n"
	"slat\tsubmission: until the kernel has taken the I/O; none with synchronous engines\n"
	"clat\tcompletion: from there until it is reaped\n"
	"p50 .. p99.99\tpercentiles: that share of the I/Os took at most this long; p50 is the "
	"median\n"
	"n\tI/Os behind the percentiles; with few of them the high ones mean little\n"
	"max\tthe slowest I/O of the interval; no percentile is above it\n"
	"await\tmean time of a request in the block layer and the device, from the kernel's "
	"counters (iostat's r_await and w_await); the rest of latency is the host\n"
	"aqu-sz\tmean number of requests in flight on the device\n"
	"util\tshare of time with at least one request in flight. 100 % is not saturation on a "
	"device that works in parallel (SSD, NVMe, RAID): read aqu-sz and await\n"
	"qd x jobs\tI/Os in flight: each job keeps qd of them\n"
	"mark\ta line on the time axis, made by m or by a change while running\n"
	"segment\tthe time between two changes; before and after stand in the events\n";

static void add_line(struct d_help *d, const char *s, size_t n)
{
	char *copy = xcalloc(1, n + 1);

	memcpy(copy, s, n);
	d->lines = xrealloc(d->lines, ((size_t)d->n + 1) * sizeof(*d->lines));
	d->lines[d->n++] = copy;
}

/* How many bytes of s[0..n) go into one row: whole words, at most TEXT_COLS columns (ASCII). */
static size_t row_bytes(const char *s, size_t n)
{
	size_t cut = TEXT_COLS;

	if (n <= TEXT_COLS)
		return n;
	while (cut > 0 && s[cut] != ' ')
		cut--;
	return cut ? cut : TEXT_COLS;
}

/* "left<TAB>right": what does not fit goes on in rows with an empty left side. */
static void add_wrapped(struct d_help *d, const char *s, size_t n)
{
	const char *tab = memchr(s, '\t', n);
	size_t left = tab ? (size_t)(tab - s) + 1 : 0, take;
	struct strbuf row = {0};

	if (!tab) {
		add_line(d, s, n);
		return;
	}
	strbuf_add(&row, s, left);
	for (s += left, n -= left;; s += take, n -= take) {
		while (n && *s == ' ') {
			s++;
			n--;
		}
		take = row_bytes(s, n);
		strbuf_add(&row, s, take);
		add_line(d, strbuf_str(&row), row.len);
		if (take == n)
			break;
		strbuf_reset(&row);
		strbuf_puts(&row, "\t");
	}
	strbuf_fini(&row);
}

static void add_text(struct d_help *d, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");

		add_wrapped(d, s, n);
		s += n + (s[n] == '\n');
	}
}

static void add_keys(struct d_help *d, enum key_screen screen)
{
	struct strbuf sb = {0};

	strbuf_addf(&sb, "%s\n", keys_screen_title(screen));
	keys_help_lines(screen, &sb);
	strbuf_puts(&sb, "\n");
	add_text(d, strbuf_str(&sb));
	strbuf_fini(&sb);
}

static enum key_screen d_help_keys(const void *st)
{
	(void)st;
	return KEYS_HELP;
}

static const char *d_help_title(const void *st)
{
	(void)st;
	return "Help";
}

static void draw_line(const char *line, struct canvas *c, int x, int y, int w)
{
	const char *tab = strchr(line, '\t');
	int left = w / 3 < TERM_COLS ? w / 3 : TERM_COLS;
	char key[128] = "";

	if (!tab) {
		canvas_label(c, x, y, w, ROLE_TITLE, 0, line);
		return;
	}
	memcpy(key, line, (size_t)(tab - line) < sizeof(key) ? (size_t)(tab - line) : 0);
	canvas_label(c, x, y, left - 1, ROLE_KEY, 0, key);
	canvas_label(c, x + left, y, w - left, ROLE_TEXT, 0, tab + 1);
}

static void d_help_draw(void *st, struct canvas *c, struct rect r)
{
	struct d_help *d = st;
	int rows = r.h - 1;

	d->rows_seen = rows;
	list_clamp(&d->pos, d->n, rows);
	for (int i = 0; i < rows && d->pos.top + i < d->n; i++)
		draw_line(d->lines[d->pos.top + i], c, r.x + 1, r.y + i, r.w - 2);
	keys_footer(KEYS_HELP, c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

/* A page of text has no cursor: the top line moves at once. */
static void scroll(struct d_help *d, enum request req)
{
	int page = d->rows_seen > 1 ? d->rows_seen - 1 : 1, last = d->n - d->rows_seen;

	switch (req) {
	case REQ_UP:
		d->pos.top--;
		break;
	case REQ_DOWN:
		d->pos.top++;
		break;
	case REQ_PAGE_UP:
		d->pos.top -= page;
		break;
	case REQ_PAGE_DOWN:
		d->pos.top += page;
		break;
	case REQ_TOP:
		d->pos.top = 0;
		break;
	case REQ_BOTTOM:
		d->pos.top = last;
		break;
	default:
		break;
	}
	if (d->pos.top > last)
		d->pos.top = last;
	if (d->pos.top < 0)
		d->pos.top = 0;
	d->pos.at = d->pos.top;
}

static void d_help_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	(void)key;
	if (req == REQ_CANCEL)
		reply->act = DIALOG_CLOSE;
	else
		scroll(st, req);
}

static void d_help_free(void *st)
{
	struct d_help *d = st;

	for (int i = 0; i < d->n; i++)
		free(d->lines[i]);
	free(d->lines);
	free(d);
}

static const struct dialog_ops d_help_ops = {
	.name = "help",
	.w = 100,
	.h = 34,
	.min_w = 20,
	.min_h = 3,
	.keys = d_help_keys,
	.title = d_help_title,
	.draw = d_help_draw,
	.key = d_help_key,
	.free = d_help_free,
};

void d_help_open(struct dialog *dlg, const char *verbs_help)
{
	static const enum key_screen order[] = {KEYS_RUN,     KEYS_SWEEP,  KEYS_COMMON,  KEYS_EDIT,
						KEYS_COMMAND, KEYS_DEVICE, KEYS_PROFILE, KEYS_QUIT};
	struct d_help *d = xcalloc(1, sizeof(*d));

	d->rows_seen = 20;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		add_keys(d, order[i]);
	add_text(d, "Commands (:)\n");
	add_text(d, verbs_help);
	add_text(d, "\n");
	add_text(d, glossary);
	dialog_open(dlg, &d_help_ops, d);
}
