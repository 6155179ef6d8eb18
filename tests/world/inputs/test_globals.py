"""Tests of global variables as inputs of a function that is run alone, and of what is said where they are none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.runs import explore
from unfork.cli import main
from unfork.commands.run.run import Result
from unfork.world.inputs import file_of_test as test_file

GLOBALS = PROGRAMS / "heap_globals"
ONE = """
extern long shared;
static int hits;
static _Thread_local int mine;
int g(int shared_too) {
    static int calls;
    calls++;
    mine++;
    if (shared == 9 && hits == 4) return 1 / (shared_too - 5);
    return calls;
}
"""
OTHER = "long shared = 1; static int hits = 2; int other(void) { return hits++; }"


def corpus(name: str, out: Path, *options: str) -> Result:
    return explore(read(GLOBALS / f"{name}.c"), out, *options)


def replays(directory: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["replay", str(directory), *options]) == 0
    out = capsys.readouterr().out
    assert "do not" not in out
    assert "as expected" in out
    return out


def test_both_errors_are_found_and_their_tests_set_the_variables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = corpus("list_bug", tmp_path / "run")
    assert {one.line for one in result.errors} == {20, 21}
    first = next(one for one in result.errors if one.line == 20)
    test = json.loads((result.directory / first.test).read_text())
    found = {one["name"]: {cell["path"]: cell for cell in one["cells"]} for one in test["heap"]["objects"]}
    assert found["&head"]["head"]["pointer"] == "&&first"
    assert found["&first"]["first.elem"]["value"] == 7
    assert found["&first"]["first.next"]["pointer"] == "&&first"
    assert found["name"]["name[3]"]["value"] == "x" or found["name"]["name[3]"]["value"] == ord("x")
    for path in result.tests:
        text = path.read_text()
        assert test_file.to_json(test_file.from_json(text, path.name)) == text
    replays(result.directory, capsys)
    if shutil.which("gcc") is not None:
        replays(result.directory, capsys, "--native", "--unenclosed")
    assert main(["show", str(result.directory), Path(first.test).stem]) == 0
    drawn = capsys.readouterr().out
    assert "struct node  &first" in drawn
    assert "elem = 7" in drawn


def test_variables_of_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are set by name where the linker knows it; what cannot be set is said, and so is what is not."""
    sources = [tmp_path / "one.c", tmp_path / "other.c"]
    for path, text in zip(sources, (ONE, OTHER), strict=True):
        path.write_text(text)
    result = explore(sources, tmp_path / "run", "--function", "g", "--globals", "symbolic")
    assert [one.kind for one in result.errors] == ["div-by-zero"]
    said = "\n".join(result.summary["assumptions"])
    assert "the variable calls begins with its initial value: it is declared in a function" in said
    assert "the variable mine begins with its initial value: each thread has one of its own" in said
    assert "the variable hits begins with its initial value: it is static in another file than g" in said
    assert "global variables begin" not in said
    replays(result.directory, capsys)
    if shutil.which("gcc") is not None:
        replays(result.directory, capsys, "--native", "--unenclosed")
    plain = explore(sources, tmp_path / "plain", "--function", "g")
    assert plain.verdict == "safe"
    assert "global variables begin with their initial values" in plain.summary["assumptions"]


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("int n; int main(void) { return n; }", [], "needs a --function other than main"),
        ("int n; int f(void) { return n; }", ["--calls", "f", "--max-calls", "1"], "no --calls"),
        (
            "int n; __attribute__((constructor)) void set(void) { n = 1; } int f(void) { return n; }",
            ["--function", "f"],
            "set is a constructor",
        ),
    ],
)
def test_what_is_refused(
    text: str, words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "f.c"
    source.write_text(text)
    given = ["run", str(source), "--globals", "symbolic", "--libc", "none", *words, "--out", str(tmp_path / "o")]
    assert main(given) == 2
    assert reason in capsys.readouterr().err


def test_large_variables_are_no_inputs_and_it_is_said(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("int many[100000], few; int f(int i) { return i == 5 && few == 3 ? many[i] : 0; }")
    result = explore([source], tmp_path / "o", "--function", "f", "--globals", "symbolic")
    assert any("the variable many begins" in one for one in result.summary["assumptions"])


def test_a_test_for_another_program_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = corpus("free_bug", tmp_path / "run")
    assert [one.kind for one in result.errors] == ["invalid-free"]
    path = result.directory / result.errors[0].test
    data = json.loads(path.read_text())
    spare = next(one for one in data["heap"]["objects"] if one.get("variable"))
    spare["variable"] = "gone"
    path.write_text(json.dumps(data))
    assert main(["replay", str(path)]) == 2
    assert "the variable gone" in capsys.readouterr().err


def test_a_parameter_may_have_the_name_of_a_variable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Then the variable is in brackets, and the two do not mix."""
    source = tmp_path / "f.c"
    source.write_text("int *p, a[2]; int see(void) { return *p; } int f(int *p, int *a) { return 1 / (see() - *a); }")
    result = explore([source], tmp_path / "o", "--function", "f", "--globals", "symbolic", "--tests", "paths")
    names = {one["name"] for path in result.tests for one in json.loads(path.read_text())["heap"]["objects"]}
    assert {"p", "a", "&(p)", "(p)", "(a)"} <= names
    replays(result.directory, capsys)
