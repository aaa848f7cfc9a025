// SPDX-License-Identifier: GPL-2.0-or-later
/* pin.c - the words of --pin; see topology.h. */
#include "measure/topology.h"
#include "measure/topology_cpulist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum pin_kind kind;
} pin_names[] = {
	{ "none", PIN_NONE },
	{ "spread", PIN_SPREAD },
	{ "compact", PIN_COMPACT },
};

int pin_parse(const char *text, struct pin *pin, struct error *err)
{
	struct error list_error = { 0 };
	int rc;

	*pin = (struct pin){ .kind = PIN_NONE };
	for (size_t i = 0; i < sizeof(pin_names) / sizeof(pin_names[0]); i++) {
		if (strcmp(text, pin_names[i].name) == 0) {
			pin->kind = pin_names[i].kind;
			return 0;
		}
	}
	if (text[0] < '0' || text[0] > '9')
		return error_set(err, -EINVAL,
				 "\"%.100s\": expected none, spread, compact or a CPU list "
				 "such as 0,2-5",
				 text);
	rc = cpu_list_parse(text, strlen(text), &pin->list, &pin->count, &list_error);
	if (rc)
		return error_set(err, rc, "CPU list \"%.100s\": %.100s", text, list_error.text);
	pin->kind = PIN_LIST;
	return 0;
}

void pin_free(struct pin *pin)
{
	free(pin->list);
	*pin = (struct pin){ .kind = PIN_NONE };
}
