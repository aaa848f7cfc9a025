/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ab_switch.h - puts the machine on a side, checks that it is there, and puts it back at the end.
 */
#ifndef ONPROC_MEASURE_AB_SWITCH_H
#define ONPROC_MEASURE_AB_SWITCH_H

#include "measure/ab_note.h"
#include "measure/ab_sides.h"

struct ab_switch {
	const struct sides *sides;
	bool is_aa;	  /* nothing differs, so nothing must */
	int side;	  /* that is set, -1: not known */
	bool was_touched; /* a switch was begun, by this onproc or by a killed one */
	char *printed[2]; /* by the check of each side, the first time */
	struct ab_note *note;
};

/* database, run: of the note; database NULL: none is kept. Switches nothing yet. */
int switch_open(struct ab_switch *change, const struct sides *sides, bool is_aa,
		const char *database, const char *run, struct error *err);

/*
 * Runs the side's setup unless that side is set, then the check. A signal waits for their end.
 * -EBADMSG: the setup or the check failed; -ESTALE: the check printed something else than before,
 * or the same for both sides.
 */
int switch_to(struct ab_switch *change, int side, struct error *err);

/*
 * Puts the machine back if it was touched, whatever asked onproc to stop, and forgets the rest.
 * After a failure the note stays, and the text says what is to be done by hand.
 */
int switch_close(struct ab_switch *change, struct error *err);

#endif
