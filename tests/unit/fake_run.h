/*
 * Hand-made runs for drawing: the same numbers on every machine, no engine, no clock, no device. Each
 * maker fills a model through model_update(), as the program does, and the state beside it.
 */
#ifndef IODECK_TESTS_FAKE_RUN_H
#define IODECK_TESTS_FAKE_RUN_H

#include "ui/model.h"
#include "ui/state.h"

struct fake {
	struct model model;
	struct ui_state st;
	struct snapshot *snap; /* the last one fed */
};

struct fake_case {
	const char *name;
	void (*make)(struct fake *);
};

/* Each has its name from its maker; name NULL ends. */
extern const struct fake_case fake_cases[];

void fake_init(struct fake *, const struct fake_case *);
void fake_fini(struct fake *);

#endif
