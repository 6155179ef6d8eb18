"""unfork reach: whether a public function comes to a line or fails there; which results of other tools are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.commands.scan.test_projects import PROJECTS
from unfork.cli import main
from unfork.commands.scan.claims import claims_of, kind_of
from unfork.errors import InputError

QUICK = ("--cores", "1", "--per-function", "10", "--no-progress", "--quiet")


def reached(project: str, out: Path, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status, and the answers."""
    status = main(["reach", *words, str(PROJECTS / project), "--out", str(out), *QUICK])
    return status, json.loads((out / "scan.json").read_text())["answers"]


@pytest.mark.native_check
@pytest.mark.parametrize(
    ("project", "line", "kind", "answer"),
    [
        ("two_levels_bad", 8, "out-of-bounds", "confirmed"),
        ("two_levels_bad", 8, "any", "confirmed"),
        ("two_levels_bad", 8, "div-by-zero", "not reachable"),
        ("two_levels_fine", 8, "out-of-bounds", "not reachable"),
        ("much_after_the_call", 9, "out-of-bounds", "not reachable"),
        ("much_before_the_call", 9, "out-of-bounds", "confirmed"),
        ("precondition_of_entry", 6, "null-dereference", "conditional"),
        ("precondition_gone", 6, "null-dereference", "not reachable"),
        ("called_through_pointer", 8, "out-of-bounds", "undecided"),
        ("called_back_by_library", 13, "div-by-zero", "confirmed"),
    ],
)
def test_a_claim_is_answered(project: str, line: int, kind: str, answer: str, tmp_path: Path) -> None:
    status, [found] = reached(project, tmp_path / "out", f"lib.c:{line}", "--kind", kind)
    assert found["answer"] == answer
    assert status == {"confirmed": 1, "undecided": 3}.get(answer, 0)
    if answer == "confirmed":
        assert (tmp_path / "out" / found["reproducer"]).is_file()


def test_a_line_is_reached_or_not(tmp_path: Path) -> None:
    status, [found] = reached("dead_branch", tmp_path / "yes", "lib.c:11")
    assert (status, found["answer"], found["by"]) == (1, "confirmed", "weight_of")
    status, [found] = reached("dead_branch", tmp_path / "no", "lib.c:13")
    assert (status, found["answer"]) == (0, "not reachable")
    assert found["bounds"]


@pytest.mark.parametrize(
    ("words", "complaint"), [("lib.c:99", "no code at lib.c:99"), ("lib.c", "lib.c is no FILE:LINE")]
)
def test_a_line_without_code_is_refused(
    words: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reach", words, str(PROJECTS / "dead_branch"), "--out", str(tmp_path / "out"), *QUICK]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.native_check
def test_results_of_another_tool_are_answered_one_by_one(tmp_path: Path) -> None:
    results = [("arrayIndexOutOfBounds", "lib.c", 8), ("nullPointer", "lib.c", 10), ("odd", "gone.c", 3)]
    sarif = tmp_path / "tool.sarif"
    sarif.write_text(json.dumps({"version": "2.1.0", "runs": [_run(results)]}))
    status, found = reached("two_levels_bad", tmp_path / "out", "--sarif", str(sarif))
    assert [each["answer"] for each in found] == ["confirmed", "not reachable", "undecided"]
    assert [each["claim"]["kind"] for each in found] == ["out-of-bounds", "null-dereference", ""]
    assert status == 1


@pytest.mark.native_check
def test_a_leak_is_meant_by_the_line_at_which_its_path_leaves(tmp_path: Path) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text(LEAVES)
    answers = {}
    for line in (7, 9, 12):
        out = tmp_path / str(line)
        main(["reach", f"lib.c:{line}", "--kind", "leak", str(lib), "--out", str(out), *QUICK])
        [answers[line]] = json.loads((out / "scan.json").read_text())["answers"]
    assert {line: each["answer"] for line, each in answers.items()} == {
        7: "not reachable",
        9: "confirmed",
        12: "not reachable",
    }
    assert answers[9]["message"].endswith("(line 5)")


LEAVES = """\
#include <stdlib.h>
#include <string.h>
int count(const char *text, int kind)
{
    char *copy = malloc(4);
    if (copy == NULL)
        return -1;
    if (kind > 3)
        return -2;
    memset(copy, kind, 4);
    free(copy);
    return text[0];
}
"""


@pytest.mark.native_check
@pytest.mark.parametrize(
    ("project", "line", "kind", "calls"),
    [
        ("made_state_set", 35, "", ["decoder_new", *["decoder_feed"] * 3, "decoder_poll"]),
        ("made_state_set", 35, "out-of-bounds", ["decoder_new", *["decoder_feed"] * 3, "decoder_poll"]),
        ("made_through_parameter", 33, "out-of-bounds", ["reader_open", "reader_step", "reader_next"]),
        ("made_counted_wrongly", 32, "any", ["object_new", "object_value"]),
    ],
)
def test_calls_that_make_an_object_confirm_a_claim(
    project: str, line: int, kind: str, calls: list[str], tmp_path: Path
) -> None:
    words = ["--kind", kind] if kind else []
    status, [found] = reached(project, tmp_path / "out", f"lib.c:{line}", *words)
    assert (status, found["answer"], found["by"]) == (1, "confirmed", calls[-1])
    assert found["calls"] == calls
    program = (tmp_path / "out" / found["reproducer"]).read_text()
    assert re.findall(r"(\w+)\(", program.rpartition("int main(void) {")[2].replace("if (", "")) == calls


@pytest.mark.native_check
@pytest.mark.parametrize(
    ("project", "line", "kind"),
    [("made_state_unset", 34, ""), ("made_state_unset", 34, "out-of-bounds"), ("made_counted", 34, "use-after-free")],
)
def test_a_state_that_no_call_leaves_is_not_within_the_bounds(
    project: str, line: int, kind: str, tmp_path: Path
) -> None:
    words = ["--kind", kind] if kind else []
    status, [found] = reached(project, tmp_path / "out", f"lib.c:{line}", *words)
    assert (status, found["answer"]) == (0, "not reachable")
    assert any("decoder is made by decoder_new" in each for each in found["bounds"]) or kind == "use-after-free"


@pytest.mark.parametrize(
    ("line", "status", "answer", "reason"),
    [
        (13, 1, "confirmed", "the calls machine_init, machine_step, machine_step"),
        (15, 0, "not reachable", "all that leads there was explored"),
    ],
)
def test_operations_bring_a_machine_into_the_states_that_it_has(
    line: int, status: int, answer: str, reason: str, tmp_path: Path
) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text(MACHINE)
    assert main(["reach", f"lib.c:{line}", str(lib), "--out", str(tmp_path / "out"), *QUICK]) == status
    [found] = json.loads((tmp_path / "out" / "scan.json").read_text())["answers"]
    assert found["answer"] == answer
    assert found["reason"].startswith(reason)


MACHINE = """\
struct machine { int state; };
void machine_init(struct machine *machine) { machine->state = 0; }
int machine_step(struct machine *machine)
{
    switch (machine->state) {
    case 0:
        machine->state = 1;
        return 0;
    case 1:
        machine->state = 2;
        return 1;
    case 2:
        return 2;
    default:
        return -1;
    }
}
"""


def test_a_state_of_an_object_that_only_the_file_makes_confirms_no_line(tmp_path: Path) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text(MACHINE.replace("void machine_init", "static __attribute__((used)) void machine_init"))
    assert main(["reach", "lib.c:15", str(lib), "--out", str(tmp_path / "out"), *QUICK]) == 3
    [found] = json.loads((tmp_path / "out" / "scan.json").read_text())["answers"]
    assert found["answer"] == "undecided"
    assert "which machine_init makes" in found["reason"]


def test_a_null_pointer_that_no_maker_leaves_confirms_no_line(tmp_path: Path) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text(
        """struct task { const char *name; };
void task_init(struct task *task) { task->name = "task"; }
int task_has_name(const struct task *task)
{
    if (task->name)
        return 1;
    return 0;
}
"""
    )
    assert main(["reach", "lib.c:7", str(lib), "--out", str(tmp_path / "out"), *QUICK]) == 0
    [found] = json.loads((tmp_path / "out" / "scan.json").read_text())["answers"]
    assert found["answer"] == "not reachable"
    assert main(["reach", "lib.c:6", str(lib), "--out", str(tmp_path / "other"), *QUICK]) == 1


def test_a_line_that_only_sets_a_variable_has_code(tmp_path: Path) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text("int f(int n)\n{\n    int mark = 0;\n    if (n > 3)\n        mark = 7;\n    return mark;\n}\n")
    assert main(["reach", "lib.c:5", str(lib), "--out", str(tmp_path / "out"), *QUICK]) == 1


@pytest.mark.native_check
def test_what_needs_a_failing_call_is_confirmed_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lib = tmp_path / "lib.c"
    lib.write_text(
        "#include <stdlib.h>\nint *zero(void)\n{\n    int *made = malloc(4);\n    *made = 0;\n    return made;\n}\n"
    )
    words = (str(lib), "--out", str(tmp_path / "out"), *QUICK[:-1])
    assert main(["reach", "lib.c:5", "--kind", "null-dereference", *words]) == 1
    assert "if an allocation or a call of the system fails: " in capsys.readouterr().out
    data = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert [each["line"] for each in data["failures"]] == [5]


@pytest.mark.native_check
def test_a_broken_precondition_has_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (str(PROJECTS / "precondition_of_entry"), "--out", str(tmp_path / "out"), *QUICK[:-1])
    assert main(["reach", "lib.c:6", "--kind", "null-dereference", *words]) == 0
    assert "    such an input: " in capsys.readouterr().out


def _run(results: list[tuple[str, str, int]]) -> dict[str, Any]:
    return {
        "tool": {"driver": {"name": "tool", "rules": []}},
        "results": [
            {
                "ruleId": rule,
                "message": {"text": f"{rule} here"},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}}}],
            }
            for rule, file, line in results
        ],
    }


def test_a_weakness_is_read_from_what_a_result_refers_to(tmp_path: Path) -> None:
    run = _run([("a", "lib.c", 1), ("b", "lib.c", 2), ("checker", "lib.c", 3)])
    run["tool"]["driver"]["rules"] = [
        {"id": "a", "relationships": [{"target": {"id": "CWE-416", "toolComponent": {"name": "CWE"}}}]}
    ]
    run["results"][1]["taxa"] = [{"id": "401", "toolComponent": {"name": "cwe"}}]
    run["results"][2]["message"]["text"] = "Use of memory after it is freed"
    sarif = tmp_path / "tool.sarif"
    sarif.write_text(json.dumps({"version": "2.1.0", "runs": [run]}))
    assert [each.kind for each in claims_of(sarif)] == ["use-after-free", "leak", "use-after-free"]


@pytest.mark.parametrize(
    ("rule", "about", "kind"),
    [
        ("core.NullDereference", "", "null-dereference"),
        ("-Wanalyzer-double-free", "", "double-free"),
        ("-Wanalyzer-use-after-free", "", "use-after-free"),
        ("cpp/x", '{"tags": ["external/cwe/cwe-125"]}', "out-of-bounds"),
        ("zerodiv", "", "div-by-zero"),
        ("uninitvar", "", "uninitialised"),
        ("integerOverflow", "", "overflow"),
        ("leak", "", "leak"),
        ("STRING_NULL", "", "out-of-bounds"),
        ("styleThing", "", ""),
    ],
)
def test_rules_of_other_tools_have_kinds(rule: str, about: str, kind: str) -> None:
    assert kind_of(rule, about) == kind


@pytest.mark.parametrize("text", ["{", "[]", '{"runs": 3}', '{"runs": [{"results": [3]}]}'])
def test_what_is_no_sarif_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.sarif").write_text(text)
    with pytest.raises(InputError, match="is no SARIF file"):
        claims_of(tmp_path / "x.sarif")
