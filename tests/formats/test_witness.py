from __future__ import annotations

import hashlib
import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.runs import explore
from tests.svcomp_tasks import HEADER
from unfork.cli import main
from unfork.errors import InputError
from unfork.formats.witness import (
    Invariant,
    Segment,
    Task,
    Waypoint,
    correctness,
    read_witness,
    returned,
    violation,
)
from unfork.formats.yaml_text import read, written
from unfork.inputs.c_literals import literal
from unfork.inputs.testcase import TestInput, number_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

SCHEMA = json.loads(Path(__file__).with_name("witness_schema.json").read_text())
TASK = Task("a b.c", "0" * 64, "G ! call(reach_error())", "LP64", ("unfork", "1.0"), "2026-01-02T03:04:05Z")
SCALARS = st.text() | st.integers(-(2**70), 2**70)
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4)
)


@given(DATA)
def test_what_is_written_is_yaml_and_means_the_same(data: Any) -> None:
    assert yaml.safe_load(written(data)) == data


NAMES = st.from_regex(r"[A-Za-z_]\w{0,5}", fullmatch=True)
PLAIN = st.recursive(
    st.integers() | st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="\x85  ")),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(NAMES, inner, min_size=1, max_size=3),
)


@given(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=3))
def test_what_is_written_is_read_by_our_own_reader(data: Any) -> None:
    assert read(written(data), "w") == data


BY_HAND = """\
# by hand
- entry_type: violation_sequence
  metadata: {format_version: '2.0', producer: {name: "T", version: "1"}}
  content:
  - segment:
    - waypoint: {type: target, action: "follow", location: {file_name: "for.c", line: 25, column: 9}}
    - waypoint:
        type: branching   # a comment
        value: [1, "x: y", 'it''s']
"""


def test_a_file_by_hand_is_read_as_a_yaml_library_reads_it() -> None:
    assert read(BY_HAND, "w") == yaml.safe_load(BY_HAND)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 300 + "]" * 300 + "\n",
        "".join(" " * i + "a:\n" for i in range(300)),
        "a: |\n  x\n",
        "a: &b 1\n",
        'a: "x\n  y"\n',
        "a: {b: [1, 2}\n",
        "a: 1\n   b: 2\n",
        "a: [1\n",
    ],
)
def test_other_yaml_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not the YAML that witnesses are written in"):
        read(text, "w.yml")


def test_witnesses_follow_the_schema_and_come_back() -> None:
    points = (
        returned(3, 7, "main", "(-9223372036854775807LL - 1)"),
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
    for invariants in ((), (Invariant(4, 3, "main", 'i <= 9 && "x"[0]'), Invariant(5, 1, None, "i", at_loop=False))):
        told = correctness(TASK, invariants)
        jsonschema.validate(yaml.safe_load(told), SCHEMA)
        assert read_witness(told, "w").invariants == invariants


def test_witnesses_that_are_none_are_refused_by_name() -> None:
    text = violation(TASK, (returned(3, 7, "main", "1"), Waypoint("target", 9, 1, "f")))
    for before, after, reason in (
        ('action: "follow"', 'action: "avoid"', "must end in the only waypoint"),
        ('"target"', '"function_enter"', "target must be the last"),
        ('"function_return"', '"cycle"', "type 'cycle' is not of format 2.0"),
        ('"function_return"', '"function_enter"', "has no constraint"),
        ('"2.0"', '"2.1"', "version 2.1"),
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
