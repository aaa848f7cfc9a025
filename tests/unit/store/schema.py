#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schema.py SCHEMAS PROGRAM KIND...: the documents that PROGRAM writes follow the schemas of each KIND.

Prints TAP; skips with the reason where python3-jsonschema is missing.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP no python3-jsonschema")
    sys.exit(0)

SCHEMAS, PROGRAM, KINDS = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]


def load(path):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


def validator(name):
    schema = load(SCHEMAS / f"onproc.{name}.schema.json")
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def every_object(value, path=()):
    """All objects of a document that are ours, with their paths: not those that others fill in."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from every_object(element, path + (index,))
    elif isinstance(value, dict):
        yield path, value
        for name, member in value.items():
            if name not in ("plan", "environment", "evidence", "params"):
                yield from every_object(member, path + (name,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def documents_follow(schema, documents):
    for name, document in documents.items():
        errors = [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
                  for e in schema.iter_errors(document)]
        assert not errors, "; ".join(errors)
    assert documents


def unknown_members_are_refused(schema, documents):
    for name, document in documents.items():
        for path, _ in every_object(document):
            spoiled = copy.deepcopy(document)
            at(spoiled, path)["surprise"] = 1
            assert not schema.is_valid(spoiled), f"{name}: {path}"


def missing_members_are_refused(schema, documents):
    for name, document in documents.items():
        for path, value in every_object(document):
            for member in value:
                # A document may lack slots, and laws if it is older.
                if member in ("slots", "laws"):
                    continue
                spoiled = copy.deepcopy(document)
                del at(spoiled, path)[member]
                assert not schema.is_valid(spoiled), f"{name}: {path} {member}"


def wrong_values_are_refused(schema, documents):
    document = documents["run-full"]
    for path, member, value in (
            (("run",), "seed", 7), (("run",), "id", "../x"), (("run",), "id", "last"),
            (("series", 0), "copies", 0), (("series", 0), "side", "C"),
            (("series", 0, "slots", 0), "rate", None), (("series", 0, "slots", 0), "rate", 0),
            (("series", 0, "slots", 3), "rate", 1), (("series", 0, "slots", 3), "error", None),
            (("series", 0, "slots", 0), "counts", [-1]),
            (("series", 0, "estimate"), "reason", None), (("scores", 0), "level", 2),
            ((), "schema_version", 2)):
        spoiled = copy.deepcopy(document)
        at(spoiled, path)[member] = value
        assert not schema.is_valid(spoiled), f"{path} {member}"


def main():
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([PROGRAM, directory], check=True)
        documents = {path.stem: load(path) for path in pathlib.Path(directory).iterdir()}
    tests = []
    for kind in KINDS:
        of_kind = {n: d for n, d in documents.items() if n.startswith(kind)}
        for test in (documents_follow, unknown_members_are_refused, missing_members_are_refused):
            tests.append((f"{kind}_{test.__name__}", test, validator(kind), of_kind))
    if "run" in KINDS:
        tests.append(("run_wrong_values_are_refused", wrong_values_are_refused, validator("run"),
                      documents))
    print(f"1..{len(tests)}")
    failed = False
    for number, (name, test, schema, of_kind) in enumerate(tests, 1):
        try:
            test(schema, of_kind)
            print(f"ok {number} - {name}")
        except AssertionError as why:
            failed = True
            print(f"not ok {number} - {name}\n# {why}")
    return failed


sys.exit(main())
