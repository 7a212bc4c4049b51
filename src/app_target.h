/* Which device a path is just now, in words that outlive its name. */
#ifndef IODECK_APP_TARGET_H
#define IODECK_APP_TARGET_H

#include <stddef.h>

/* "MODEL, serial S, N bytes" of a block device; "" of everything else. */
void app_target_identity(const char *path, char *out, size_t size);

#endif
