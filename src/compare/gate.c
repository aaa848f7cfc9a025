// SPDX-License-Identifier: GPL-2.0-or-later
/* gate.c - see gate.h. */
#include "compare/gate.h"

#include "stats/further.h"

#include <math.h>

enum gate_outcome gate_of_test(const struct comparison_test *test, double alpha)
{
	/* Every comparison with the NAN of a missing interval is false. */
	if (test->p_regression <= alpha)
		return GATE_REGRESSED;
	if (test->log_ratio.lo > -test->margin && !test->reason)
		return GATE_PASSED;
	return GATE_UNDECIDED;
}

bool gate_is_trivial_loss(const struct comparison_test *test)
{
	return test->decision.verdict == VERDICT_WORSE && test->log_ratio.lo > -test->margin;
}

void gate_judge(const struct comparison *comparison, struct gate *gate)
{
	*gate = (struct gate){ GATE_PASSED, 0, 0, 0, 0 };
	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (test->is_one_sided)
			continue;
		switch (gate_of_test(test, comparison->alpha)) {
		case GATE_REGRESSED:
			gate->regressed++;
			break;
		case GATE_UNDECIDED:
			gate->undecided++;
			break;
		case GATE_PASSED:
			gate->passed++;
			gate->trivial += gate_is_trivial_loss(test);
			break;
		}
	}
	if (gate->regressed)
		gate->outcome = GATE_REGRESSED;
	else if (gate->undecided)
		gate->outcome = GATE_UNDECIDED;
}

double gate_further_units(const struct comparison_test *test)
{
	size_t further = further_blocks_of_gate(&test->log_ratio, &test->holm, test->margin);

	return further ? comparison_units(test, further) : NAN;
}
