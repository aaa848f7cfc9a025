/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate.h - may a change pass: what a comparison says about regressions.
 *
 * A test has regressed when its Holm-adjusted interval lies below -margin: over all tests, an
 * unharmed change is stopped with probability alpha at most. It has passed when its own interval
 * lies above -margin; all have to, so that this needs no adjustment. Anything else is undecided.
 */
#ifndef ONPROC_COMPARE_GATE_H
#define ONPROC_COMPARE_GATE_H

#include "compare/comparison.h"

enum gate_outcome {
	GATE_PASSED,
	GATE_REGRESSED, /* at least one test */
	GATE_UNDECIDED, /* none has regressed, and one is undecided or could not be compared */
};

enum gate_outcome gate_of_test(const struct comparison_test *test, double alpha);

/* Worse for sure, and by less than the margin for sure: worth a note. */
bool gate_is_trivial_loss(const struct comparison_test *test);

/* Tests that one side alone has are none of the gate's. */
struct gate {
	enum gate_outcome outcome;
	size_t regressed, undecided, passed, trivial; /* tests; trivial ones are among passed */
};

void gate_judge(const struct comparison *comparison, struct gate *gate);

/* Further units that an undecided test is expected to need until it passes or not; NAN: not to be
 * said. */
double gate_further_units(const struct comparison_test *test);

#endif
