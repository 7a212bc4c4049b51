/* The keys of the json report in words. */
#ifndef IODECK_OUT_HELP_H
#define IODECK_OUT_HELP_H

struct json_key {
	/* DIR: read, write, trim. LAT: min, max, mean, stddev, N. A last "*": keys that are data. */
	const char *path;
	const char *unit; /* NULL: a text, a plain count, a boolean */
	const char *help;
};

/* In the order of the document; ended by a path NULL. */
extern const struct json_key json_keys[];

#endif
