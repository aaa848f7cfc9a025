#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# database.sh - what the program keeps: valid documents, the same scores again, nothing lost by accidents.
. "${SOURCE:?}/tests/lib.sh"

quick=$SOURCE/tests/data/runs/quick.json
db=$TMPDIR/runs.db

# follows_schema NAME FILE: FILE is a document as docs/schema says.
follows_schema()
{
	python3 - "$SOURCE/docs/schema/onproc.$1.schema.json" "$2" <<-'END'
		import json, sys
		import jsonschema
		schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
		jsonschema.validators.validator_for(schema)(schema).validate(document)
	END
}

need_schemas()
{
	need_tool python3
	python3 -c 'import jsonschema' 2>/dev/null || skip 'no python3-jsonschema'
}

# renamed ID FILE: the quick run under another id.
renamed()
{
	jq --arg id "$1" '.run.id = $id' "$quick" >"$2"
}

measured_documents_follow_the_schemas()
{
	need_schemas
	expect_status 0 "$ONPROC" bench pipe context1 -c 1,2 --slots 1 --slot-time 200ms --json --db "$db"
	cp "$STDOUT" run.json
	follows_schema run run.json
	expect_status 0 "$ONPROC" list --json --db "$db"
	cp "$STDOUT" list.json
	follows_schema list list.json
}

imported_documents_follow_the_schemas()
{
	need_schemas
	rm -rf "$db"*
	"$ONPROC" import --db "$db" "$quick" >/dev/null
	"$ONPROC" show --db "$db" --format unixbench last >report
	expect_status 0 "$ONPROC" import --db "$db" report
	expect_status 0 "$ONPROC" export --db "$db" "$(cat "$STDOUT")"
	cp "$STDOUT" run.json
	follows_schema run run.json
	expect_equal imported "$(jq -r .run.status run.json)" status
	expect_status 0 "$ONPROC" list --json --db "$db"
	cp "$STDOUT" list.json
	follows_schema list list.json
}

# same_scores A B: to what rates of one decimal give.
same_scores()
{
	jq -en --slurpfile a "$1" --slurpfile b "$2" '
		def scores: [.scores[] | [.copies, .suite, .value]] | sort;
		($a[0] | scores) as $a | ($b[0] | scores) as $b | ($a | length) == ($b | length) and
		all(range($a | length); $a[.][:2] == $b[.][:2] and ($a[.][2] - $b[.][2] | fabs) < 0.1)' \
		>/dev/null
}

rates()
{
	jq -c '[.series[] | select(.index) | [.copies, .test, (.estimate.value * 10 | round) / 10]] | sort' "$1"
}

a_report_of_a_run_imports_to_the_same_scores()
{
	local id again

	rm -rf "$db"*
	id=$("$ONPROC" import --db "$db" "$quick")
	"$ONPROC" export --db "$db" "$id" >run.json
	"$ONPROC" show --db "$db" --format unixbench "$id" >report
	again=$("$ONPROC" import --db "$db" report)
	"$ONPROC" export --db "$db" "$again" >imported.json
	expect_true 'the same scores' same_scores run.json imported.json
	expect_equal "$(rates run.json)" "$(rates imported.json)" rates
	# A score is computed anew from rates of one decimal there: the rates are what must stay.
	"$ONPROC" show --db "$db" --format unixbench "$again" >report
	again=$("$ONPROC" import --db "$db" report)
	"$ONPROC" export --db "$db" "$again" >imported.json
	expect_equal "$(rates run.json)" "$(rates imported.json)" 'rates of the second import'
}

a_report_that_was_cut_is_stored_with_a_warning()
{
	local id

	rm -rf "$db"*
	id=$("$ONPROC" import --db "$db" "$quick")
	"$ONPROC" export --db "$db" "$id" >run.json
	"$ONPROC" show --db "$db" --format unixbench last >report
	head -c -4 report >"$TMPDIR/cut"
	expect_status 0 "$ONPROC" import --db "$db" "$TMPDIR/cut"
	expect_stderr_has 'cut: run [0-9a-f-]*: line [0-9]+: expected .*: the file ends here'
	"$ONPROC" export --db "$db" "$(cat "$STDOUT")" >imported.json
	expect_equal "$(rates run.json)" "$(rates imported.json)" rates
}

writers_at_once_all_succeed()
{
	local i pids=()

	rm -rf "$db"*
	for i in 1 2 3 4; do
		renamed "run-$i" "$i.json"
	done
	for i in 1 2 3 4; do
		"$ONPROC" import --db "$db" "$i.json" >/dev/null &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
	expect_equal 4 "$("$ONPROC" list --json --db "$db" | jq '.runs | length')" runs
}

two_benches_at_once_both_store()
{
	local first

	rm -rf "$db"*
	"$ONPROC" bench pipe -c 1 --slots 1 --slot-time 200ms --db "$db" >/dev/null 2>&1 &
	first=$!
	expect_status 0 "$ONPROC" bench syscall -c 1 --slots 1 --slot-time 200ms --db "$db"
	wait "$first"
	expect_equal 2 "$("$ONPROC" list --json --db "$db" | jq '.runs | length')" runs
	expect_equal '' "$(ls "$db.journal.d")" 'journals left'
}

files_are_for_their_owner()
{
	rm -rf new
	umask 0
	"$ONPROC" import --db new/deep/runs.db "$quick" >/dev/null
	expect_equal '600 new/deep/runs.db' "$(stat -c '%a %n' new/deep/runs.db)" mode
	expect_equal '700 new/deep' "$(stat -c '%a %n' new/deep)" mode
}

small=$TMPDIR/small

unmount_small()
{
	umount -l "$small" 2>/dev/null || true
}

# Not on the disk that is to be filled: its runs come from elsewhere.
a_full_disk_loses_no_stored_run()
{
	local i stored=0

	need_root
	mkdir -p "$small"
	mount -t tmpfs -o size=256k onproc-test "$small" 2>/dev/null || skip 'cannot mount a tmpfs'
	trap unmount_small EXIT
	for ((i = 0; i < 100; i++)); do
		renamed "run-$i" run.json
		run "$ONPROC" import --db "$small/runs.db" run.json
		[ "$STATUS" -eq 0 ] || break
		stored=$((stored + 1))
	done
	expect_equal 128 "$STATUS" 'the status of the import that did not fit'
	expect_stderr_has 'no space left'
	expect_equal "$stored" "$("$ONPROC" list --json --db "$small/runs.db" | jq '.runs | length')" runs
	for ((i = 0; i < stored; i++)); do
		expect_status 0 "$ONPROC" export --db "$small/runs.db" "run-$i"
	done
	[ "$stored" -gt 0 ] || fail 'at least one run' 'none'
}

fill_small()
{
	mkdir -p "$small"
	mount -t tmpfs -o size=512k onproc-test "$small" 2>/dev/null || skip 'cannot mount a tmpfs'
	trap unmount_small EXIT
	"$ONPROC" import --db "$small/runs.db" "$quick" >/dev/null
	! cat /dev/zero >"$small/filler" 2>/dev/null
}

a_full_disk_can_be_read()
{
	local id

	need_root
	id=$(jq -r .run.id "$quick")
	fill_small
	expect_status 0 "$ONPROC" list --db "$small/runs.db"
	expect_stdout_has "$id"
	expect_status 0 "$ONPROC" show --db "$small/runs.db"
	expect_status 0 "$ONPROC" export last --db "$small/runs.db"
	expect_json ".run.id == \"$id\""
}

# Whether a removal has room is SQLite's affair; what it says and leaves is not.
a_removal_without_space_says_what_to_do()
{
	local left=0

	need_root
	fill_small
	run "$ONPROC" rm last --db "$small/runs.db"
	if [ "$STATUS" -ne 0 ]; then
		left=1
		expect_equal 128 "$STATUS" status
		expect_stderr_has 'free some space on the file system of .*runs\.db'
	fi
	rm "$small/filler"
	expect_status 0 "$ONPROC" list --json --db "$small/runs.db"
	expect_json ".runs | length == $left"
}

behaviour measured_documents_follow_the_schemas measured_documents_follow_the_schemas
behaviour imported_documents_follow_the_schemas imported_documents_follow_the_schemas
behaviour a_report_of_a_run_imports_to_the_same_scores a_report_of_a_run_imports_to_the_same_scores
behaviour a_report_that_was_cut_is_stored_with_a_warning a_report_that_was_cut_is_stored_with_a_warning
behaviour writers_at_once_all_succeed writers_at_once_all_succeed
behaviour two_benches_at_once_both_store two_benches_at_once_both_store
behaviour files_are_for_their_owner files_are_for_their_owner
behaviour a_full_disk_loses_no_stored_run a_full_disk_loses_no_stored_run
behaviour a_full_disk_can_be_read a_full_disk_can_be_read
behaviour a_removal_without_space_says_what_to_do a_removal_without_space_says_what_to_do

plan_done
