"""What scan.json and the terminal say: each defect once, names that last, ignore comments, what a baseline leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.commands.scan.findings import SOURCE, explored, found, numbers, texts
from unfork.commands.scan.judgement import CONDITIONAL
from unfork.commands.scan.results import Explored, as_dict, known_findings
from unfork.errors import InputError
from unfork.report.record.scans import scan_lines


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def results(*functions: Explored, source: str = SOURCE, known: frozenset[str] = frozenset()) -> dict[str, Any]:
    return as_dict(functions, len(functions), 1.0, texts(source), known)


def lines(data: dict[str, Any]) -> list[str]:
    return scan_lines({"left_out": [], "kept": 0, **data}, "out")


def with_comment(comment: str, at: int) -> str:
    """The source with a comment behind the code of a line."""
    code = SOURCE.splitlines()
    code[at - 1] += f" {comment}"
    return "\n".join(code) + "\n"


def test_a_defect_that_many_functions_reach_is_one_finding() -> None:
    deep = found(4, stack=[{}, {}])
    data = results(explored(deep, name="second", line=6), explored(found(4)))
    [row] = data["findings"]
    assert (row["from"], data["new"]) == ("first", 1)
    assert row["reached_from"] == [{"function": "second", "file": "a.c"}, {"function": "first", "file": "a.c"}]
    assert any("(1 other function reached it, too)" in line for line in lines(data))


def test_who_comes_by_where_a_block_was_made_does_not_show_that_none_is_lost() -> None:
    came = replace(explored(), passed=(("a.c", (3, 4, 5)),))
    assert came.came_by(("out-of-bounds", "a.c", 4))
    assert not came.came_by(("out-of-bounds", "a.c", 6))
    assert not came.came_by(("leak", "a.c", 4))


def test_a_fingerprint_stays_when_lines_move_and_not_when_the_line_changes() -> None:
    [before] = results(explored(found(4)))["findings"]
    [moved] = results(explored(found(6)), source="\n\n" + SOURCE.replace("return p[0];", "return   p[0];"))["findings"]
    [changed] = results(explored(found(4)), source=SOURCE.replace("return p[0];", "return p[1];"))["findings"]
    assert before["fingerprint"] == moved["fingerprint"] != changed["fingerprint"]


def test_two_findings_in_lines_that_read_alike_have_two_fingerprints() -> None:
    source = SOURCE.replace("  char *q = malloc(3);", "  return p[0];")
    rows = results(explored(found(3), found(4)), source=source)["findings"]
    assert len({row["fingerprint"] for row in rows}) == 2


def test_a_baseline_knows_what_was_certain() -> None:
    old = results(explored(found(4), found(3, "leak", CONDITIONAL)))
    Path("old.json").write_text(json.dumps(old))
    data = results(explored(found(4), found(3, "leak")), known=known_findings(Path("old.json")))
    assert [(row["line"], row["known"]) for row in data["findings"]] == [(3, False), (4, True)]
    assert (data["new"], data["verdict"]) == (1, "unsafe")
    told = lines(data)
    assert [line for line in told if line.startswith("a.c:")] == ["a.c:3: leak: a leak in first"]
    assert told[-1] == "1 certain finding, 1 in the baseline, 0 that the callers must rule out, in out"
    assert results(explored(found(4)), known=known_findings(Path("old.json")))["verdict"] == "clean"


@pytest.mark.parametrize("text", ["{", "[]", '{"findings": [{"fingerprint": "x"}]}', '{"findings": 3}'])
def test_what_is_no_baseline_is_refused(text: str) -> None:
    Path("old.json").write_text(text)
    with pytest.raises(InputError, match=r"--baseline old\.json: is no scan\.json"):
        known_findings(Path("old.json"))


@pytest.mark.parametrize(
    "comment",
    [
        "// unfork: ignore leak it is the cache",
        "/* unfork: ignore leak it is the cache */",
        "/*unfork:ignore leak   it is the cache*/",
        "/* something\n * unfork: ignore leak it is the cache\n */",
    ],
)
def test_a_comment_at_the_line_ignores_a_finding(comment: str) -> None:
    behind = results(explored(found(3, "leak")), source=with_comment(comment, 3))
    above = SOURCE.replace("  char *q", f"{comment}\n\n#define X\n  char *q")
    before = results(explored(found(6 + comment.count("\n"), "leak")), source=above)
    for data in (behind, before):
        assert (data["findings"], data["new"], data["verdict"]) == ([], 0, "clean")
        assert [row["ignored"] for row in data["ignored"]] == ["it is the cache"]
        assert data["comments"] == {"without_effect": [], "unmatched": []}
        assert f"ignored: a.c:{data['ignored'][0]['line']}: leak in first: it is the cache" in lines(data)


def test_a_comment_behind_code_does_not_reach_the_next_line() -> None:
    data = results(explored(found(4)), source=with_comment("// unfork: ignore null-dereference fine", 3))
    assert (numbers(data["findings"]), data["ignored"]) == ([4], [])
    assert data["comments"]["unmatched"] == ["a.c:3: 'unfork: ignore null-dereference' matches nothing"]
    assert data["comments"]["unmatched"][0] in lines(data)


def test_a_comment_ignores_no_other_kind() -> None:
    data = results(explored(found(3, "leak")), source=with_comment("// unfork: ignore double-free fine", 3))
    assert numbers(data["findings"]) == [3]
    assert len(data["comments"]["unmatched"]) == 1


def test_what_a_text_says_is_no_comment() -> None:
    source = SOURCE.replace("char *q = malloc(3);", 'char *q = malloc(3); char *s = "// unfork: ignore leak no";')
    data = results(explored(found(3, "leak")), source=source)
    assert numbers(data["findings"]) == [3]
    assert data["comments"] == {"without_effect": [], "unmatched": []}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("leak", "it says no reason"),
        ("leeks they grow", "leeks is no kind of error: assert, "),
        ("", "nothing is no kind of error: assert, "),
    ],
)
def test_a_comment_without_kind_or_reason_has_no_effect(words: str, fault: str) -> None:
    data = results(explored(found(3, "leak")), source=with_comment(f"/* unfork: ignore {words} */", 3))
    assert (numbers(data["findings"]), data["verdict"]) == ([3], "unsafe")
    [line] = data["comments"]["without_effect"]
    assert line.startswith("a.c:3: 'unfork: ignore ") and f"has no effect: {fault}" in line


def test_a_comment_where_not_all_was_explored_is_not_called_stale() -> None:
    source = with_comment("// unfork: ignore leak fine", 3)
    [line] = results(explored(extent="part"), source=source)["comments"]["unmatched"]
    assert line == "a.c:3: 'unfork: ignore leak' matches nothing in first, which was explored in part"
    assert not results(explored(extent="not"), source=source)["comments"]["unmatched"]
    assert not results(explored(name="second", line=6), source=source)["comments"]["unmatched"]


def test_the_table_is_short_and_begins_with_what_was_explored_least() -> None:
    functions = [explored(name=f"f{number}") for number in range(498)]
    functions += [explored(name="late", extent="part"), explored(name="odd", extent="not")]
    told = lines(results(*functions))
    assert len(told) < 40
    head = told.index("explored    branches  function")
    assert [line.split()[-2:] for line in told[head + 1 : head + 3]] == [["odd", "stopped"], ["late", "stopped"]]
    assert "and 470 more: unfork report out" in told
    assert told[-2] == "500 functions: 498 explored completely, 1 in part, 1 not, in 1.0 s"


def test_nothing_of_the_program_reaches_the_terminal_raw() -> None:
    data = results(explored(found(3, message="\x1b[31mred", function="f\x07", reason="\x1b]0;x")))
    assert not any("\x1b" in line or "\x07" in line for line in lines(data))


def test_of_a_project_that_could_not_be_explored_nothing_is_claimed() -> None:
    assert results(explored(extent="not"))["verdict"] == "unknown"
    assert as_dict([], 2, 1.0, texts())["verdict"] == "unknown"
    assert as_dict([], 0, 1.0, texts())["verdict"] == "clean"
