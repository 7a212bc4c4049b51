/* Bytes to keys without a terminal: what holds for any input, however it is cut. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/base/strbuf.h"
#include "ui/term.h"
#include "ui/term_input.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

static void keys_add(struct term_input *in, struct strbuf *out)
{
	uint32_t key;

	while ((key = input_next(in)))
		strbuf_addf(out, "%x ", key);
}

static void feed(struct term_input *in, const char *p, size_t n, struct strbuf *out)
{
	size_t room;
	uint8_t *space = input_space(in, &room);

	cr_assert_geq(room, n);
	memcpy(space, p, n);
	input_added(in, n);
	keys_add(in, out);
}

/* Sequences, signs of all lengths, and noise. */
static size_t random_bytes(struct rng *rng, char *out, size_t room)
{
	static const char *const parts[] = {
		"a",          "q",          "\033[A",     "\033OB",   "\033[1;5C", "\033[15~",
		"\u00b5",     "\u2192",     "\U0001f600", "\xff",     "\xe2\x82",  "\033[<0;1;1M",
		"\033[M abc", "\033[[B",    "\033[?1;2c", "\033\033", "\0335",     "\x01",
		"\033[\x01",  "\033]0;t\a", "\r",
	};
	size_t n = 0;

	while (n + 16 < room) {
		const char *p = parts[rng_below(rng, ROWS(parts))];
		size_t len = strlen(p);

		memcpy(out + n, p, len);
		n += len;
		if (rng_below(rng, 10) == 0)
			out[n++] = (char)rng_below(rng, 256);
	}
	return n;
}

Test(term_input, keys_do_not_depend_on_where_the_bytes_are_cut)
{
	struct rng rng;

	rng_seed(&rng, 11);
	for (int turn = 0; turn < 2000; turn++) {
		struct term_input whole = {0}, cut = {0};
		struct strbuf a = {0}, b = {0};
		char bytes[200];
		size_t n = random_bytes(&rng, bytes, sizeof(bytes));

		feed(&whole, bytes, n, &a);
		for (size_t i = 0, len; i < n; i += len) {
			len = 1 + rng_below(&rng, 5);
			if (len > n - i)
				len = n - i;
			feed(&cut, bytes + i, len, &b);
		}
		cr_assert_str_eq(strbuf_str(&a), strbuf_str(&b), "turn %d", turn);
		strbuf_fini(&a);
		strbuf_fini(&b);
	}
}

Test(term_input, always_takes_more_and_never_invents_a_key)
{
	struct term_input in = {0};
	struct rng rng;

	rng_seed(&rng, 12);
	for (int turn = 0; turn < 3000; turn++) {
		size_t room, n;
		uint8_t *space = input_space(&in, &room);
		uint32_t key;

		cr_assert_geq(room, sizeof(in.buf) - 64, "turn %d: %zu bytes are stuck", turn,
			      sizeof(in.buf) - room);
		n = 1 + rng_below(&rng, room);
		for (size_t i = 0; i < n; i++)
			space[i] = (uint8_t)rng_below(&rng, 256);
		input_added(&in, n);
		while ((key = input_next(&in)))
			cr_assert((key >= 0x20 && key <= 0x10ffff && key != 0x7f &&
				   !(key >= 0x80 && key < 0xa0) &&
				   !(key >= 0xd800 && key <= 0xdfff)) ||
					  (key > TERM_KEY_BASE && key < TERM_F1 + 12),
				  "key %x", key);
	}
}

Test(term_input, a_sequence_without_an_end_does_not_swallow_what_follows)
{
	struct term_input in = {0};
	struct strbuf keys = {0};
	char bytes[300];

	memset(bytes, '0', sizeof(bytes));
	memcpy(bytes, "\033[", 2);
	bytes[sizeof(bytes) - 1] = 'q';
	feed(&in, bytes, sizeof(bytes), &keys);
	cr_expect(strstr(strbuf_str(&keys), "71 "), "%s", strbuf_str(&keys));
	strbuf_fini(&keys);
}

Test(term_input, an_esc_waits_for_the_clock_and_a_fragment_can_be_dropped)
{
	struct term_input in = {0};
	struct strbuf keys = {0};

	feed(&in, "\033", 1, &keys);
	cr_expect_eq(keys.len, 0);
	cr_expect(input_esc_waits(&in));
	cr_expect_eq(input_esc(&in), TERM_ESC);
	cr_expect_not(input_esc_waits(&in));
	feed(&in, "\033[1", 3, &keys);
	cr_expect_not(input_esc_waits(&in), "more than an Esc");
	input_drop(&in);
	feed(&in, "x", 1, &keys);
	cr_expect_str_eq(strbuf_str(&keys), "78 ");
	strbuf_fini(&keys);
}
