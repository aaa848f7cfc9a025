// SPDX-License-Identifier: GPL-2.0-or-later
/* wrong_callee.c - Dhrystone's callees, one of which adds one too much. */
#define dhry_numbers_add numbers_add
#include "workload/dhry_callees.c"
#undef dhry_numbers_add

void dhry_numbers_add(int left, int right, int *sum);

void dhry_numbers_add(int left, int right, int *sum)
{
	numbers_add(left, right + 1, sum);
}
