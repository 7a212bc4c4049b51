/* Texts made from the option rows for other programs: the manual's OPTIONS part, shell completion. */
#ifndef IODECK_APP_MANUAL_H
#define IODECK_APP_MANUAL_H

#include <stdbool.h>

#include "src/base/strbuf.h"

/* man(7) requests: the words of the command line, then every job option. For `make man`. */
void app_manual_options(struct strbuf *out);
/* `iodeck completion bash|zsh`. False: no such shell. */
bool app_manual_completion(const char *shell, struct strbuf *out);

#endif
