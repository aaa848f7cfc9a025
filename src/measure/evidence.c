// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence.c - see evidence.h: takes the snapshots and puts their account into JSON. */
#include "measure/evidence.h"

#include "base/clock.h"
#include "measure/evidence_account.h"
#include "measure/evidence_frequency.h"
#include "measure/evidence_json.h"
#include "measure/evidence_snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct evidence {
	struct sources sources;
	struct snapshot before, after;
	struct cgroup cgroup; /* of the slot between before and after */
	struct error cgroup_error;
	struct frequency_memory frequency_memory;
};

int evidence_open(const char *root, struct evidence **evidence, struct error *err)
{
	int rc;

	*evidence = calloc(1, sizeof(**evidence));
	if (!*evidence)
		return error_set(err, -ENOMEM, "no memory");
	rc = sources_open(root, &(*evidence)->sources, err);
	if (rc) {
		free(*evidence);
		*evidence = NULL;
	}
	return rc;
}

void evidence_close(struct evidence *evidence)
{
	if (!evidence)
		return;
	sources_close(&evidence->sources);
	snapshot_free(&evidence->before);
	snapshot_free(&evidence->after);
	cgroup_free(&evidence->cgroup);
	free(evidence->frequency_memory.best);
	free(evidence);
}

/* The copies' group may have been moved away from the caller's. */
static int cgroup_refresh(struct evidence *evidence, pid_t own_group)
{
	struct error *err = &evidence->cgroup_error;
	const char *root = evidence->sources.root;
	int rc = -ENOENT;

	cgroup_free(&evidence->cgroup);
	if (own_group > 0)
		rc = cgroup_find(root, own_group, "cpu", &evidence->cgroup, err);
	if (rc && rc != -ENOMEM)
		rc = cgroup_find(root, 0, "cpu", &evidence->cgroup, err);
	if (!rc)
		*err = (struct error){ 0 };
	return rc == -ENOMEM ? rc : 0;
}

static int throttling_take(struct evidence *evidence, struct snapshot *snapshot)
{
	if (evidence->cgroup_error.code) {
		snapshot->throttling_error = evidence->cgroup_error;
		return 0;
	}
	return snapshot_throttling(&evidence->sources, &evidence->cgroup, snapshot);
}

/* What is short of the window by the least comes last before it and first after it. */
int evidence_before(struct evidence *evidence, pid_t own_group, struct error *err)
{
	struct snapshot *before = &evidence->before;
	int rc;

	rc = cgroup_refresh(evidence, own_group);
	if (!rc)
		rc = snapshot_processes(&evidence->sources, before);
	if (!rc)
		rc = throttling_take(evidence, before);
	if (!rc)
		rc = snapshot_pressure(&evidence->sources, before);
	if (!rc)
		rc = snapshot_cpus(&evidence->sources, before);
	if (rc)
		error_set(err, rc, "no memory");
	return rc;
}

int evidence_after(struct evidence *evidence, pid_t own_group, json_t **object, struct error *err)
{
	struct snapshot *after = &evidence->after;
	struct account account = { 0 };
	struct frequency frequency = { 0 };
	struct error frequency_error = { 0 };
	struct account_request request = { .sources = &evidence->sources,
					   .before = &evidence->before,
					   .after = after,
					   .own_group = own_group };
	struct evidence_parts parts = { .sources = &evidence->sources,
					.before = &evidence->before,
					.after = after,
					.cgroup = &evidence->cgroup,
					.account = &account,
					.frequency = &frequency,
					.frequency_error = &frequency_error };
	int rc;

	*object = NULL;
	rc = snapshot_cpus(&evidence->sources, after);
	if (!rc)
		rc = snapshot_pressure(&evidence->sources, after);
	if (!rc)
		rc = throttling_take(evidence, after);
	if (!rc)
		rc = snapshot_processes(&evidence->sources, after);
	if (!rc)
		rc = account_make(&request, &account);
	if (!rc)
		rc = frequency_read(&evidence->sources, account.busy_cpu, account.n_busy,
				    &evidence->frequency_memory, &frequency, &frequency_error);
	if (rc != -ENOMEM)
		rc = evidence_json(&parts, object);
	account_free(&account);
	if (rc)
		error_set(err, rc, "no memory");
	return rc;
}

bool evidence_is_external(const json_t *object)
{
	return json_array_size(json_object_get(object, "external")) > 0;
}

int evidence_put(json_t *object, const char *name, json_t *value)
{
	char reason[64];

	if ((size_t)snprintf(reason, sizeof(reason), "%s_reason", name) >= sizeof(reason)) {
		json_decref(value);
		return -EINVAL;
	}
	json_object_del(object, reason);
	return json_object_set_new(object, name, value) ? -ENOMEM : 0;
}
