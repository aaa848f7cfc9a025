// SPDX-License-Identifier: GPL-2.0-or-later
/* tag.c - onproc tag: gives a run a name of one's own. */
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>

struct tag_options {
	bool remove;
};

static const struct option options[] = {
	{ .name = "delete",
	  .letter = 'd',
	  .kind = OPTION_FLAG,
	  .help = "take the name away; without RUN from all runs that have it",
	  .offset = offsetof(struct tag_options, remove) },
	{ .name = NULL },
};

static enum exit_code tag(const struct verb_call *call)
{
	const struct tag_options *typed = call->values;
	const char *name = call->operand[call->operands - 1];
	const char *run = call->operands > 1 ? call->operand[0] : NULL;
	struct store *store = NULL;
	struct error err = { 0 };
	int rc;

	if (!run && !typed->remove) {
		error_set(&err, -EINVAL, "a run and its name are needed");
		return usage_failed("tag", &err);
	}
	rc = store_open_existing(call->db, &store, &err);
	if (!rc)
		rc = typed->remove ? store_untag(store, run, name, &err)
				   : store_tag(store, run, name, &err);
	store_close(store);
	return rc ? verb_failed("tag", &err) : EXIT_OK;
}

const struct verb verb_tag = {
	.name = "tag",
	.operands = "[RUN] NAME",
	.summary = "give a stored run a name",
	.description =
		"Gives RUN the name NAME, which can be used wherever a run is named, and which "
		"onproc list shows. Several runs may have one name: it means the one that got it "
		"last, and with onproc compare --unit boot all of them. A name has letters, digits "
		"and ._+/-, and starts with a letter.",
	.examples = "onproc tag last v6.12\tcall the newest run v6.12\n"
		    "onproc tag --delete v6.12\ttake the name away",
	.complete = "run",
	.min_operands = 1,
	.max_operands = 2,
	.options = options,
	.values_bytes = sizeof(struct tag_options),
	.run = tag,
};
