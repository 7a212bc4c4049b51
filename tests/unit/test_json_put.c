/* What is not known is null, and a document is UTF-8 whatever a file is called. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/json_put.h"

TestSuite(json_put, .timeout = 60);

static void expect_dump(json_t *o, const char *want)
{
	char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(6));

	cr_expect_str_eq(text, want);
	free(text);
	json_decref(o);
}

Test(json_put, unknown_is_null)
{
	json_t *o = json_object();

	json_put_real(o, "known", 2.5);
	json_put_real(o, "unknown", NAN);
	json_put_real(o, "divided by none", INFINITY);
	json_put_count(o, "none", 0);
	json_put_bool(o, "flag", true);
	expect_dump(o, "{\"known\":2.5,\"unknown\":null,\"divided by none\":null,\"none\":0,"
		       "\"flag\":true}");
}

Test(json_put, text_of_any_bytes)
{
	json_t *o = json_object();

	json_put_text(o, "utf8", "\xc2\xb5s");
	json_put_text(o, "latin1", "a\xb5z");
	json_put_text(o, "missing", NULL);
	expect_dump(o, "{\"utf8\":\"\xc2\xb5s\",\"latin1\":\"a\\\\xb5z\",\"missing\":\"\"}");
}

Test(json_put, objects_belong_to_their_parent)
{
	json_t *o = json_object(), *in = json_put_object(o, "in");

	json_put_count(in, "n", UINT32_MAX);
	expect_dump(o, "{\"in\":{\"n\":4294967295}}");
}
