from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.power import part, some
from tests.support.runs import errors_of, explore
from tests.support.svcomp_tasks import HEADER, PROPERTY_FILES, TASKS, property_file, task_file
from unfork.cli import main
from unfork.commands.witness import witnesses
from unfork.commands.witness.properties import PROPERTIES
from unfork.commands.witness.witness import WitnessInvariant
from unfork.errors import InputError
from unfork.options.options import Options

VIOLATED = [
    task for task in TASKS if task[2].startswith("false") and not (task[0] == "termination" or "pthread" in task[1])
]
DOCUMENT = Path(__file__).parents[3] / "docs" / "svcomp.md"


def told(tmp_path: Path, name: str, task: Path, *words: str) -> list[str]:
    return ["svcomp", "--property", str(property_file(tmp_path, name)), "--data-model", "LP64", str(task), *words]


@pytest.mark.parametrize(
    ("name", "body", "verdict"), TASKS, ids=[f"{name}-{at}" for at, (name, _, _) in enumerate(TASKS)]
)
def test_tasks_get_the_verdict_that_their_rules_give_them(
    name: str, body: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = task_file(tmp_path, body)
    status = main(told(tmp_path, name, task, "--out", str(tmp_path / "out")))
    assert capsys.readouterr().out == f"{verdict}\n"
    assert status == {"true": 0, "unknown": 3}.get(verdict, 1)
    witness = tmp_path / "out" / "witness.yml"
    if verdict == "true":
        assert yaml.safe_load(witness.read_text())[0]["entry_type"] == "invariant_set"
    if verdict == "unknown":
        assert not witness.exists()


@pytest.mark.parametrize(
    ("name", "body", "verdict"),
    some(VIOLATED, "witnesses", 4),
)
def test_a_witness_alone_leads_to_its_violation(
    name: str, body: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, witness = task_file(tmp_path, body), tmp_path / "kept.yml"
    main(told(tmp_path, name, task, "--out", str(tmp_path / "out"), "--witness", str(witness)))
    assert main(told(tmp_path, name, task, "--validate", str(witness))) == 1
    assert capsys.readouterr().out == f"{verdict}\n{verdict}\n"


def _rows() -> list[tuple[str, str, str]]:
    """The programs in the tables of docs/svcomp.md, with the property of their column, and the answers."""
    rows, name = [], ""
    for line in DOCUMENT.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if cells[:1] == ["program"]:
            name = cells[1].strip("`")
        elif not cells:
            name = ""
        elif name and not cells[0].startswith("-"):
            rows.append((name, cells[0].strip("`"), cells[1]))
    return rows


@pytest.mark.parametrize(("name", "program", "answer"), part(_rows(), lambda row: row[1], 2))
def test_the_tables_of_the_document_say_what_is_answered(
    name: str, program: str, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = task_file(tmp_path, f"int main() {{ int x = __VERIFIER_nondet_int(); {program} return 0; }}")
    main(told(tmp_path, name, task, "--out", str(tmp_path / "out")))
    assert capsys.readouterr().out.strip().partition("(")[0] == answer


def test_the_answer_comes_before_the_witness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float | None] = []

    def late(options: Options, *rest: object) -> list[WitnessInvariant]:
        assert capsys.readouterr().out == "true\n"
        limits.append(options.max_time)
        raise InputError("nothing is left")

    monkeypatch.setattr(witnesses, "invariants", late)
    task = task_file(tmp_path, "int main() { return 0; }")
    assert main(told(tmp_path, "unreach-call", task, "--out", str(tmp_path / "out"), "--max-time", "50")) == 0
    assert "no witness: nothing is left" in capsys.readouterr().err
    assert limits == [5.0]


def test_the_first_error_of_the_compiler_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = task_file(tmp_path, "int main() { int x = ; int y = ; }")
    assert main(told(tmp_path, "unreach-call", task, "--out", str(tmp_path / "out"))) == 3
    printed = capsys.readouterr()
    assert printed.out == "unknown\n"
    assert [line.partition("task.c")[2] for line in printed.err.splitlines()] == [":9:22: error: expected expression"]


BRANCH = HEADER + "int main() { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }\n"


def _another_value(waypoints: list[dict[str, Any]]) -> None:
    waypoints[0]["constraint"]["value"] = "\\result == 8"


def _another_column(waypoints: list[dict[str, Any]]) -> None:
    waypoints[-1]["location"]["column"] -= 1


def _another_line(waypoints: list[dict[str, Any]]) -> None:
    waypoints[0]["location"]["line"] += 1


def test_a_witness_with_another_value_place_or_program_confirms_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    task, witness = Path("task.c"), Path("kept.yml")
    task.write_text(BRANCH)
    main(told(tmp_path, "unreach-call", task, "--out", str(tmp_path / "out"), "--witness", str(witness)))
    text = witness.read_text()
    capsys.readouterr()
    for change in (_another_value, _another_column, _another_line):
        entries = yaml.safe_load(text)
        change([entry["waypoint"] for segment in entries[0]["content"] for entry in segment["segment"]])
        witness.write_text(yaml.safe_dump(entries))
        assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 3
        assert capsys.readouterr().out == "unknown\n"
    for constraint, status in (("> 6", 1), ("> 7", 3), ("== x++", 3), ("+ 1", 3)):
        witness.write_text(text.replace("\\result == 7", f"\\result {constraint}"))
        assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == status
    said = capsys.readouterr().err
    assert "'x++' is no expression without side effects" in said
    assert "is not \\result compared with a constant" in said
    witness.write_text(text)
    task.write_text(BRANCH.replace("7", "8"))
    assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 2
    assert "the hash is another one" in capsys.readouterr().err


FOLLOWED = (
    HEADER
    + """int twice(int a) { return a * 2; }
int main() {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  while (y < 3 && y >= 0) {
    if (x > 5 && y == 1)
      y += twice(x);
    else y++;
  }
  switch (x) { case 7: y = 1; break; default: y = x > 8 ? 2 : 3; }
  for (;;) { if (y == 1) reach_error(); break; }
  return 0;
}
"""
)


@pytest.mark.parametrize(
    ("waypoints", "is_confirmed"),
    [
        (["assumption int y = 0: x == 7"], True),
        (["assumption int y = 0: x == 8"], False),
        (["assumption y += twice: x == 7 && y == 1 && (unsigned char)x"], True),
        (["assumption y += twice: y == 2"], False),
        (["branching while: true", "branching if (x > 5: false", "branching if (x > 5: true"], True),
        (["branching if (x > 5: true", "branching if (x > 5: true"], False),
        (["branching switch: 7"], True),
        (["branching switch: 8"], False),
        (["function_enter twice(x): ", "function_return twice(x): \\result >= 14"], True),
        (["function_return twice(x): \\result == 13"], False),
        (["-branching ? 2: true", "branching switch: 7"], True),
        (["-branching ? 2: true", "branching ? 2: false"], False),
        (["-function_enter twice(x): ", "branching switch: 7"], False),
        (["branching for (;;): true"], True),
        (["branching for (;;): false"], False),
    ],
)
def test_all_waypoints_of_the_format_are_followed(
    waypoints: list[str], is_confirmed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, witness = tmp_path / "task.c", tmp_path / "w.yml"
    task.write_text(FOLLOWED)
    witness.write_text(_by_hand(task, waypoints))
    status = main(told(tmp_path, "unreach-call", task, "--validate", str(witness), "--max-time", "5"))
    answer = capsys.readouterr()
    assert (status, answer.out) == ((1, "false(unreach-call)\n") if is_confirmed else (3, "unknown\n"))
    assert "no path that follows" in answer.err or is_confirmed


def _by_hand(task: Path, waypoints: list[str]) -> str:
    """A witness whose waypoints stand where a text first does, or end there; those with a - are avoided."""
    text, segments, avoided = task.read_text(), [], []
    for words in [*waypoints, "target reach_error(); b"]:
        kind, _, rest = words.lstrip("-").partition(" ")
        where, _, value = rest.partition(": ")
        at = text.rindex("int main") + text[text.rindex("int main") :].index(where)
        at += len(where) - 1 if where.endswith("(x)") else 0
        place = {"file_name": "task.c", "line": text.count("\n", 0, at) + 1, "column": at - text.rfind("\n", 0, at)}
        action = "avoid" if words.startswith("-") else "follow"
        point: dict[str, Any] = {"type": kind, "action": action, "location": place}
        avoided.append({"waypoint": point | ({"constraint": {"value": value}} if value else {})})
        if action == "follow":
            segments.append({"segment": avoided})
            avoided = []
    digest = hashlib.sha256(task.read_bytes()).hexdigest()
    about = {"input_file_hashes": {"task.c": digest}, "data_model": "LP64", "specification": "G ! call(reach_error())"}
    metadata = {"format_version": "2.0", "task": about}
    return yaml.safe_dump([{"entry_type": "violation_sequence", "metadata": metadata, "content": segments}])


@pytest.mark.parametrize(
    ("waypoint", "reason"),
    [
        ("assumption twice(x): x == 7", "no statement stands there"),
        ("assumption int y = 0: x = 7", "no expression without side effects"),
        ("assumption int y = 0: twice(x) == 7", "calls a function"),
        ("assumption int y = 0: (twice)(x) == 7", "calls a function"),
        ("assumption int y = 0: zz == 7", "use of undeclared identifier 'zz'"),
        ("branching y >= 0: true", "no branching stands there"),
        ("branching switch: true", "not true or false"),
        ("branching while: 7", "does not decide for 7"),
        ("function_enter y >= 0: ", "no call of a function by its name"),
    ],
)
def test_what_cannot_be_followed_is_said(
    waypoint: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, witness = tmp_path / "task.c", tmp_path / "w.yml"
    task.write_text(FOLLOWED)
    witness.write_text(_by_hand(task, [waypoint]))
    assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 3
    answer = capsys.readouterr()
    assert answer.out == "unknown\n"
    assert reason in answer.err


@pytest.mark.parametrize(
    ("body", "branchings"),
    [
        ("double d = __VERIFIER_nondet_double(); if (d == d) return 0; if (!d) return 1; reach_error();", 2),
        ("int u[2]; u[0] = __VERIFIER_nondet_int(); while (u[1] > 5) return 0; if (u[0] == 4) reach_error();", 2),
        ("int x = __VERIFIER_nondet_int(); if (x != 4) return 0; reach_error();", 0),
    ],
)
def test_decisions_are_told_where_the_values_of_calls_do_not_say_enough(
    body: str, branchings: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, witness = task_file(tmp_path, f"int main() {{ {body} return 0; }}"), tmp_path / "w.yml"
    main(told(tmp_path, "unreach-call", task, "--out", str(tmp_path / "out"), "--witness", str(witness)))
    assert witness.read_text().count("type: branching") == branchings
    assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 1
    assert capsys.readouterr().out == "false(unreach-call)\n" * 2


def test_lines_are_those_of_a_preprocessed_file_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "task.i"
    task.write_text(f'# 1 "/somewhere/task.c"\n# 1 "<built-in>" 1\nint built;\n# 40 "/somewhere/task.c" 2\n{BRANCH}')
    assert main(told(tmp_path, "unreach-call", task, "--out", str(tmp_path / "out"))) == 1
    witness = tmp_path / "out" / "witness.yml"
    segments = yaml.safe_load(witness.read_text())[0]["content"]
    lines = [entry["waypoint"]["location"]["line"] for segment in segments for entry in segment["segment"]]
    assert lines == [5 + HEADER.count("\n")] * 2
    capsys.readouterr()
    main(told(tmp_path, "unreach-call", task, "--validate", str(witness)))
    assert capsys.readouterr().out == "false(unreach-call)\n"


@pytest.mark.parametrize("name", ["coverage-branches", "coverage-error-call"])
def test_a_goal_of_coverage_gives_a_suite(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "task.c"
    task.write_text(BRANCH.replace("return 0", "int a[1]; return a[x == 9]"))
    suite = tmp_path / "suite"
    assert main(told(tmp_path, name, task, "--out", str(tmp_path / "out"), "--suite", str(suite))) == 0
    assert capsys.readouterr().out == "done\n"
    assert f"<specification>{PROPERTY_FILES[name].strip()}</specification>" in (suite / "metadata.xml").read_text()
    tests = [path.read_text() for path in suite.glob("0*.xml")]
    assert any('coversError="true"' in test and ">7<" in test for test in tests)
    assert (len(tests) == 1) == (name == "coverage-error-call")


def test_what_is_not_supported_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task, unknown = tmp_path / "task.c", tmp_path / "other.prp"
    task.write_text(BRANCH)
    unknown.write_text("CHECK( init(main()), LTL(G F green) )\n")
    known = str(property_file(tmp_path, "unreach-call"))
    for words, reason in (
        (["--property", str(unknown), "--data-model", "LP64"], "no property that unfork decides"),
        (["--property", known, "--data-model", "LP128"], "is none of ILP32, LP64"),
        (["--property", known, "--data-model", "LP64", "--check", "leak"], "--check is chosen by the property"),
        (["--data-model", "LP64"], "Missing option '--property'"),
    ):
        assert main(["svcomp", *words, str(task)]) == 2
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "body", "verdict"),
    [
        ("unreach-call", "if (sizeof(long) == 4 && x + 1 < x) reach_error();", "false(unreach-call)"),
        ("unreach-call", "if (x > 2147483647LL) reach_error();", "true"),
        ("no-overflow", "long long y = x; y += x; return y > 0;", "true"),
        ("no-overflow", "return x + 1 > 0;", "false(no-overflow)"),
        ("valid-memsafety", "int *p = malloc(4); free(p);", "true"),
        ("valid-memsafety", "int *p = malloc(4); int *q[1] = {p}; free(q[0]); *p = 1;", "false(valid-deref)"),
        ("unreach-call", "if (malloc(4) == 0 || (unsigned long)-1 >> 31 > 1) reach_error();", "true"),
        ("no-overflow", "long long y = x; y *= 2147483647; return y > 0;", "true"),
    ],
)
def test_types_are_as_wide_as_the_data_model_says(
    name: str, body: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = task_file(tmp_path, f"int main() {{ long x = __VERIFIER_nondet_long(); {body} }}")
    words = ["svcomp", "--property", str(property_file(tmp_path, name)), "--data-model", "ILP32", str(task)]
    main([*words, "--out", str(tmp_path / "out")])
    told = capsys.readouterr()
    assert told.out == f"{verdict}\n"
    witness = tmp_path / "out" / "witness.yml"
    assert yaml.safe_load(witness.read_text())[0]["metadata"]["task"]["data_model"] == "ILP32"
    if verdict.startswith("false"):
        main([*words, "--validate", str(witness)])
        assert capsys.readouterr().out == f"{verdict}\n"


def test_each_property_has_the_text_of_its_file() -> None:
    assert {each.name: each.specification for each in PROPERTIES} == {
        name: text.strip() for name, text in PROPERTY_FILES.items()
    }


def test_a_run_stops_at_the_kinds_of_errors_that_are_named_alone(tmp_path: Path) -> None:
    body = (
        "int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 3); int a[1]; return a[x == 4] + 7 / x; }"
    )
    task = task_file(tmp_path, body)
    for kinds, stopped in ((("reach-error",), "stop-at"), (("leak", "double-free"), None)):
        result = explore(task, tmp_path / kinds[0], "--stop-at", ",".join(kinds), "--strategy", "plain")
        assert result.summary["stopped_by"] == stopped
        assert result.otherwise == ("safe" if stopped is None else "unknown")
    assert {kind for kind, _, _ in errors_of(result)} == {"reach-error", "out-of-bounds", "div-by-zero"}


@pytest.mark.parametrize("check", ["cleanup", "lost"])
def test_checks_that_say_more_of_leaks_need_the_check_for_leaks(check: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{check} says more of leaks"):
        explore(task_file(tmp_path, "int main() { return 0; }"), tmp_path / "out", "--check", check)


def test_indeterminate_values_are_those_of_uninitialised_bytes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="indeterminate says what comes of uninitialised"):
        explore(task_file(tmp_path, "int main() { return 0; }"), tmp_path / "out", "--check", "indeterminate")
