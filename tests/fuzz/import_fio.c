// SPDX-License-Identifier: GPL-2.0-or-later
/* import_fio.c - any bytes as the JSON of fio. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_fio_read);
	return 0;
}
