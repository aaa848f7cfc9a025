// SPDX-License-Identifier: GPL-2.0-or-later
/* journal.c - any bytes as a journal. */
#include "fuzz.h"
#include "store/journal_replay.h"

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	const char *text = (const char *)bytes;
	struct error err = { 0 };
	struct run run, again;
	size_t whole, same;
	int rc = journal_replay("fuzz", text, count, &run, &whole, &err);

	if (whole > count || (!rc && !whole))
		abort();
	/* What was kept, whether all or up to a damaged line, is a run; and it replays to itself.
	 */
	if (!rc || (rc == -EUCLEAN && whole))
		fuzz_check_run(&run);
	if (!rc) {
		if (journal_replay("fuzz", text, whole, &again, &same, &err) || same != whole)
			abort();
		run_free(&again);
	}
	run_free(&run);
	return 0;
}
