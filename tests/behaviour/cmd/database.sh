#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# database.sh - every verb with a database that it cannot use: clear words, status 128, no harm.
. "${SOURCE:?}/tests/lib.sh"

data=$SOURCE/tests/data/runs
db=$TMPDIR/bad.db

# Each verb that opens the database. bench is to find out before it measures.
each_verb_fails()
{
	local pattern=$1 before

	before=$(sha256sum <"$db")
	for verb in list 'show last' 'export last' "import $data/quick.json" 'rm last' resume \
		'bench pipe -c 1 --slots 1'; do
		# shellcheck disable=SC2086 # words of a command
		expect_status 128 "$ONPROC" $verb --db "$db"
		expect_stderr_has "$pattern"
		expect_stderr_lacks 'slots?, about'
		expect_stdout_empty
	done
	expect_equal "$before" "$(sha256sum <"$db")" 'the file'
}

corrupt()
{
	rm -rf "$db"*
	"$ONPROC" import --db "$db" "$data/quick.json" >/dev/null
	# the header stays, the tables do not
	dd if=/dev/urandom of="$db" bs=1 seek=100 count=4000 conv=notrunc 2>/dev/null
	each_verb_fails 'bad\.db'
}

no_database()
{
	rm -rf "$db"*
	echo 'this is a letter, not a database; it is long enough for a header of one hundred bytes, though' >"$db"
	each_verb_fails 'bad\.db'
}

from_the_future()
{
	need_tool sqlite3
	rm -rf "$db"*
	"$ONPROC" import --db "$db" "$data/quick.json" >/dev/null
	sqlite3 "$db" 'PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE);' >/dev/null
	each_verb_fails 'newer|future|999'
}

# Alone with PATH: neither HOME nor XDG_DATA_HOME.
homeless()
{
	env -i PATH="$PATH" LC_ALL=C ASAN_OPTIONS="${ASAN_OPTIONS-}" "$ONPROC" "$@"
}

no_home()
{
	local verb

	for verb in list show 'export last' "import $data/quick.json" 'rm last' resume \
		'bench pipe -c 1 --slots 1'; do
		# shellcheck disable=SC2086 # words of a command
		expect_status 128 homeless $verb
		expect_stderr_has '--db|HOME'
		expect_stderr_lacks 'slots?, about'
	done
	rm -rf "$db"*
	expect_status 0 homeless import --db "$db" "$data/quick.json"
	expect_status 0 homeless bench --help
	expect_status 0 homeless bench --plan
}

unusable_path()
{
	expect_status 128 "$ONPROC" list --db /proc/onproc.db
	expect_stderr_has '/proc/onproc\.db'
	expect_status 128 "$ONPROC" list --db "$TMPDIR"
	expect_stderr_has "$TMPDIR"
}

behaviour 'a corrupt database is refused and left as it is' corrupt
behaviour 'a file that is no database is refused and left as it is' no_database
behaviour 'a database of a newer onproc is refused and left as it is' from_the_future
behaviour 'without a home every verb asks for one, or for --db' no_home
behaviour 'a database that cannot be made is named' unusable_path

plan_done
