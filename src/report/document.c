// SPDX-License-Identifier: GPL-2.0-or-later
/* document.c - documents as text. */
#include "report/report.h"

#include <errno.h>

int report_document(json_t *document, FILE *out)
{
	int rc = 0;

	if (!document)
		return -ENOMEM;
	if (json_dumpf(document, out, JSON_INDENT(1)) && !ferror(out))
		rc = -ENOMEM;
	fputc('\n', out);
	json_decref(document);
	return rc;
}
