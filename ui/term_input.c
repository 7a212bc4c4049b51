#include "ui/term_input.h"

#include <stdlib.h>
#include <string.h>

#include "ui/term.h"
#include "ui/utf8.h"

enum { ESC = 0x1b, SEQUENCE_MAX = 64 };
#define INCOMPLETE UINT32_MAX

uint8_t *input_space(struct term_input *in, size_t *room)
{
	memmove(in->buf, in->buf + in->at, in->len - in->at);
	in->len -= in->at;
	in->at = 0;
	*room = sizeof(in->buf) - in->len;
	return in->buf + in->len;
}

void input_added(struct term_input *in, size_t n)
{
	in->len += n;
}

/* Final byte of `ESC [ ... x` and `ESC O x`. */
static uint32_t key_of_letter(uint8_t c)
{
	switch (c) {
	case 'A':
		return TERM_UP;
	case 'B':
		return TERM_DOWN;
	case 'C':
		return TERM_RIGHT;
	case 'D':
		return TERM_LEFT;
	case 'H':
		return TERM_HOME;
	case 'F':
		return TERM_END;
	case 'Z':
		return TERM_BACKTAB;
	case 'M': /* Enter of the keypad in application mode */
		return TERM_ENTER;
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return TERM_F1 + (uint32_t)(c - 'P');
	default:
		return 0;
	}
}

/* The number of `ESC [ n ~`, as the VT220 has it. */
static uint32_t key_of_number(long n)
{
	static const uint32_t keys[] = {
		[1] = TERM_HOME,    [3] = TERM_DEL,      [4] = TERM_END,      [5] = TERM_PGUP,
		[6] = TERM_PGDN,    [7] = TERM_HOME,     [8] = TERM_END,      [11] = TERM_F1,
		[12] = TERM_F1 + 1, [13] = TERM_F1 + 2,  [14] = TERM_F1 + 3,  [15] = TERM_F1 + 4,
		[17] = TERM_F1 + 5, [18] = TERM_F1 + 6,  [19] = TERM_F1 + 7,  [20] = TERM_F1 + 8,
		[21] = TERM_F1 + 9, [23] = TERM_F1 + 10, [24] = TERM_F1 + 11,
	};

	return n >= 0 && n < (long)(sizeof(keys) / sizeof(keys[0])) ? keys[n] : 0;
}

/* A whole control sequence p[0..n), from ESC to its final byte. */
static uint32_t key_of_csi(const uint8_t *p, size_t n)
{
	char number[8] = {0};
	size_t digits = n - 3 < sizeof(number) - 1 ? n - 3 : sizeof(number) - 1;

	if (p[n - 1] !=
	    '~') /* a mouse report, with '<', is no key; ESC [ M is one of the old kind */
		return p[2] == '<' || p[n - 1] == 'M' ? 0 : key_of_letter(p[n - 1]);
	memcpy(number, p + 2, digits);
	return key_of_number(strtol(number, NULL, 10));
}

/* ESC [ parameters final. *used: its length, also when it is to be skipped. */
static uint32_t next_csi(const uint8_t *p, size_t n, size_t *used)
{
	size_t i = 2;

	if (n > 2 && p[2] == '[') { /* the Linux console: ESC [ [ A is F1 */
		*used = 4;
		if (n < 4)
			return INCOMPLETE;
		return p[3] >= 'A' && p[3] <= 'E' ? TERM_F1 + (uint32_t)(p[3] - 'A') : 0;
	}
	if (n > 2 && p[2] == 'M') { /* old mouse report: three bytes follow */
		*used = 6;
		return n < 6 ? INCOMPLETE : 0;
	}
	while (i < n && p[i] >= 0x20 && p[i] <= 0x3f && i < SEQUENCE_MAX)
		i++;
	if (i == n)
		return INCOMPLETE;
	if (p[i] < 0x40 || p[i] > 0x7e) { /* broken: what follows stands for itself */
		*used = i;
		return 0;
	}
	*used = i + 1;
	return key_of_csi(p, *used);
}

static uint32_t next_escape(const uint8_t *p, size_t n, size_t *used)
{
	*used = 1;
	if (n == 1)
		return INCOMPLETE;
	switch (p[1]) {
	case '[':
		return next_csi(p, n, used);
	case 'O':
		*used = 3;
		return n < 3 ? INCOMPLETE : key_of_letter(p[2]);
	case '0':
		*used = 2;
		return TERM_F1 + 9;
	default:
		if (p[1] < '1' || p[1] > '9')
			return TERM_ESC;
		*used = 2; /* Esc and a digit: for terminals that keep F-keys to themselves */
		return TERM_F1 + (uint32_t)(p[1] - '1');
	}
}

static uint32_t key_of_control(uint8_t c)
{
	switch (c) {
	case 0x03:
		return TERM_CTRL_C;
	case 0x0c:
		return TERM_CTRL_L;
	case 0x1a:
		return TERM_CTRL_Z;
	case '\t':
		return TERM_TAB;
	case '\r':
	case '\n':
		return TERM_ENTER;
	case 0x08:
	case 0x7f:
		return TERM_BACKSPACE;
	default:
		return 0;
	}
}

static uint32_t next_key(const uint8_t *p, size_t n, size_t *used)
{
	uint32_t cp;

	if (p[0] == ESC)
		return next_escape(p, n, used);
	cp = utf8_decode((const char *)p, n, used);
	if (cp == UTF8_MORE)
		return INCOMPLETE;
	if (cp == UTF8_BAD || (cp >= 0x80 && cp < 0xa0))
		return 0;
	return cp < 0x20 || cp == 0x7f ? key_of_control((uint8_t)cp) : cp;
}

uint32_t input_next(struct term_input *in)
{
	while (in->at < in->len) {
		size_t used;
		uint32_t key = next_key(in->buf + in->at, in->len - in->at, &used);

		if (key == INCOMPLETE)
			return 0;
		in->at += used;
		if (key)
			return key;
	}
	return 0;
}

bool input_esc_waits(const struct term_input *in)
{
	return in->len - in->at == 1 && in->buf[in->at] == ESC;
}

uint32_t input_esc(struct term_input *in)
{
	in->at = in->len;
	return TERM_ESC;
}

void input_drop(struct term_input *in)
{
	in->at = in->len;
}
