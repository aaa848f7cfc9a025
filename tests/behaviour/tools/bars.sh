#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bars.sh - how bench/locks judges what it measured, by figures made up here.
. "${SOURCE:?}/tests/lib.sh"

need_tool python3

cat >"$TMPDIR/judge.py" <<'END'
import importlib.machinery
import importlib.util
import os
import sys
import types

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("bars", os.environ["SOURCE"] + "/bench/locks")
bars = importlib.util.module_from_spec(importlib.util.spec_from_loader("bars", loader))
loader.exec_module(bars)


def slot(jain=1.0, longest=1e6, waits=1000, long_ones=0, switches=(0, 0), status="ok"):
    lock = {"jain": jain, "wait_ns": {"max": longest}, "waits": waits, "waits_over_50us": long_ones,
            "switches_per_1000": {"voluntary": switches[0], "involuntary": switches[1]}}
    return {"status": status, "evidence": {"lock": lock}}


def states(quick, series):
    """Of the bars on waits, by the first word that tells them apart."""
    locks = bars.Locks(types.SimpleNamespace(quick=quick, build="build", db=None, slots=None))
    bars.grid_tail(locks, "x", series, series["params"]["threads"], 1000)
    return {bar["what"].split(": ")[1].split()[0]: bar["state"] for bar in locks.bars}


def series(slots, jain, longest, threads=16):
    return {"params": {"threads": threads}, "estimate": {"value": 1e6}, "slots": slots, "jain": jain,
            "wait_ns": {"max": longest, "p99": 1000, "p999": 1000}}
END

judged()
{
	cat "$TMPDIR/judge.py" - >"$TMPDIR/all.py"
	expect_status 0 python3 "$TMPDIR/all.py"
}

long_waits_are_a_share_of_all_waits()
{
	judged <<-'END'
		# medians would say 1 of 1000
		one = series([slot(waits=1000, long_ones=1), slot(waits=1000, long_ones=1),
		              slot(waits=2000, long_ones=38), slot(waits=9, long_ones=9, status="replaced")],
		             1.0, 1e6)
		assert bars.long_waits_percent(one) == 1.0
		assert bars.long_waits_percent(series([], 1.0, 1e6)) is None
	END
}

switches_are_added_slot_by_slot()
{
	judged <<-'END'
		# the sum of the medians would be 0
		one = series([slot(switches=(9, 0)), slot(switches=(0, 9)), slot(switches=(0, 0))], 1.0, 1e6)
		assert bars.switches_of(one) == 9
		assert bars.switches_of(series([], 1.0, 1e6)) is None
	END
}

the_longest_wait_is_that_of_any_slot()
{
	judged <<-'END'
		one = series([slot(longest=1e6)] * 11 + [slot(longest=21e6)], 1.0, 21e6)
		assert states(False, one)["longest"] == "missed"
		assert states(False, series(one["slots"], 1.0, 21e6, threads=64))["longest"] == "met"
		assert not bars.keeps_tail(one)
	END
}

short_slots_do_not_prove_unfairness()
{
	judged <<-'END'
		unfair = series([slot(jain=0.5)] * 6, 0.5, 1e6)
		assert states(False, unfair)["Jain"] == "missed"
		assert states(True, unfair)["Jain"] == "not decided"
		assert states(True, series([slot(jain=0.95)] * 6, 0.95, 1e6))["Jain"] == "met"
	END
}

behaviour long_waits_are_a_share_of_all_waits long_waits_are_a_share_of_all_waits
behaviour switches_are_added_slot_by_slot switches_are_added_slot_by_slot
behaviour the_longest_wait_is_that_of_any_slot the_longest_wait_is_that_of_any_slot
behaviour short_slots_do_not_prove_unfairness short_slots_do_not_prove_unfairness

plan_done
