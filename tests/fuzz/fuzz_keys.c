/*
 * Any bytes from a terminal: every byte ends in a key or is skipped, no key is out of range, and the keys do
 * not depend on where the bytes were cut. The first byte says where the second reading is cut.
 */
#include <stdbool.h>

#include "tests/fuzz/fuzz.h"
#include "ui/term.h"
#include "ui/term_input.h"

#define KEYS_MAX 1024

struct keys {
	uint32_t v[KEYS_MAX];
	size_t n;
};

/* A character that can be shown, or one of enum term_key. */
static bool is_key(uint32_t key)
{
	if (key >= TERM_KEY_BASE)
		return key > TERM_KEY_BASE && key < TERM_F1 + 12;
	return key >= 0x20 && key <= 0x10ffff && !(key >= 0x7f && key < 0xa0) &&
	       !(key >= 0xd800 && key <= 0xdfff);
}

static void take_keys(struct term_input *in, struct keys *out)
{
	uint32_t key;

	while ((key = input_next(in))) {
		FUZZ_CHECK(is_key(key));
		FUZZ_CHECK(out->n < KEYS_MAX);
		out->v[out->n++] = key;
	}
}

static void feed(struct term_input *in, const uint8_t *p, size_t n, struct keys *out)
{
	while (n) {
		size_t room;
		uint8_t *space = input_space(in, &room);

		FUZZ_CHECK(room > 0);
		room = room < n ? room : n;
		memcpy(space, p, room);
		input_added(in, room);
		take_keys(in, out);
		p += room;
		n -= room;
	}
}

static void read_cut(const uint8_t *data, size_t size, size_t step, struct keys *out)
{
	struct term_input in = {0};

	out->n = 0;
	for (size_t at = 0; at < size; at += step)
		feed(&in, data + at, size - at < step ? size - at : step, out);
	if (input_esc_waits(&in)) {
		FUZZ_CHECK(input_esc(&in) == TERM_ESC);
		take_keys(&in, out);
	}
	input_drop(&in);
	FUZZ_CHECK(input_next(&in) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct keys whole, cut;

	if (size < 2 || size > KEYS_MAX)
		return 0;
	read_cut(data + 1, size - 1, size, &whole);
	read_cut(data + 1, size - 1, 1 + data[0] % 8, &cut);
	FUZZ_CHECK(whole.n == cut.n);
	FUZZ_CHECK(memcmp(whole.v, cut.v, whole.n * sizeof(whole.v[0])) == 0);
	return 0;
}
