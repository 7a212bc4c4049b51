#include "ui/utf8.h"

/* Length of the sequence a lead byte begins, 0 for none, and the range of its second byte. */
static unsigned utf8_lead(uint8_t b, uint8_t *lo, uint8_t *hi)
{
	*lo = 0x80;
	*hi = 0xbf;
	if (b < 0x80)
		return 1;
	if (b >= 0xc2 && b <= 0xdf)
		return 2;
	if (b >= 0xe0 && b <= 0xef) {
		if (b == 0xe0)
			*lo = 0xa0; /* below: overlong */
		if (b == 0xed)
			*hi = 0x9f; /* above: surrogates */
		return 3;
	}
	if (b >= 0xf0 && b <= 0xf4) {
		if (b == 0xf0)
			*lo = 0x90;
		if (b == 0xf4)
			*hi = 0x8f; /* above: beyond U+10FFFF */
		return 4;
	}
	return 0;
}

uint32_t utf8_decode(const char *s, size_t n, size_t *used)
{
	const uint8_t *b = (const uint8_t *)s;
	uint8_t lo, hi;
	unsigned len = utf8_lead(b[0], &lo, &hi);
	uint32_t cp;

	*used = 1;
	if (len == 0)
		return UTF8_BAD;
	if (len == 1)
		return b[0];
	cp = b[0] & (0x7fu >> len);
	for (unsigned i = 1; i < len; i++) {
		if (i == n) {
			*used = 0;
			return UTF8_MORE;
		}
		if (b[i] < lo || b[i] > hi) {
			*used = i;
			return UTF8_BAD;
		}
		cp = cp << 6 | (b[i] & 0x3fu);
		lo = 0x80;
		hi = 0xbf;
	}
	*used = len;
	return cp;
}

size_t utf8_encode(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000 && (cp < 0xd800 || cp > 0xdfff)) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	if (cp >= 0x10000 && cp <= 0x10ffff) {
		out[0] = (char)(0xf0 | cp >> 18);
		out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
		out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[3] = (char)(0x80 | (cp & 0x3f));
		return 4;
	}
	out[0] = '?';
	return 1;
}
