from __future__ import annotations

import hashlib
import json
import re
import warnings
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.support.runs import explore
from tests.support.svcomp_tasks import HEADER
from unfork.cli import main
from unfork.commands.witness.witness import (
    Segment,
    Waypoint,
    WitnessInvariant,
    WitnessTask,
    correctness,
    function_return,
    read_witness,
    violation,
)
from unfork.errors import InputError
from unfork.world.inputs.testcase import TestInput, literal, number_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

SCHEMA = json.loads(Path(__file__).with_name("witness_schema.json").read_text())
TASK = WitnessTask("a b.c", "0" * 64, "G ! call(reach_error())", "LP64", ("unfork", "1.0"), "2026-01-02T03:04:05Z")

BY_HAND = """\
# by hand
- entry_type: violation_sequence
  metadata:
    format_version: 2.0
    creation_time: 2026-01-02T03:04:05Z
    task: {input_file_hashes: {'a.c': ab}, data_model: LP64, specification: "G ! call(reach_error())"}
  content:
  - segment:
    - waypoint: {type: branching, action: follow, constraint: {value: false}, location: {file_name: a.c, line: 3}}
  - segment:
    - waypoint:
        type: assumption   # a comment
        action: follow
        constraint:
          value: |-
            x ==
            1
        location: {file_name: a.c, line: 4}
  - segment:
    - waypoint: {type: target, action: "follow", location: {file_name: "for.c", line: 25, column: 9}}
"""


def test_a_file_by_hand_is_read() -> None:
    witness = read_witness(BY_HAND, "w")
    assert witness.segments == (
        Segment(Waypoint("branching", 3, None, None, "false")),
        Segment(Waypoint("assumption", 4, None, None, "x ==\n1")),
        Segment(Waypoint("target", 25, 9)),
    )
    assert witness.digests == ("ab",)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[" * 20_000 + "]" * 20_000 + "\n", 1),
        ("a: 1\nb: {c: [1, 2}\n", 2),
        ("a: 1\n\nb: 1\n   c: 2\n", 4),
        ("a: [1\n", 2),
        ("a: 1\nb: \x01\n", 2),
        ("a: 2026-13-99\n", 1),
        ("a: !!python/object:os.system {}\n", 1),
    ],
)
def test_what_is_no_yaml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"^w\.yml:{line}: not YAML \("):
        read_witness(text, "w.yml")


def test_witnesses_follow_the_schema_and_come_back() -> None:
    points = (
        function_return(3, 7, "main", "(-9223372036854775807LL - 1)"),
        Waypoint("branching", 4, None, None, "true"),
        Waypoint("assumption", 5, 3, None, "x == 1"),
        Waypoint("function_enter", 6, 9),
        Waypoint("target", 9, 1, "f"),
    )
    text = violation(TASK, points)
    jsonschema.validate(yaml.safe_load(text), SCHEMA)
    read_again = read_witness(text, "w")
    assert read_again.segments == tuple(Segment(point) for point in points)
    assert (read_again.digests, read_again.data_model, read_again.formula) == (("0" * 64,), "LP64", TASK.formula)
    for invariants in (
        (),
        (WitnessInvariant(4, 3, "main", 'i <= 9 && "x"[0]'), WitnessInvariant(5, 1, None, "i", at_loop=False)),
    ):
        told = correctness(TASK, invariants)
        jsonschema.validate(yaml.safe_load(told), SCHEMA)
        assert read_witness(told, "w").invariants == invariants


def test_witnesses_that_are_none_are_refused_by_name() -> None:
    text = violation(TASK, (function_return(3, 7, "main", "1"), Waypoint("target", 9, 1, "f")))
    for before, after, reason in (
        ("action: follow", "action: avoid", "must end in the only waypoint"),
        ("type: target", "type: function_enter", "target must be the last"),
        ("function_return", "cycle", "type 'cycle' is not of format 2.0"),
        ("function_return", "function_enter", "has no constraint"),
        ("'2.0'", "'2.1'", "version 2.1"),
        ("violation_sequence", "other", "not one entry"),
        ("line: 9", "row: 9", "no witness"),
    ):
        with pytest.raises(InputError, match=reason):
            read_witness(text.replace(before, after, 1), "w")


@given(st.sampled_from(("int", "unsigned int", "long", "unsigned long", "char", "short", "double", "float")), st.data())
def test_constants_of_c_are_the_values_they_stand_for(kind: str, data: st.DataObject) -> None:
    size = {"int": 4, "unsigned int": 4, "char": 1, "short": 2, "float": 4}.get(kind, 8)
    entry = TestInput("x", "nondet", kind, data.draw(st.binary(min_size=size, max_size=size)))
    constant = literal(entry)
    if constant is not None:
        assert eval(re.sub("[UL]+", "", constant)) == number_of(entry)


def test_what_equality_cannot_say_has_no_constant() -> None:
    assert literal(TestInput("x", "nondet", "double", b"\0" * 6 + b"\xf8\x7f")) is None
    assert literal(TestInput("x", "nondet", "float", b"\0\0\0\x80")) is None
    assert literal(TestInput("x", "nondet", "char *", b"\0" * 7 + b"\1")) is None
    assert literal(TestInput("x", "nondet", "char *", b"\0" * 8)) == "0"
    assert literal(TestInput("x", "nondet", "long", b"\0" * 7 + b"\x80")) == "(-9223372036854775807LL - 1)"


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("failing")
    source = folder / "a.c"
    source.write_text(HEADER + "int main() { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }\n")
    explore(source, folder / "out", "--formats", "json,witness")
    return folder


def test_export_writes_the_same_bytes_as_the_run(failing: Path, tmp_path: Path) -> None:
    assert main(["export", str(failing / "out"), "witness", "-o", str(tmp_path / "witness.yml")]) == 0
    assert (tmp_path / "witness.yml").read_bytes() == (failing / "out" / "witness.yml").read_bytes()


def test_a_run_with_an_error_has_a_violation_witness(failing: Path) -> None:
    (entry,) = yaml.safe_load((failing / "out" / "witness.yml").read_text())
    jsonschema.validate([entry], SCHEMA)
    digest = hashlib.sha256((failing / "a.c").read_bytes()).hexdigest()
    assert list(entry["metadata"]["task"]["input_file_hashes"].values()) == [digest]
    points = [each["waypoint"] for segment in entry["content"] for each in segment["segment"]]
    line = 1 + HEADER.count("\n")
    text = (failing / "a.c").read_text().splitlines()[line - 1]
    ending = text.index(")", text.index("nondet_int")) + 1
    assert [(point["type"], point["location"]["line"], point["location"]["column"]) for point in points] == [
        ("function_return", line, ending),
        ("target", line, text.index("reach_error") + 1),
    ]
    assert points[0]["constraint"]["value"] == "\\result == 7"


def test_where_there_is_nothing_to_witness_export_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
    explore(source, tmp_path / "out")
    assert main(["export", str(tmp_path / "out"), "witness"]) == 2
    assert "no error that violates a property" in capsys.readouterr().err.replace("neither found an", "no")
