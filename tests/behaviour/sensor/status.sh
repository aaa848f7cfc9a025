#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# status.sh - onproc sensor status, and what is said to wrong words.
. "${SOURCE:?}/tests/behaviour/sensor/lib.sh"

unset ONPROC_SENSOR

a_reason_for_every_kind_that_does_not_work()
{
	expect_status 0 "$ONPROC" sensor status --json --socket /nonexistent
	expect_json '.schema == "onproc.sensor" and .schema_version == 1'
	expect_json '[.kinds[].name] == ["sched", "heartbeat", "rseq-slice", "none"]'
	expect_json '[.kinds[] | .works != (.reason | type == "string" and length > 0)] | all'
	expect_json '.default as $used | any(.kinds[]; .name == $used and .works)'
	expect_status 0 "$ONPROC" sensor status --socket /nonexistent
	expect_stdout_has '^By default: '
}

a_stolen_cpu_is_not_seen_and_why()
{
	local why='no sensor reads'

	if [ "$(uname -m)" != x86_64 ]; then
		why='no record of it on this architecture'
	elif ! grep -q . /proc/kallsyms; then
		why='/proc/kallsyms is not readable'
	elif ! grep -q ' steal_time$' /proc/kallsyms; then
		why='CONFIG_KALLSYMS_ALL'
	fi
	expect_status 0 "$ONPROC" sensor status --json --socket /nonexistent
	expect_json ".stolen_cpu.seen == false and (.stolen_cpu.reason | contains(\"$why\"))"
	expect_status 0 "$ONPROC" sensor status --socket /nonexistent
	expect_stdout_has '^No kind sees a virtual CPU that the hypervisor has taken away'
}

follows_its_schema()
{
	need_tool python3
	python3 -c 'import jsonschema' 2>/dev/null || skip 'no python3-jsonschema'
	"$ONPROC" sensor status --json --socket /nonexistent >"$TMPDIR/status"
	python3 - "$SOURCE/docs/schema/onproc.sensor.schema.json" "$TMPDIR/status" <<-'END'
		import json, sys
		import jsonschema
		schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
		jsonschema.validators.validator_for(schema)(schema).validate(document)
	END
}

without_rights_it_says_which_are_missing()
{
	need_root 'becoming somebody without rights needs root'
	need_tool setpriv
	cp "$ONPROC" "$TMPDIR/onproc"
	expect_status 0 as_nobody "$TMPDIR/onproc" sensor status --json --socket /nonexistent
	expect_json '.default == "none"'
	expect_json '.kinds[0].reason | test("no daemon at /nonexistent.*CAP_BPF and CAP_PERFMON")'
	expect_json '.status | test("^none; not sched: ")'
}

a_missing_module_is_named()
{
	need_root 'without root that is the reason'
	ONPROC_SCHED_MODULE=/nonexistent.so expect_status 0 \
		"$ONPROC" sensor status --json --socket /nonexistent
	expect_json '.kinds[0].reason | test("module is missing|does not describe itself")'
	ONPROC_SCHED_MODULE=/nonexistent.so expect_status 128 \
		"$ONPROC" sensor serve --socket "$TMPDIR/s"
	expect_stderr_has 'module is missing'
	ONPROC_SCHED_MODULE=/nonexistent.so expect_status 125 "$ONPROC" sensor cost
	expect_stderr_has 'module is missing'
}

the_environment_chooses()
{
	ONPROC_SENSOR=heartbeat expect_status 0 "$ONPROC" sensor status --json
	expect_json '.default == "heartbeat"'
	ONPROC_SENSOR=stuck-preempted expect_status 0 "$ONPROC" sensor status --json
	expect_json '.default == "stuck-preempted" and ([.kinds[].name] | index("stuck-preempted") | not)'
	ONPROC_SENSOR=nonsense expect_status 0 "$ONPROC" sensor status --json
	expect_json '.default == "none" and (.status | test("no sensor of the name \"nonsense\""))'
}

wrong_words()
{
	expect_status 129 "$ONPROC" sensor
	expect_status 129 "$ONPROC" sensor stop
	expect_stderr_has 'expected status, serve or cost'
	expect_status 129 "$ONPROC" sensor serve --mode 8
	expect_stderr_has '"8": expected an octal mode'
	expect_status 129 "$ONPROC" sensor serve --mode 07777
	expect_status 129 "$ONPROC" sensor serve --group no-such-group-here
	expect_stderr_has 'no such group'
	expect_status 129 "$ONPROC" sensor serve --clients 0
	expect_status 128 "$ONPROC" sensor serve --socket "$TMPDIR/$(printf '%0200d' 0)"
	expect_stderr_has 'too long for a socket'
}

cost_has_every_figure()
{
	need_sched
	expect_status 0 "$ONPROC" sensor cost --rounds 6 --json
	expect_json '.schema == "onproc.sensor_cost" and .rounds == 6'
	expect_json '[.empty_ns, .watched_ns, .others_ns, .whole_ns] | all(.lo <= .value and .value <= .hi)'
	expect_json '.empty_ns.lo > 0'
}

behaviour a_reason_for_every_kind_that_does_not_work a_reason_for_every_kind_that_does_not_work
behaviour a_stolen_cpu_is_not_seen_and_why a_stolen_cpu_is_not_seen_and_why
behaviour the_document_follows_its_schema follows_its_schema
behaviour without_rights_it_says_which_are_missing without_rights_it_says_which_are_missing
behaviour a_missing_module_is_named a_missing_module_is_named
behaviour the_environment_chooses the_environment_chooses
behaviour wrong_words_are_refused wrong_words
behaviour cost_has_every_figure cost_has_every_figure

plan_done
