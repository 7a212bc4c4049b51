/*
 * Fake /sys and /proc trees for tests. A tree is told in lines (tests/fixtures/sysroot/NAME.tree, or
 * from the test itself) and built into a folder of its own, because sysfs lives from symbolic links:
 *
 *   disk NAME M:m FOLDER SECTORS        FOLDER below /sys/devices; the device's folder is FOLDER/NAME
 *   part NAME M:m DISK NUMBER START SECTORS
 *   set NAME ATTRIBUTE TEXT...          a file in the device's folder
 *   link NAME ATTRIBUTE TARGET          a symbolic link in the device's folder
 *   on UPPER LOWER                      holders and slaves
 *   mount M:m TARGET TYPE SOURCE        in /proc/self/mountinfo and /proc/1/mountinfo
 *   mount-in PID M:m TARGET TYPE SOURCE only in that process's
 *   swap PATH TYPE
 *   file PATH TEXT...                   any file; "\n" is a line end; a second one appends
 *   ln PATH TARGET                      any symbolic link
 *   rm PATH
 *
 * Anything wrong fails the test. '#' starts a comment line.
 */
#ifndef IODECK_TESTS_SYSROOT_H
#define IODECK_TESTS_SYSROOT_H

struct sysroot {
	char path[64];
};

void sysroot_init(struct sysroot *); /* an empty one: no devices, "/" on an anonymous device */
void sysroot_load(struct sysroot *, const char *fixture); /* init and tests/fixtures/sysroot/... */
void sysroot_line(struct sysroot *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sysroot_fini(struct sysroot *);

#endif
