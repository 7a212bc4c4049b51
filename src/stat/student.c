#include "src/stat/student.h"

#include <math.h>

double student_t95(unsigned dof)
{
	static const double table[] = {
		INFINITY, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
		2.4469,   2.3646,  2.3060, 2.2622, 2.2281,
	};
	const double z = 1.959964;
	double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, n = (double)dof;

	if (dof < sizeof(table) / sizeof(table[0]))
		return table[dof];
	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}
