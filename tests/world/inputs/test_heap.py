"""Tests of functions that are run alone: the heap in a test, its replays, and its C."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.power import part, some
from tests.support.runs import explore
from unfork.cli import main, parse
from unfork.commands.run.run import Result, run
from unfork.world.inputs import file_of_test as test_file

LISTS = PROGRAMS / "heap_lists"
TYPES = PROGRAMS / "heap_types"


def heap_of(result: Result) -> dict[str, Any]:
    """The heap of the first error's test."""
    test = json.loads((result.directory / result.errors[0].test).read_text())
    found: dict[str, Any] = test["heap"]
    return found


def test_the_counterexample_of_list_partition_is_the_papers(tmp_path: Path) -> None:
    """Two elements, the first at most v, the second greater."""
    heap = heap_of(explore(read(LISTS / "partition_bug.c"), tmp_path / "run"))
    v = next(one["value"] for one in heap["arguments"] if one["name"] == "v")
    assert [one["name"] for one in heap["objects"]] == ["l", "l->next"]
    first, second = ({cell["path"]: cell for cell in one["cells"]} for one in heap["objects"])
    assert first["l->elem"]["value"] <= v < second["l->next->elem"]["value"]
    assert first["l->next"]["pointer"] == "&l->next"
    assert second["l->next->next"]["pointer"] is None


def test_an_element_at_an_unknown_place_has_its_place_in_a_test(tmp_path: Path) -> None:
    for program, whole, array in (
        ("equal_places_bug", "items", "items"),
        ("member_equal_places_bug", "pool", "pool->slots"),
    ):
        heap = heap_of(explore(read(PROGRAMS / "heap_elements" / f"{program}.c"), tmp_path / program))
        places = {one["name"]: one["value"] for one in heap["arguments"] if one["name"] != whole}
        assert places["from"] == places["to"]
        place = f"{array}[{places['from']}]"
        assert [one["name"] for one in heap["objects"]] == [whole, place]
        assert place in {cell["path"] for cell in heap["objects"][0]["cells"]}


def test_a_test_survives_its_file(tmp_path: Path) -> None:
    result = explore(read(TYPES / "function_pointer_bug.c"), tmp_path / "run")
    for path in result.tests:
        text = path.read_text()
        assert test_file.to_json(test_file.from_json(text, path.name)) == text


def test_what_is_assumed_is_said(tmp_path: Path) -> None:
    result = explore(read(PROGRAMS / "heap_arrays" / "unstated_length.c"), tmp_path / "run")
    said = result.summary["assumptions"]
    assert any("unfork_length(a)" in one for one in said)
    assert any("global variables" in one for one in said)
    stated = explore(read(LISTS / "find.c"), tmp_path / "other")
    assert not any("unfork_length" in one for one in stated.summary["assumptions"])


def test_a_test_names_its_function_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without its run directory, a test calls the function that it holds a heap for."""
    result = explore(read(LISTS / "free_bug.c"), tmp_path / "run")
    alone = tmp_path / "one.json"
    alone.write_text((result.directory / result.errors[0].test).read_text())
    assert main(["replay", str(alone), "--program", str(LISTS / "free_bug.c")]) == 0
    assert "double-free" in capsys.readouterr().out


def test_formats_without_room_for_a_heap_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(LISTS / "free_bug.c"), "--function", "drop_two", "--formats", "ktest"]
    assert main([*words, "--out", str(tmp_path / "o")]) == 2
    assert "cannot hold the heap" in capsys.readouterr().err


def test_a_consultation_ends_with_the_run(tmp_path: Path) -> None:
    """No bound on the objects: the run is over when its time is."""
    source = tmp_path / "f.c"
    source.write_text((LISTS / "find_requires.c").read_text())
    words = ["--function", "find", "--requires", "acyclic", "--max-time", "1", "--quiet", "--out", str(tmp_path / "o")]
    result = run([source], parse(words)[1])
    assert result.summary["stopped_by"] == "max-time"


def test_a_heap_that_does_not_fit_the_function_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = explore(read(LISTS / "free_bug.c"), tmp_path / "run")
    path = result.tests[0]
    data = json.loads(path.read_text())
    data["heap"]["arguments"][0]["name"] = "other"
    path.write_text(json.dumps(data))
    assert main(["replay", str(path)]) == 2
    assert "drop_two(other)" in capsys.readouterr().err
    data["heap"]["arguments"][0] = {"name": "l", "type": "struct node *", "pointer": "&nothing"}
    path.write_text(json.dumps(data))
    assert main(["replay", str(path)]) == 2
    assert "is not a test file" in capsys.readouterr().err


def test_a_copy_of_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = explore(read(TYPES / "by_value_bug.c"), tmp_path / "run")
    path = result.tests[0]
    data = json.loads(path.read_text())
    (argument,) = [one for one in data["heap"]["arguments"] if "copy" in one]
    argument["copy"] = None
    path.write_text(json.dumps(data))
    assert main(["replay", str(path), "--native"]) == 2
    assert "is not a test file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "program",
    part(
        [
            "heap_lists/partition_bug",
            "heap_types/text_bug",
            "heap_types/by_value_bug",
            "heap_types/many_types",
            "heap_types/const_members_bug",
            "heap_types/incomplete_bug",
            "heap_types/opaque_struct_bug",
            "heap_types/large_union_bug",
            "heap_types/derived_bug",
            "heap_types/union_in_pieces_bug",
            "heap_types/opaque_copied_bug",
            "heap_elements/buckets_bug",
            "heap_elements/equal_places_bug",
            "heap_elements/structs_fixed",
            "heap_elements/member_equal_places_bug",
            "heap_elements/global_buckets_bug",
            "heap_elements/nested_fixed",
            "heap_elements/tail_fixed",
        ],
        str,
        3,
    ),
)
def test_the_c_of_a_test_ends_as_the_test_expects(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each test is a C file that builds the heap; a native compiler agrees."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    run_dir = tmp_path / "run"
    explore(read(PROGRAMS / f"{program}.c"), run_dir, "--max-tests", "3")
    assert main(["replay", str(run_dir), "--native", "--unenclosed"]) == 0
    out = capsys.readouterr().out
    assert "do not" not in out
    assert "as expected" in out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(int *p, int *q) { return p == q; }", "--max-objects 1: f has 2 pointers"),
    ],
)
def test_what_cannot_be_given_is_refused(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "f.c"
    source.write_text(text)
    words = [
        "run",
        str(source),
        "--function",
        "f",
        "--max-objects",
        "1",
        "--libc",
        "none",
        "--out",
        str(tmp_path / "o"),
    ]
    assert main(words) == 2
    assert reason in capsys.readouterr().err


def test_a_precondition_keeps_cycles_away_before_they_are_followed(tmp_path: Path) -> None:
    """Without it the function runs for ever on a cycle; the sorted list of the test was made for it."""
    result = explore(read(LISTS / "sorted_bug.c"), tmp_path / "run")
    assert result.summary["stopped_by"] is None
    assert result.verdict == "unsafe"
    for path in result.tests:
        objects = json.loads(path.read_text())["heap"]["objects"]
        elements = [cell["value"] for one in objects for cell in one["cells"] if cell["path"].endswith("elem")]
        assert elements == sorted(elements)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--requires", "nothing"], "defines no such function"),
        (["--requires", "other"], "its parameters are not those of last"),
        (["--requires", "sorted", "--function", "main"], "needs a --function with arguments"),
        (["--requires", "wide"], "returns neither int nor bool"),
    ],
)
def test_preconditions_that_are_refused(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "f.c"
    source.write_text(
        "int last(int *l) { return *l; } int sorted(int *l) { return 1; } int other(long *l) { return 1; }"
        "long wide(int *l) { return 1; } int main(void) { return 0; }"
    )
    assert main(["run", str(source), "--function", "last", *words, "--out", str(tmp_path / "o")]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    "program",
    [
        "heap_lists/partition_bug",
        "heap_types/many_types",
        "heap_arrays/partition_fixed",
        "heap_elements/structs_fixed",
        "heap_elements/slots_fixed",
    ],
)
def test_joined_input_heaps_find_what_single_paths_find(program: str, tmp_path: Path) -> None:
    """States that were given the same heap join; the errors are the same, and every test of theirs replays."""
    alone = explore(read(PROGRAMS / f"{program}.c"), tmp_path / "alone")
    for merge in some(("static", "all"), program):
        joined = explore(read(PROGRAMS / f"{program}.c"), tmp_path / merge, "--merge", merge, "--similar", "always")
        assert {(one.kind, one.line) for one in joined.errors} == {(one.kind, one.line) for one in alone.errors}
        assert joined.verdict == alone.verdict
        assert not joined.alarms
        assert joined.summary["merges"]["done"] > 0
        assert main(["replay", str(tmp_path / merge)]) == 0
