// SPDX-License-Identifier: GPL-2.0-or-later
/* import_table.c - any bytes as a mail with tables of results. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_table_read);
	return 0;
}
