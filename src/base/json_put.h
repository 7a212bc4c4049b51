/*
 * Values as json, the same in every document: what is not known is null and never 0, text is UTF-8 whatever
 * bytes a file or a device is named with. Pure; any thread.
 */
#ifndef IODECK_BASE_JSON_PUT_H
#define IODECK_BASE_JSON_PUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* New values, the caller's. */
json_t *json_make_count(uint64_t);
json_t *json_make_real(double);       /* NAN, infinite: null */
json_t *json_make_text(const char *); /* NULL: empty; not UTF-8: its ASCII, the rest as \xNN */

/* The same as members of an object, which then owns them. */
void json_put_count(json_t *o, const char *key, uint64_t);
void json_put_real(json_t *o, const char *key, double);
void json_put_bool(json_t *o, const char *key, bool);
void json_put_text(json_t *o, const char *key, const char *);
json_t *json_put_object(json_t *parent, const char *key); /* empty; the parent's */

#endif
