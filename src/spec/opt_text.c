#include "src/spec/opt_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

bool opt_next(const char **text, const char *seps, struct opt_part *part)
{
	size_t len;

	if (!*text)
		return false;
	len = strcspn(*text, seps);
	part->too_long = len >= sizeof(part->s);
	part->end = (*text)[len];
	memcpy(part->s, *text, part->too_long ? sizeof(part->s) - 1 : len);
	part->s[part->too_long ? sizeof(part->s) - 1 : len] = '\0';
	*text = part->end ? *text + len + 1 : NULL;
	return true;
}

static int check_part(const struct opt_part *part, struct err *e)
{
	if (part->too_long)
		return err_set(e, EINVAL, "'%.20s...' is too long", part->s);
	if (!part->s[0])
		return err_set(e, EINVAL, "an entry is empty");
	return 0;
}

int opt_decimal(const struct opt_part *part, double min, double max, double *v, struct err *e)
{
	const char *s = part->s;
	size_t whole = strspn(s, "0123456789"), frac = 0;
	int rc = check_part(part, e);

	if (rc)
		return rc;
	if (s[whole] == '.')
		frac = 1 + strspn(s + whole + 1, "0123456789");
	if (!whole || frac == 1 || s[whole + frac])
		return err_set(e, EINVAL, "'%.40s' is not a number", s);
	*v = strtod(s, NULL);
	if (*v < min || *v > max)
		return err_set(e, ERANGE, "%.40s is out of range: %g to %g", s, min, max);
	return 0;
}

int opt_u64(const struct opt_part *part, uint64_t min, uint64_t max, uint64_t *v, struct err *e)
{
	int rc = check_part(part, e);

	return rc ? rc : units_parse_u64(part->s, min, max, v, e);
}

int opt_size(const struct opt_part *part, unsigned kb_base, uint64_t *bytes, struct err *e)
{
	int rc = check_part(part, e);

	return rc ? rc : units_parse_size(part->s, kb_base, bytes, NULL, e);
}

int opt_time(const struct opt_part *part, uint64_t bare_ns, uint64_t *ns, struct err *e)
{
	int rc = check_part(part, e);

	return rc ? rc : units_parse_time(part->s, bare_ns, ns, e);
}
