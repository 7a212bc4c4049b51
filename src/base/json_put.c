#include "src/base/json_put.h"

#include <math.h>

#include "src/base/strbuf.h"

json_t *json_make_count(uint64_t v)
{
	return json_integer((json_int_t)v);
}

json_t *json_make_real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *text_escaped(const char *s)
{
	struct strbuf sb = {0};
	json_t *v;

	for (; *s; s++) {
		if ((unsigned char)*s < 0x80)
			strbuf_putc(&sb, *s);
		else
			strbuf_addf(&sb, "\\x%02x", (unsigned char)*s);
	}
	v = json_string(strbuf_str(&sb));
	strbuf_fini(&sb);
	return v;
}

json_t *json_make_text(const char *s)
{
	json_t *v = json_string(s ? s : "");

	return v ? v : text_escaped(s);
}

void json_put_count(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_make_count(v));
}

void json_put_real(json_t *o, const char *key, double v)
{
	json_object_set_new(o, key, json_make_real(v));
}

void json_put_bool(json_t *o, const char *key, bool v)
{
	json_object_set_new(o, key, json_boolean(v));
}

void json_put_text(json_t *o, const char *key, const char *s)
{
	json_object_set_new(o, key, json_make_text(s));
}

json_t *json_put_object(json_t *parent, const char *key)
{
	json_t *o = json_object();

	json_object_set_new(parent, key, o);
	return o;
}
