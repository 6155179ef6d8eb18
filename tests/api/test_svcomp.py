from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.runs import errors_of, explore
from tests.svcomp_tasks import HEADER, PROPERTY_FILES, TASKS, property_file, task_file
from unfork.cli import main
from unfork.errors import InputError
from unfork.formats.properties import PROPERTIES


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
    [task for task in TASKS if task[2].startswith("false") and "memtrack" not in task[2] and "memcleanup" not in task[2]
     and "termination" not in task[2]],
)  # fmt: skip
def test_a_witness_alone_leads_to_its_violation(
    name: str, body: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, witness = task_file(tmp_path, body), tmp_path / "kept.yml"
    main(told(tmp_path, name, task, "--out", str(tmp_path / "out"), "--witness", str(witness)))
    assert main(told(tmp_path, name, task, "--validate", str(witness))) == 1
    assert capsys.readouterr().out == f"{verdict}\n{verdict}\n"


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
    witness.write_text(text.replace("\\\\result == 7", "\\\\result > 6"))
    assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 2
    assert "is not supported" in capsys.readouterr().err
    witness.write_text(text)
    task.write_text(BRANCH.replace("7", "8"))
    assert main(told(tmp_path, "unreach-call", task, "--validate", str(witness))) == 2
    assert "the hash is another one" in capsys.readouterr().err


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
        (["--property", known, "--data-model", "LP128"], "takes ILP32 or LP64"),
        (["--property", known, "--data-model", "LP64", "--check", "leak"], "--check is chosen by the property"),
        (["--data-model", "LP64"], "--property FILE"),
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
        ("valid-memsafety", "int *p = malloc(4); free(p);", "unknown"),
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
    assert ("ILP32 is not supported with a call of" in told.err) == (verdict == "unknown")
    witness = tmp_path / "out" / "witness.yml"
    if verdict != "unknown":
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
