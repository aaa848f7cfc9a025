// SPDX-License-Identifier: GPL-2.0-or-later
/* unixbench_html.c - any bytes as an HTML report of UnixBench. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_check_import(bytes, count, import_unixbench_html_read);
	return 0;
}
