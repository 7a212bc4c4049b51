/* `iodeck devices` over a fixture: the table a person reads, the json a script reads. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "src/app_devices.h"
#include "tests/unit/sysroot.h"

static struct sysroot sys;
static struct strbuf out;

static void load(const char *fixture, bool json)
{
	struct err e = {0};

	sysroot_load(&sys, fixture);
	cr_assert_eq(
		devices_print(&(struct devices_opts){.fsroot = sys.path, .json = json}, &out, &e),
		0, "%s", e.msg);
}

static void unload(void)
{
	strbuf_fini(&out);
	if (sys.path[0])
		sysroot_fini(&sys);
}

TestSuite(app_devices, .fini = unload);

/* The line of the table whose name (after the indent) is this; "" none. */
static const char *line_of(const char *name)
{
	static char line[1024];
	size_t n = strlen(name);

	for (const char *p = strbuf_str(&out); *p; p = strchr(p, '\n') + 1) {
		const char *s = p + strspn(p, " ");

		if (strncmp(s, name, n) != 0 || s[n] != ' ')
			continue;
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		return line;
	}
	return "";
}

static void expect(const char *name, const char *part)
{
	cr_expect(strstr(line_of(name), part), "%s: no '%s' in '%s'", name, part, line_of(name));
}

Test(app_devices, every_device_has_a_verdict_and_its_reason)
{
	load("workstation", false);
	for (const char *p = strchr(strbuf_str(&out), '\n') + 1; *p; p = strchr(p, '\n') + 1) {
		size_t n = strcspn(p, "\n");
		char line[1024];

		snprintf(line, sizeof(line), "%.*s", (int)n, p);
		cr_expect(strstr(line, "is refused: ") || strstr(line, "asks: "), "%s", line);
	}
}

Test(app_devices, partitions_stand_below_their_disk)
{
	load("workstation", false);
	expect("nvme0n1", "NVMe");
	expect("nvme0n1", "is refused");
	cr_expect_eq(line_of("nvme0n1")[0], 'n', "a disk is not indented");
	cr_expect_eq(strncmp(line_of("nvme0n1p1"), "  nvme0n1p1", 11), 0, "%s",
		     line_of("nvme0n1p1"));
	expect("nvme0n1p1", "part");
}

Test(app_devices, json_has_null_for_what_is_unknown)
{
	json_t *root, *dev;
	size_t i;

	load("server", true);
	root = json_loads(strbuf_str(&out), JSON_REJECT_DUPLICATES, NULL);
	cr_assert_not_null(root, "%s", strbuf_str(&out));
	cr_expect_gt(json_array_size(json_object_get(root, "devices")), 5);
	json_array_foreach(json_object_get(root, "devices"), i, dev)
	{
		const json_t *writes = json_object_get(dev, "writes");
		const char *verdict = json_string_value(json_object_get(writes, "verdict"));

		cr_assert_not_null(verdict);
		cr_expect_gt(json_array_size(json_object_get(writes, "reasons")), 0);
		cr_expect(json_is_null(json_object_get(dev, "signatures")),
			  "a fixture's devices are never opened");
		cr_expect(json_is_integer(json_object_get(dev, "size_bytes")));
		cr_expect(!json_is_string(json_object_get(dev, "model")) ||
			  *json_string_value(json_object_get(dev, "model")));
	}
	json_decref(root);
}
