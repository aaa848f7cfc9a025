// SPDX-License-Identifier: GPL-2.0-or-later
/* version_verb.c - onproc version. */
#include "cmd/output.h"
#include "cmd/verbs.h"
#include "cmd/version.h"

static enum exit_code version(const struct verb_call *call)
{
	struct error err = { 0 };

	(void)call;
	puts("onproc " ONPROC_VERSION);
	return output_finish(&err) ? verb_failed("version", &err) : EXIT_OK;
}

const struct verb verb_version = {
	.name = "version",
	.summary = "print the version",
	.description =
		"Prints the name and version of the program, as they stand in a run's record.",
	.run = version,
};
