#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# itself.sh - the sensor of a process that loads the program itself: no daemon listens.
. "${SOURCE:?}/tests/behaviour/sensor/lib.sh"

need_sched

for behaviour in own_state_is_running blocked_is_sleeping displaced_is_preempted \
	threads_that_were_there_are_known a_slot_given_back_is_not_written \
	an_untold_end_leaves_the_state_unknown a_forked_child_opens_its_own \
	it_is_closed_and_opened_under_readers; do
	behaviour "$behaviour" is "$behaviour"
done

plan_done
