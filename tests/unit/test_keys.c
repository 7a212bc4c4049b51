/* The key table: one row a key, help for every request, a footer that never breaks. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/base/clock.h"
#include "ui/keys.h"
#include "ui/term.h"

Test(keys, no_key_is_bound_twice_in_one_place)
{
	for (const struct keybind *a = keys_table; a->request; a++)
		for (const struct keybind *b = a + 1; b->request; b++)
			cr_expect(a->screen != b->screen || a->key != b->key,
				  "%s: rows %td and %td bind the same key",
				  keys_screen_title(a->screen), a - keys_table, b - keys_table);
}

Test(keys, common_keys_mean_the_same_everywhere)
{
	for (const struct keybind *a = keys_table; a->request; a++)
		for (int s = 0; a->screen == KEYS_COMMON && s < KEYS_NR; s++)
			cr_expect_eq(keys_lookup(s, a->key), a->request, "%s",
				     keys_screen_title(s));
}

Test(keys, every_request_has_help_in_its_place)
{
	for (const struct keybind *a = keys_table; a->request; a++) {
		bool helped = false;

		for (const struct keybind *b = keys_table; b->request; b++)
			helped |= b->screen == a->screen && b->request == a->request && b->help;
		cr_expect(helped, "row %td", a - keys_table);
		cr_expect(!a->word || a->help, "row %td: in the footer without help",
			  a - keys_table);
	}
}

Test(keys, every_place_can_be_left_with_esc)
{
	for (int s = KEYS_EDIT; s < KEYS_NR; s++)
		cr_expect_eq(keys_lookup(s, TERM_ESC), REQ_CANCEL, "%s", keys_screen_title(s));
}

Test(keys, nothing_printable_is_bound_where_text_is_typed)
{
	for (uint32_t key = 0x20; key < 0x7f; key++) {
		cr_expect_eq(keys_lookup(KEYS_EDIT, key), REQ_NONE);
		cr_expect_eq(keys_lookup(KEYS_TEXT, key), REQ_NONE);
	}
}

Test(keys, esc_never_quits)
{
	for (int s = 0; s < KEYS_NR; s++) {
		enum request r = keys_lookup(s, TERM_ESC);

		cr_expect(r == REQ_CANCEL || r == REQ_NONE);
	}
}

Test(keys, names_read_back_to_the_same_key)
{
	char name[KEY_NAME_SIZE];

	for (const struct keybind *k = keys_table; k->request; k++) {
		keys_name(k->key, name);
		cr_expect_eq(keys_code(name), k->key, "%s", name);
	}
	cr_expect_eq(keys_code("f10"), TERM_F1 + 9);
	cr_expect_eq(keys_code("ctrl-c"), TERM_CTRL_C);
	cr_expect_eq(keys_code("Q"), 'Q');
	cr_expect_eq(keys_code("F13"), 0);
	cr_expect_eq(keys_code("F1x"), 0);
	cr_expect_eq(keys_code(""), 0);
	cr_expect_eq(keys_code("Hyper"), 0);
}

Test(keys, verbs_are_unique_and_found)
{
	for (const struct keybind *a = keys_table; a->request; a++) {
		if (!a->verb)
			continue;
		cr_expect_eq(keys_verb(a->verb), a->request);
		for (const struct keybind *b = a + 1; b->request; b++)
			cr_expect(!b->verb || strcmp(a->verb, b->verb) != 0, "%s", a->verb);
	}
	cr_expect_eq(keys_verb("explode"), REQ_NONE);
}

Test(keys, footer_fits_at_every_width)
{
	static const struct glyphs g = {.ascii = true, .ellipsis = '~'};

	for (int w = 20; w <= 200; w++) {
		for (int s = KEYS_RUN; s < KEYS_NR; s++) {
			struct canvas c = {0};
			struct strbuf text = {0};

			canvas_init(&c, w + 10, 4, &g);
			canvas_clear(&c);
			keys_footer(s, &c, (struct rect){3, 1, w, 2});
			for (int y = 0; y < 4; y++)
				for (int x = 0; x < w + 10; x++)
					if (x < 3 || x >= 3 + w || y < 1 || y > 2)
						cr_expect_eq(c.cells[y * c.w + x].ch, 0,
							     "%s, width %d: drew at %d,%d",
							     keys_screen_title(s), w, x, y);
			canvas_dump_text(&c, &text);
			if (s == KEYS_RUN)
				cr_expect(strstr(strbuf_str(&text), "? help  q quit"),
					  "width %d: %s", w, strbuf_str(&text));
			strbuf_fini(&text);
			canvas_fini(&c);
		}
	}
}

Test(keys, footer_of_the_run_screen_at_80)
{
	static const struct glyphs g = {.ascii = true, .ellipsis = '~'};
	struct canvas c = {0};
	struct strbuf text = {0};

	canvas_init(&c, 80, 1, &g);
	canvas_clear(&c);
	keys_footer(KEYS_RUN, &c, (struct rect){0, 0, 80, 1});
	canvas_dump_text(&c, &text);
	cr_expect_str_eq(
		strbuf_str(&text),
		" ? help  q quit  Space start/stop  +- set  d dev  p profile  m mark  v view\n");
	strbuf_fini(&text);
	canvas_fini(&c);
}

Test(keys, help_lines_name_every_key_of_a_request)
{
	struct strbuf out = {0};

	keys_help_lines(KEYS_RUN, &out);
	cr_expect(strstr(strbuf_str(&out), "Space F5\tstart the run; stop it\n"));
	cr_expect(strstr(strbuf_str(&out), "+ = Up k\t"));
	strbuf_fini(&out);
}

Test(keys, esc_and_a_digit_make_a_function_key)
{
	struct key_compose kc = {0};
	uint64_t t = 100 * NSEC_PER_SEC;

	cr_expect_eq(keys_compose(&kc, TERM_ESC, t, true), TERM_ESC);
	cr_expect_eq(keys_compose(&kc, '5', t + NSEC_PER_SEC / 2, true), TERM_F1 + 4);
	cr_expect_eq(keys_compose(&kc, '5', t + NSEC_PER_SEC / 2, true), '5', "used up");

	keys_compose(&kc, TERM_ESC, t, true);
	cr_expect_eq(keys_compose(&kc, '0', t + 1, true), TERM_F1 + 9);
	keys_compose(&kc, TERM_ESC, t, true);
	cr_expect_eq(keys_compose(&kc, '1', t + 2 * NSEC_PER_SEC, true), '1', "too late");
	keys_compose(&kc, TERM_ESC, t, false);
	cr_expect_eq(keys_compose(&kc, '1', t + 1, true), '1', "Esc had closed something");
	keys_compose(&kc, TERM_ESC, t, true);
	cr_expect_eq(keys_compose(&kc, 'x', t + 1, true), 'x');
	cr_expect_eq(keys_compose(&kc, '1', t + 2, true), '1', "another key came between");
}
