#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - tests/lib.sh itself: a test library that cannot fail proves nothing.
# shellcheck disable=SC2016,SC2034 # code for the inner scripts
. "${SOURCE:?}/tests/lib.sh"

# script NAME: a test script from stdin that sources the library.
script()
{
	{
		printf '. "$SOURCE/tests/lib.sh"\n'
		cat
	} >"$TMPDIR/$1"
}

prints_a_plan_and_numbers()
{
	script two.sh <<-'END'
		behaviour first true
		behaviour 'second in words' true
		plan_done
	END
	expect_status 0 bash two.sh
	expect_stdout_is $'ok 1 - first\nok 2 - second in words\n1..2'
}
behaviour lib_prints_a_plan_and_numbers prints_a_plan_and_numbers

failed_assertion_fails_with_both_values()
{
	script fails.sh <<-'END'
		wrong() { expect_status 3 bash -c 'echo answer; echo complaint >&2; exit 4'; echo unreached; }
		behaviour it_fails wrong
		plan_done
	END
	expect_status 1 bash fails.sh
	expect_stdout_has '^not ok 1 - it_fails$'
	expect_stdout_has '^#   expected: status 3$'
	expect_stdout_has '^#   came:     status 4$'
	expect_stdout_has '^#   stdout \| answer$'
	expect_stdout_has '^#   stderr \| complaint$'
	expect_stdout_lacks unreached
}
behaviour lib_fails_with_what_was_expected_and_what_came failed_assertion_fails_with_both_values

plain_command_that_fails_fails()
{
	script plain.sh <<-'END'
		inner() { false; true; }
		outer() { inner; true; }
		behaviour it_fails outer
		plan_done
	END
	expect_status 1 bash plain.sh
	expect_stdout_has '^not ok 1'
	expect_stdout_has 'line [0-9]+: `false` ended with status 1'
}
behaviour lib_a_plain_command_that_fails_fails_the_behaviour plain_command_that_fails_fails

# One line per assertion: what must hold for it to pass, then what must make it fail.
assertions_can_fail()
{
	local pass failing

	while IFS='|' read -r pass failing; do
		script one.sh <<-END
			say() { echo "\$1"; echo "\$2" >&2; }
			good() { run say '{"a": 1}' err; echo x >full; : >empty; $pass; }
			bad() { run say '{"a": 1}' err; echo x >full; : >empty; $failing; }
			behaviour good good
			behaviour bad bad
			plan_done
		END
		expect_status 1 bash one.sh
		expect_stdout_has '^ok 1 - good$'
		expect_stdout_has '^not ok 2 - bad$'
		expect_stdout_has '^#   expected: '
	done <<-'END'
		expect_stdout_has a|expect_stdout_has b
		expect_stdout_lacks b|expect_stdout_lacks a
		expect_stderr_has err|expect_stderr_has a
		expect_stderr_lacks a|expect_stderr_lacks err
		run true; expect_stdout_empty|expect_stdout_empty
		run true; expect_stderr_empty|expect_stderr_empty
		expect_stdout_is '{"a": 1}'|expect_stdout_is '{"a": 2}'
		expect_file full x|expect_file full y
		expect_file full|expect_file empty
		expect_file full|expect_file nowhere
		expect_file_lacks full y|expect_file_lacks full x
		expect_no_file nowhere|expect_no_file full
		expect_json '.a == 1'|expect_json '.a == 2'
		expect_json .a|expect_json .b
		echo '[]' >f; expect_json 'length == 0' f|echo '[] []' >f; expect_json 'length == 0' f
		echo '[]' >f; expect_json 'length == 0' f|echo '[' >f; expect_json 'length == 0' f
		echo '[]' >f; expect_json 'length == 0' f|: >f; expect_json 'length == 0' f
		expect_equal 1 1|expect_equal 1 2
		expect_true truth true|expect_true truth false
		DEADLINE=1 wait_until true|DEADLINE=1 wait_until false
		expect_status 0 sleep 0|DEADLINE=1; expect_status 0 sleep 30
	END
}
behaviour lib_every_assertion_passes_and_fails assertions_can_fail

skips_with_the_reason()
{
	script skips.sh <<-'END'
		behaviour one need_tool no-such-tool-here
		behaviour two skip 'the reason # of it'
		behaviour three true
		plan_done
	END
	expect_status 0 bash skips.sh
	expect_stdout_has '^ok 1 - one # SKIP no-such-tool-here is not installed$'
	expect_stdout_has '^ok 2 - two # SKIP the reason   of it$'
	expect_stdout_has '^ok 3 - three$'

	script all.sh <<-'END'
		need_tool no-such-tool-here
		behaviour never false
	END
	expect_status 0 bash all.sh
	expect_stdout_is '1..0 # SKIP no-such-tool-here is not installed'
}
behaviour lib_skips_with_the_reason skips_with_the_reason

early_end_bails_out()
{
	script early.sh <<-'END'
		behaviour one true
		echo $undefined_variable
		plan_done
	END
	expect_status 1 bash early.sh
	expect_stdout_has '^Bail out!'
}
behaviour lib_a_script_that_ends_early_bails_out early_end_bails_out

orphan_fails()
{
	script orphan.sh <<-'END'
		ORPHAN_GRACE_S=1
		leaves() { setsid sleep 1000 >/dev/null 2>&1 & wait_until grep -q sleep "/proc/$!/comm"; }
		behaviour leaves_one leaves
		behaviour next_is_clean true
		plan_done
	END
	expect_status 1 bash orphan.sh
	expect_stdout_has '^not ok 1'
	expect_stdout_has '^#   left behind: [0-9]+ sleep 1000'
	expect_stdout_has '^ok 2'
}
behaviour lib_a_process_left_behind_fails_and_is_killed orphan_fails

background_ends()
{
	script background.sh <<-'END'
		starts() { background sleep 1000; kill -0 "$BACKGROUND"; }
		behaviour starts_one starts
		plan_done
	END
	expect_status 0 bash background.sh
	expect_stdout_has '^ok 1'
}
behaviour lib_a_background_process_ends_with_its_behaviour background_ends

private_place_goes()
{
	script place.sh <<-'END'
		place() { echo "$PRIVATE" >"$OUTSIDE/place"; [ -d "$HOME" ]; [ -d "$TMPDIR" ]; [ -d "$XDG_DATA_HOME" ]; }
		behaviour place place
		plan_done
	END
	expect_status 0 env OUTSIDE="$TMPDIR" bash place.sh
	expect_file place
	expect_no_file "$(cat place)"
}
behaviour lib_home_data_and_tmpdir_are_private_and_go private_place_goes

tells_sanitizers()
{
	SANITIZE=none
	expect_status 1 sanitized_build
	SANITIZE=address,undefined
	expect_status 0 sanitized_build
	expect_status 0 sanitized_build undefined
	expect_status 1 sanitized_build thread
}
behaviour lib_tells_which_sanitizer_the_build_has tells_sanitizers

plan_done
