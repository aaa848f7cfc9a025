// SPDX-License-Identifier: GPL-2.0-or-later
/* import_gbench.c - any bytes as the JSON of Google Benchmark. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_gbench_read);
	return 0;
}
