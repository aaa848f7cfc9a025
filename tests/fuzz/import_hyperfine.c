// SPDX-License-Identifier: GPL-2.0-or-later
/* import_hyperfine.c - any bytes as the JSON of hyperfine. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_hyperfine_read);
	return 0;
}
