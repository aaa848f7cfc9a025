/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ab_sides.h - the two sides of an A/B comparison, as a plan holds them, and how blocks end.
 *
 * Sides differ by a setup command, by environment variables, by the command that is measured
 * (command.h), or by nothing: A/A.
 */
#ifndef ONPROC_MEASURE_AB_SIDES_H
#define ONPROC_MEASURE_AB_SIDES_H

#include "base/error.h"
#include "measure/variables.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define SIDE_A		0
#define SIDE_B		1
#define AB_MARGIN	0.01 /* what is too little to matter */
#define AB_ALPHA	0.05
#define AB_BLOCKS_MAX	1000000u
#define AB_BLOCKS_LEAST 6    /* with an interval at 1 - AB_ALPHA */
#define AB_RERUN_SHARE	0.15 /* of the blocks, for external evidence */

extern const char *const side_letters[2]; /* "A", "B" */

struct side {
	char *name;		    /* as typed: "patched"; NULL: only its letter */
	char *setup;		    /* NULL: none */
	struct variables variables; /* of whatever is measured or run on this side */
};

struct sides {
	struct side side[2];
	char *check;	 /* prints what tells the sides apart; NULL: nothing does */
	char *restore;	 /* instead of side A's setup at the end; NULL: that */
	uint32_t blocks; /* complete ones of each row, with all of alpha at the end; 0: by looks */
	double margin;	 /* share: 0.01 for 1 % */
	double alpha;
};

/* "NAME: SETUP", "NAME:" or "NAME" into a side. -EINVAL with what was expected. */
int side_parse(const char *text, struct side *side, struct error *err);

/* Setups and variables are the same: with one command for both, an A/A comparison. */
bool sides_are_equal(const struct sides *sides);

/* The command that puts the machine back, NULL: none is needed. */
const char *sides_restore(const struct sides *sides);

/*
 * {"A":{"name":null|…,"setup":null|…,"environment":["NAME=VALUE"]},"B":…,"check":null|…,
 *  "restore":null|…,"blocks":null|N,"margin":…,"alpha":…}. New; NULL: no memory, or no UTF-8.
 */
json_t *sides_to_json(const struct sides *sides);

/* A new one, to be freed; -EINVAL with the path of the member in a plan. */
int sides_from_json(const json_t *object, struct sides **sides, struct error *err);
void sides_free(struct sides *sides); /* itself too; NULL is fine */

#endif
