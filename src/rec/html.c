#include "src/rec/html.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/base/ioop.h"
#include "src/base/units.h"
#include "src/rec/record.h"

static void escaped(struct strbuf *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '<')
			strbuf_puts(out, "&lt;");
		else if (*s == '>')
			strbuf_puts(out, "&gt;");
		else if (*s == '&')
			strbuf_puts(out, "&amp;");
		else
			strbuf_putc(out, *s);
	}
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static double number_of(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static void fact(struct strbuf *out, const char *name, const char *value)
{
	if (!*value)
		return;
	strbuf_addf(out, "<tr><th>%s</th><td>", name);
	escaped(out, value);
	strbuf_puts(out, "</td></tr>\n");
}

static void facts(const struct archive_entry *en, const json_t *o, struct strbuf *out)
{
	time_t s = (time_t)(en->start_ms / 1000);
	char text[160], size[32];
	struct tm tm;

	strbuf_puts(out, "<table>\n");
	gmtime_r(&s, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fact(out, "started", text);
	fact(out, "target", en->device[0] ? en->device : en->target);
	if (en->simulated)
		fact(out, "device", "SIMULATED: no real device was measured");
	fact(out, "kernel", text_of(json_object_get(o, "host"), "kernel"));
	units_fmt_size_exact(size, sizeof(size), en->bs_bytes);
	snprintf(text, sizeof(text), "%s, %s, depth %u, jobs %u, %s", en->rw, size, en->qd,
		 en->jobs, en->engine);
	fact(out, "load", text);
	units_fmt_clock(text, sizeof(text), en->elapsed_ms * 1000000);
	fact(out, "measured for", text);
	fact(out, "ended", archive_ended_text(en));
	fact(out, "error", en->why);
	fact(out, "tag", en->tag);
	strbuf_puts(out, "</table>\n");
}

static void cell(struct strbuf *out, const char *value)
{
	strbuf_addf(out, "<td>%s</td>", value);
}

static void row(struct strbuf *out, const char *name, const json_t *w)
{
	static const char *const keys[] = {"mean_ns", "p50_ns", "p99_ns", "p99.9_ns", "max_ns"};
	const json_t *lat = json_object_get(w, "latency");
	char text[32];

	if (!(number_of(w, "ops") > 0))
		return;
	strbuf_addf(out, "<tr><th>%s</th>", name);
	units_fmt_count(text, sizeof(text), number_of(w, "iops"));
	cell(out, text);
	units_fmt_bps(text, sizeof(text), number_of(w, "bytes_per_s"), false);
	cell(out, text);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		units_fmt_ns(text, sizeof(text), number_of(lat, keys[i]), "&micro;");
		cell(out, text);
	}
	snprintf(text, sizeof(text), "%.0f", number_of(w, "errors"));
	cell(out, text);
	strbuf_puts(out, "</tr>\n");
}

static void numbers(const json_t *o, struct strbuf *out)
{
	const json_t *lanes = json_object_get(o, "lanes");

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		const json_t *l = json_array_get(lanes, i), *total = json_object_get(l, "total");

		strbuf_puts(out, "<h2>");
		escaped(out, text_of(l, "target"));
		if (json_is_true(json_object_get(l, "simulated")))
			strbuf_puts(out, " SIMULATED");
		strbuf_puts(out,
			    "</h2>\n<table class=\"n\">\n<tr><th></th><th>IOPS</th><th>bandwidth"
			    "</th><th>mean</th><th>p50</th><th>p99</th><th>p99.9</th><th>max"
			    "</th><th>errors</th></tr>\n");
		for (int op = 0; op < IO_OP_NR; op++)
			row(out, io_op_name((enum io_op)op),
			    json_object_get(total, io_op_name((enum io_op)op)));
		row(out, "all", json_object_get(total, "all"));
		strbuf_puts(out, "</table>\n");
	}
}

static void events(const json_t *o, struct strbuf *out)
{
	const json_t *list = json_object_get(o, "events");
	char at[32];

	if (json_array_size(list))
		strbuf_puts(out, "<h2>events</h2>\n<table>\n");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *ev = json_array_get(list, i);

		units_fmt_clock(at, sizeof(at), (uint64_t)fmax(number_of(ev, "ms"), 0) * 1000000);
		strbuf_addf(out, "<tr><th>%s</th><td>", at);
		escaped(out, text_of(ev, "text"));
		strbuf_puts(out, "</td></tr>\n");
	}
	if (json_array_size(list))
		strbuf_puts(out, "</table>\n");
}

static const char head[] =
	"<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	"<style>body{font:15px/1.4 sans-serif;margin:2em;max-width:75em}"
	"table{border-collapse:collapse;margin:.5em 0}th,td{padding:.15em .8em;text-align:left}"
	".n td,.n th{text-align:right}tr:nth-child(even){background:#f3f3f3}"
	"pre{background:#f3f3f3;padding:.8em}svg{max-width:100%;height:auto}</style>\n";

int html_print(const char *run, size_t len, const char *svg, struct strbuf *out, struct err *e)
{
	struct archive_entry en = {0};
	int rc = record_parse(run, len, &en, e);
	const char *body = strstr(svg, "<svg");
	json_t *o;

	if (rc < 0)
		return rc;
	o = json_loadb(run, len, 0, NULL);
	strbuf_puts(out, head);
	strbuf_addf(out, "<title>iodeck %s</title>\n<h1>iodeck: ", text_of(o, "id"));
	escaped(out, en.tag[0] ? en.tag : en.target);
	strbuf_puts(out, "</h1>\n");
	facts(&en, o, out);
	numbers(o, out);
	events(o, out);
	if (body)
		strbuf_puts(out, body); /* our own picture: its texts are escaped already */
	strbuf_puts(out, "\n<h2>settings</h2>\n<pre>");
	escaped(out, text_of(json_object_get(o, "settings"), "job_file"));
	strbuf_puts(out, "</pre>\n</html>\n");
	json_decref(o);
	return 0;
}
