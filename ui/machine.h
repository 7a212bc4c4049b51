/*
 * The block devices as the console last saw them, and what would be said to writing to each. A verdict is
 * found when it is first asked for and kept until the next reading. UI thread; owned by the console.
 */
#ifndef IODECK_UI_MACHINE_H
#define IODECK_UI_MACHINE_H

#include <stdbool.h>

#include "src/dev/guard.h"
#include "ui/signs.h"

struct device_note {
	bool known;
	enum guard_verdict verdict;
	char brief[64]; /* "mounted at /": the one reason that says most; "" not refused */
	char text[300]; /* all reasons; what would be lost */
};

struct machine {
	struct device_list devices;
	struct mounts mounts;
	bool has_mounts;           /* false: they could not be read, every write is refused */
	struct device_note *notes; /* in list order */
	unsigned gen;              /* grows with every reading */
	struct signs *signs;       /* what is on them; NULL: was never looked at */
};

/*
 * What a write to `d` would destroy, in few words: "gpt, ext4 on sda1, not mounted", "no signature", "..."
 * while it is being read; "" unknown.
 */
void machine_holds(const struct machine *, const struct device *d, char *out, size_t size);
/* Looks at what is on the devices anew, in the background; those that answer soon are waited for. */
void machine_look(struct machine *, const char *fsroot, uint64_t wait_ns);
/* Reads everything anew. On an error the old reading stays. */
int machine_load(struct machine *, const char *fsroot, struct err *e);
void machine_fini(struct machine *);
const struct device_note *machine_note(struct machine *, const struct device *);

#endif
