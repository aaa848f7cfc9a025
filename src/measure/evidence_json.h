/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence_json.h - the account of a slot as the JSON object of evidence.h.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_JSON_H
#define ONPROC_MEASURE_EVIDENCE_JSON_H

#include "measure/evidence_account.h"
#include "measure/evidence_frequency.h"

#include <jansson.h>

struct evidence_parts {
	struct sources *sources; /* for the policy of the threads of those that are named */
	const struct snapshot *before, *after;
	const struct cgroup *cgroup;
	const struct account *account;
	const struct frequency *frequency;
	const struct error *frequency_error;
};

/* 0 and a new object, or -ENOMEM. */
int evidence_json(const struct evidence_parts *parts, json_t **object);

#endif
