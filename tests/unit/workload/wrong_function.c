// SPDX-License-Identifier: GPL-2.0-or-later
/* wrong_function.c - Whetstone's loops with the logarithm to the base 2 in place of the natural
 * one. */
#include <math.h>

#define log log2
#include "workload/whet.c"
