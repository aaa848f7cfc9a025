// SPDX-License-Identifier: GPL-2.0-or-later
/* unixbench_report.c - any bytes as a text report of UnixBench. */
#include "fuzz.h"
#include "store/import_formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	char *text = calloc(1, count + 1);
	const struct import_source source = { "fuzz", text, count };
	struct imported imported = { 0 };
	struct error err = { 0 };

	if (!text)
		return 0;
	memcpy(text, bytes, count);
	import_unixbench_recognise(&source);
	if (!import_unixbench_read(&source, &imported, &err))
		for (size_t i = 0; i < imported.count; i++)
			fuzz_check_run(&imported.runs[i]);
	import_free(imported.runs, imported.count);
	free(text);
	return 0;
}
