// SPDX-License-Identifier: GPL-2.0-or-later
/* hash.c - content hash of a workload: its sources, its id, its parameter values. */
#include "base/sha256.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct source_hash {
	const char *file; /* key: workload.file */
	const char *hex;
};

static const struct source_hash source_hashes[] = {
#include "workload-hashes.h"
};

static const char *source_hash(const char *file)
{
	for (size_t i = 0; i < sizeof(source_hashes) / sizeof(source_hashes[0]); i++)
		if (!strcmp(source_hashes[i].file, file))
			return source_hashes[i].hex;
	return "";
}

/* Each part ends with a zero byte, so that no two lists of parts run together. */
static void add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text, strlen(text) + 1);
}

void workload_hash(const struct workload *workload, const int64_t *param, char *hex)
{
	struct sha256 sha;

	sha256_init(&sha);
	add_text(&sha, source_hash(workload->file));
	add_text(&sha, workload->id);
	for (int i = 0; i < workload_param_count(workload); i++) {
		const struct workload_param *of = &workload->params[i];
		char number[24];

		snprintf(number, sizeof(number), "%" PRId64, param[i]);
		add_text(&sha, of->name);
		/* Another choice in the table is no other work. */
		add_text(&sha, of->choices ? of->choices[param[i]] : number);
	}
	sha256_hex(&sha, hex);
}
