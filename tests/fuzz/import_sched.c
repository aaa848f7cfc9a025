// SPDX-License-Identifier: GPL-2.0-or-later
/* import_sched.c - any bytes as text of hackbench and perf bench. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_sched_read);
	return 0;
}
