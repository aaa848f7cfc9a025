// SPDX-License-Identifier: GPL-2.0-or-later
/* run_json.c - any bytes as documents of onproc. */
#include "fuzz.h"
#include "store/import.h"

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
	if (!import_onproc_read(&source, &imported, &err))
		for (size_t i = 0; i < imported.count; i++)
			fuzz_check_run(&imported.runs[i]);
	import_free(imported.runs, imported.count);
	free(text);
	return 0;
}
