/* Tells the option language which engines there are. Once, before anything is parsed. */
#ifndef IODECK_APP_ENGINES_H
#define IODECK_APP_ENGINES_H

void app_engines_register(void);

#endif
