/* SPDX-License-Identifier: GPL-2.0-or-later */
/* law.h - the scaling law of each test of a run that has enough copy counts. */
#ifndef ONPROC_STORE_LAW_H
#define ONPROC_STORE_LAW_H

#include "store/record.h"

/*
 * Replaces run->laws, of a run whose series are summarised; see run_summarise(). Series with a side
 * belong to a comparison and are left out. 0 or -ENOMEM.
 */
int run_fit_laws(struct run *run);

void laws_free(struct run *run);

/* Array for the run's document. NULL: no memory. */
json_t *laws_to_json(const struct run *run);

#endif
