/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score.h - the index of each suite and copy count of a run whose series are summarised.
 */
#ifndef ONPROC_STORE_SCORE_H
#define ONPROC_STORE_SCORE_H

#include "store/record.h"

/*
 * Replaces run->scores: one for every copy count and suite with at least one result, by ascending
 * copy count. Series with a side belong to a comparison and are left out. 0 or -ENOMEM.
 */
int run_score(struct run *run);

/* Whether the slot is one that its series' estimate rests on. */
bool slot_counts(const struct slot *slot);

#endif
