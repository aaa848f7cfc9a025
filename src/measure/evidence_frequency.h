/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence_frequency.h - clock frequency of the CPUs that worked, against the best seen with as
 * many busy CPUs.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_FREQUENCY_H
#define ONPROC_MEASURE_EVIDENCE_FREQUENCY_H

#include "measure/evidence_snapshot.h"

/*
 * Highest share of its own maximum that a busy CPU ran at, by the number of busy CPUs. A CPU may
 * turbo higher while its neighbours idle, so a slot is compared only with earlier ones in which as
 * many CPUs or more were busy.
 */
struct frequency_memory {
	double *best;
	size_t room;
};

struct frequency {
	double khz;	/* median over the busy CPUs */
	double was_khz; /* what the best earlier slot's share would be here; khz when there is none
			   better */
};

/*
 * Reads scaling_cur_freq of the busy CPUs (at most 32 of them) while they still work, and remembers
 * it. 0, -ENOMEM, or another negative errno with the reason.
 */
int frequency_read(struct sources *sources, const int *busy_cpu, size_t n_busy,
		   struct frequency_memory *memory, struct frequency *frequency, struct error *err);

#endif
