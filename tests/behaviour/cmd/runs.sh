#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# runs.sh - list, show, export, import and rm over one database.
. "${SOURCE:?}/tests/lib.sh"

data=$SOURCE/tests/data/runs
db=$TMPDIR/runs.db

onproc()
{
	"$ONPROC" "$1" --db "$db" "${@:2}"
}

fresh()
{
	rm -rf "$db"*
}

stored()
{
	onproc list --json | jq -r '.runs | length'
}

ids_one_a_line()
{
	fresh
	expect_status 0 onproc import "$data"/quick.json "$data"/trouble.json
	expect_stdout_is "$(jq -r .run.id "$data/quick.json" "$data/trouble.json")"
	expect_stderr_empty
}

bad_files_between_good_ones()
{
	fresh
	echo '{"schema":"onproc.run","schema_version":1}' >cut.json
	echo 'no run' >text.json
	expect_status 128 onproc import cut.json "$data/quick.json" text.json missing.json "$data/trouble.json"
	expect_stdout_is "$(jq -r .run.id "$data/quick.json" "$data/trouble.json")"
	expect_stderr_has 'cut\.json.*expected'
	expect_stderr_has 'text\.json'
	expect_stderr_has 'missing\.json.*No such file'
	expect_equal 2 "$(stored)" 'runs stored'
}

same_again()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	expect_status 0 onproc import "$data/quick.json"
	expect_stdout_is "$(jq -r .run.id "$data/quick.json")"
	expect_equal 1 "$(stored)" 'runs stored'
}

another_of_the_same_id()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	onproc export last >before
	jq '.run.host = "elsewhere"' "$data/quick.json" >other.json
	expect_status 128 onproc import other.json
	expect_stderr_has 'another run .* is stored already'
	expect_stdout_empty
	onproc export last >after
	cmp before after
}

there_and_back()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	onproc export last --json >first.json
	rm -rf "$db"*
	onproc import first.json >/dev/null
	onproc export last >second.json
	expect_true 'the same document' cmp first.json second.json
	expect_json '.schema == "onproc.run" and (.series | length > 0)' first.json
}

unixbench_there_and_back()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	onproc show last --format unixbench >report
	onproc export last >ours.json
	expect_status 0 onproc import report
	expect_status 0 onproc show "$(cat "$STDOUT")" --format json
	# computed anew from rates of one decimal
	expect_json "[.scores[].value] as \$is | $(jq -c '[.scores[].value]' ours.json) as \$was |
		all(range(\$was | length); (\$was[.] - \$is[.] | fabs) < 0.1)"
}

from_stdin()
{
	fresh
	STDIN=$data/quick.json expect_status 0 onproc import -
	expect_stdout_is "$(jq -r .run.id "$data/quick.json")"
}

export_as_unixbench()
{
	fresh
	onproc import "$data/readme.json" >/dev/null
	expect_status 0 onproc show last --format unixbench
	cp "$STDOUT" shown
	expect_status 0 onproc export last --unixbench
	cmp "$STDOUT" shown || fail 'what show prints' "$(head "$STDOUT")"
	expect_status 129 onproc export last --unixbench --csv
}

export_to_file()
{
	fresh
	mkdir place && cd place
	onproc import "$data/quick.json" >/dev/null
	echo old >out.json
	ln -s out.json link.json
	expect_status 0 onproc export last --output link.json
	expect_stdout_empty
	expect_json '.schema == "onproc.run"' out.json
	expect_true 'the link is still one' test -L link.json
	expect_equal 'link.json out.json' "$(echo ./*.json* | sed 's|\./||g')" 'files left'
}

export_fails_whole()
{
	need_root
	fresh
	onproc import "$data/quick.json" >/dev/null
	mkdir -p small
	mount -t tmpfs -o size=8k none small || skip 'no tmpfs can be mounted'
	echo old >small/out.json
	run onproc export last --output small/out.json
	ls small >left
	cat small/out.json >content
	umount small
	expect_equal 128 "$STATUS" status
	expect_stderr_has 'No space left on device'
	expect_equal 'out.json' "$(cat left)" 'files left'
	expect_equal 'old' "$(cat content)" 'the old file'
}

export_to_device()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	# a pipe of our own: what a broken onproc does to a device, it would do to the machine's
	mkfifo out.pipe
	background cat out.pipe
	expect_status 0 onproc export last --output out.pipe
	expect_true 'the pipe is still one' test -p out.pipe
	expect_status 128 onproc export last --output "$TMPDIR"
	expect_stderr_has 'directory'
	expect_status 128 onproc export last --output missing/out.json
	expect_stderr_has 'No such file or directory'
}

csv()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	expect_status 0 onproc export last --csv
	expect_stdout_has '^run,test,copies'
	cp "$STDOUT" export.csv
	expect_status 0 onproc show --format csv
	cmp "$STDOUT" export.csv
}

listing()
{
	fresh
	onproc import "$data"/*.json >/dev/null
	expect_status 0 onproc list
	expect_true 'at most 80 columns' awk 'length > 80 { exit 1 }' "$STDOUT"
	expect_stdout_has "^$(jq -r .run.id "$data/quick.json") 2026-11-30 "
	expect_status 0 onproc list --json
	expect_json '.schema == "onproc.list" and .schema_version == 1'
	expect_json '[.runs[].created_s] | . == (sort | reverse)'
}

listed_scores()
{
	fresh
	onproc import "$data"/quick.json "$data/imported.json" >/dev/null
	expect_status 0 onproc list
	expect_stdout_has ' complete       1270 at 1$'
	expect_stdout_has '^ {56}   1870 at 2$'
	expect_stdout_has ' imported     1297\.5 at 1, partial$'
	expect_stdout_has '^ {56} 9342\.2 at 8, partial$'
	expect_stdout_lacks ' $'
	jq '.run.id = "one" | .scores = [] | .series |= [.[] | select(.test | test("pipe")) | .baseline = null]' "$data/quick.json" >one.json
	onproc import one.json >/dev/null
	expect_status 0 onproc list
	expect_stdout_has '^one .* none, 1 test$'
}

naming()
{
	local id

	fresh
	onproc import "$data/quick.json" "$data/imported.json" >/dev/null
	id=$(jq -r .run.id "$data/quick.json")
	expect_status 0 onproc show "${id%??}" --format json
	expect_json ".run.id == \"$id\""
	expect_status 0 onproc show last --format json
	expect_json ".run.id == \"$id\""
	expect_status 128 onproc show nosuch
	expect_stderr_has 'nosuch'
	expect_status 128 onproc show 20
	expect_stdout_empty
}

removing()
{
	fresh
	onproc import "$data/quick.json" "$data/imported.json" >/dev/null
	expect_status 128 onproc rm nosuch last
	expect_stderr_has 'nosuch'
	expect_equal 1 "$(stored)" 'runs left'
	expect_status 0 onproc rm last
	expect_stdout_empty
	expect_equal 0 "$(stored)" 'runs left'
	expect_status 128 onproc show
}

german()
{
	local form

	fresh
	onproc import "$data/quick.json" >/dev/null
	for form in table unixbench json csv; do
		LC_ALL=C onproc show --format "$form" >c
		LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 onproc show --format "$form" >de
		expect_true "$form: the same in German" cmp c de
	done
	grep -q '[0-9]\.[0-9]' c || fail 'numbers with a point' "$(head -3 c)"
}

host_with_escapes()
{
	fresh
	jq '.run.host = "ho\u001b[31m\u202est"' "$data/quick.json" >evil.json
	onproc import evil.json >/dev/null
	expect_status 0 onproc list
	expect_stdout_lacks $'\e'
	expect_stdout_has 'ho\\x1b\[31'
}

# "last" is what was last when the command was typed.
removing_by_relative_names()
{
	fresh
	onproc import "$data/readme.json" "$data/quick.json" "$data/trouble.json" >/dev/null
	onproc list --json | jq -r '.runs[].id' >before
	expect_status 0 onproc rm last last~1 last
	expect_equal "$(sed -n 3p before)" "$(onproc list --json | jq -r '.runs[].id')" 'run left'
}

# Reading a database must not make one, least of all under a name that was mistyped.
reading_what_is_not_there()
{
	local verb

	fresh
	for verb in 'list --db none/x.db' 'show --db none/x.db last' 'export --db none/x.db last' \
		'rm --db none/x.db last'; do
		# shellcheck disable=SC2086 # a list of words
		expect_status 128 "$ONPROC" $verb
		expect_stderr_has 'none/x\.db: there is no database'
	done
	expect_no_file none
	expect_status 0 "$ONPROC" list
	expect_equal 1 "$(wc -l <"$STDOUT")" 'lines of an empty list'
	expect_no_file "$XDG_DATA_HOME/onproc"
}

# As on a medium that others made, and for another user.
reading_what_cannot_be_written()
{
	local verb who=()

	fresh
	mkdir -p shut
	onproc import "$data/shells.json" >/dev/null
	cp "$db" shut/runs.db
	chmod 444 shut/runs.db
	chmod 555 shut
	if [ "$(id -u)" -eq 0 ]; then
		chmod 755 "$TMPDIR" "$(dirname "$TMPDIR")"
		who=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		"${who[@]}" test -x "$ONPROC" || skip 'another user cannot reach the program'
		"${who[@]}" test -r shut/runs.db || skip 'another user cannot reach the database'
	fi
	for verb in list show export compare; do
		# shellcheck disable=SC2046 # a run, or nothing
		expect_status 0 "${who[@]}" "$ONPROC" "$verb" --db shut/runs.db \
			$([ "$verb" = list ] || echo last)
	done
	expect_status 128 "${who[@]}" "$ONPROC" rm --db shut/runs.db last
	expect_stderr_has 'cannot be written'
	chmod 755 shut
}

pinned()
{
	fresh
	jq '.run.plan.pin = [0]' "$data/quick.json" >pinned.json
	onproc import pinned.json >/dev/null
	expect_status 0 onproc show
	expect_stdout_has 'copies pinned to CPU 0;'
	expect_stdout_lacks 'all CPUs'
}

classic_shape()
{
	fresh
	jq '.run.plan.classic = true' "$data/quick.json" >classic.json
	onproc import classic.json >/dev/null
	expect_status 0 onproc show --format unixbench
	expect_stdout_has 'the worst third of the passes dropped'
	expect_stdout_has '^Dhrystone .*, 5 samples\)'
	expect_stdout_lacks 'nothing dropped'
}

# Its score may be another than that of the rows, which are rounded.
score_as_printed()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	onproc show last --format unixbench | sed 's/^\(System Benchmarks Index Score .* \)1267.2$/\11267.3/' >report
	onproc rm last
	onproc import report >/dev/null
	expect_status 0 onproc show last --format unixbench
	expect_stdout_has '^System Benchmarks Index Score +1267\.3$'
}

# Of the rows' own INDEX the last digit may differ: it is computed from what was printed.
report_as_it_was()
{
	fresh
	onproc import "$data/readme.json" >/dev/null
	onproc show last --format unixbench | grep -vE '^[A-Z].* [0-9.]+ +[0-9.]+ +[0-9.]+$' >ours
	onproc show last --format unixbench >report
	onproc rm last
	onproc import report >/dev/null
	onproc show last --format unixbench | grep -vE '^[A-Z].* [0-9.]+ +[0-9.]+ +[0-9.]+$' >again
	expect_true 'the same report' cmp ours again
	expect_status 0 onproc show last --format csv
	expect_equal 24 "$(grep -c ',imported,,,[0-9.e+]*,,,' "$STDOUT")" 'rates in the CSV'
}

nothing_to_remove()
{
	fresh
	onproc import "$data/quick.json" >/dev/null
	onproc rm last
	expect_status 128 onproc rm last
	expect_stderr_has 'last: no run in .*runs\.db yet'
	expect_status 128 onproc rm last~2
	expect_stderr_has 'last~2: there are not so many runs'
}

without_unixbench()
{
	fresh
	jq '.run.id = "other" | .scores = [] | .series |= [.[0] | .test = "other/thing@1"]' \
		"$data/quick.json" >other.json
	onproc import other.json >/dev/null
	expect_status 125 onproc show other --format unixbench
	expect_stderr_has 'run other has no result of a UnixBench test'
	expect_stdout_empty
}

no_regular_file()
{
	fresh
	mkfifo named.pipe
	DEADLINE=10
	expect_status 128 "$ONPROC" import --db "$db" named.pipe
	expect_stderr_has 'named\.pipe: not a regular file'
	expect_status 128 "$ONPROC" import --db "$db" "$TMPDIR"
	expect_stderr_has 'not a regular file'
}

from_pipes()
{
	local id

	id=$(jq -r .run.id "$data/quick.json")
	fresh
	# shellcheck disable=SC2002 # a pipe, not a file, is what is tested
	expect_equal "$id" "$(cat "$data/quick.json" | onproc import /dev/stdin)" '/dev/stdin'
	fresh
	expect_equal "$id" "$(onproc import <(sleep 0.2; cat "$data/quick.json"))" 'a substituted process'
}

behaviour 'import prints the ids, one a line' ids_one_a_line
behaviour 'import reads on after a bad file' bad_files_between_good_ones
behaviour 'import of a stored run changes nothing' same_again
behaviour 'import never replaces a run by another of its id' another_of_the_same_id
behaviour 'export and import give the same document' there_and_back
behaviour 'a report of UnixBench shape comes back with its scores' unixbench_there_and_back
behaviour 'import reads standard input' from_stdin
behaviour 'export to a file leaves it alone there, through a link' export_to_file
behaviour 'export to a full disk leaves the old file' export_fails_whole
behaviour 'export replaces no pipe and no directory' export_to_device
behaviour 'export --csv is show --format csv' csv
behaviour 'export --unixbench is show --format unixbench' export_as_unixbench
behaviour 'list is newest first and fits 80 columns' listing
behaviour 'list shows scores with the digits of show, and which are partial' listed_scores
behaviour 'runs are named by id, prefix and last' naming
behaviour 'rm removes what it can' removing
behaviour 'rm takes relative names as they were typed' removing_by_relative_names
behaviour 'verbs that read make no database' reading_what_is_not_there
behaviour 'a database that cannot be written can be read' reading_what_cannot_be_written
behaviour 'copies on chosen CPUs are said to be' pinned
behaviour 'the UnixBench shape of a classic run tells of the dropped passes' classic_shape
behaviour 'an imported report is shown as it was, and has its rates in CSV' report_as_it_was
behaviour 'the score of an imported report stays as it was printed' score_as_printed
behaviour 'numbers are those of the C locale in German' german
behaviour 'a host name cannot command the terminal' host_with_escapes
behaviour 'rm last without runs says that there are none' nothing_to_remove
behaviour 'a run without results of UnixBench has no report of its shape' without_unixbench
behaviour 'import waits for no FIFO and reads no directory' no_regular_file
behaviour 'import reads pipes that it is given' from_pipes

plan_done
