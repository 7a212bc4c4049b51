/* The screens, in the order of their keys. */
#include "ui/view_dash.h"

const struct view_ops *const view_table[] = {
	&view_dash,
	NULL,
};
