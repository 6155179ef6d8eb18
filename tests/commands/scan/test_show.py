"""unfork show SCAN FILE:LINE: a finding with its entry, calls, values, steps line by line, program and command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.commands.scan.findings import explored, found, kept
from tests.commands.scan.test_projects import PROJECTS
from unfork.cli import main
from unfork.commands.scan.decisions import PathStep
from unfork.commands.scan.judgement import CONDITIONAL, LIKELY, UNDECIDED

QUICK = ("--cores", "1", "--per-function", "10", "--no-progress", "--quiet")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["show", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.native_check
def test_a_finding_followed_up_its_callers_is_told_from_its_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECTS / "two_levels_bad")
    assert main(["scan", ".", "--out", str(tmp_path / "out"), *QUICK]) == 1
    told = shown(capsys, str(tmp_path / "out"), "lib.c:8")
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert "entry: weight_of, which is public" in lines
    steps = [line for line in lines if line.startswith("lib.c:")]
    assert [step for step in steps if "calls" in step]
    assert "fails: read of 4 bytes" in steps[-1]
    command = told.rstrip().splitlines()[-1].strip()
    assert command.startswith("cc -g -fsanitize=")
    built = command.partition(" && ")[0].replace("cc ", f"cc -o {tmp_path}/a.out ", 1)
    subprocess.run(built, shell=True, check=True)
    ended = subprocess.run([tmp_path / "a.out"], capture_output=True, text=True, check=False)
    assert "lib.c:8" in ended.stderr
    assert shown(capsys, str(tmp_path / "out"), str(Path("lib.c").resolve()) + ":8") == told


def test_each_class_says_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values = {"p": "null"}
    inner = {
        "function": "first",
        "file": "a.c",
        "line": 4,
        "line_is_nearest": False,
        "inlined_at": [],
        "values": values,
    }
    outer = {**inner, "function": "second", "line": 7, "values": {}}
    path = (PathStep("a.c", 7, "calls first", "second", "first"), PathStep("a.c", 3, "q is true", "first"))
    kept(
        tmp_path,
        explored(
            found(4, certainty=CONDITIONAL, entry="second", precondition="p is not null", requires="p != 0", path=path),
            found(5, certainty=LIKELY, followed="nothing here calls first", path=path),
            found(7, certainty=UNDECIDED, stack=[inner, outer]),
            found(7, "leak", certainty=UNDECIDED),
        ),
    )
    told = shown(capsys, "out", "a.c:4")
    assert "  entry: second, which is public\n  requires: p is not null\n" in told
    assert "  as a contract: UNFORK_REQUIRES(p != 0);\n" in told
    words = [" ".join(line.split()) for line in told.splitlines()]
    at = words.index("second")
    assert words[at : at + 5] == [
        "second",
        "a.c:7 return p[0] + first(p); calls first",
        "first",
        "a.c:3 char *q = malloc(3); q is true",
        "a.c:4 return p[0]; fails: a null-dereference",
    ]
    assert "unfork reach" not in told
    told = shown(capsys, "out", "a.c:5")
    assert "  seen in first, which is not public\n  followed: nothing here calls first\n" in told
    assert "  unfork reach a.c:5 --kind null-dereference --per-function 300 a.c\n" in told
    told = shown(capsys, "out", "a.c:7")
    assert told.startswith("1 of 2 findings\n")
    assert "\n\n2 of 2 findings\n" in told
    assert "calls first\n" in told


def test_findings_beside_the_listed_ones_are_found_by_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept(tmp_path, explored(found(4)))
    file = tmp_path / "out" / "scan.json"
    data = json.loads(file.read_text())
    [row] = data["findings"]
    data["failures"] = [{**row, "line": 5}]
    data["excluded"] = [{**row, "line": 6, "followed": "every caller excludes it"}]
    file.write_text(json.dumps(data))
    assert "  certain if a call fails: it is so\n" in shown(capsys, "out", "a.c:5")
    assert "  excluded: every caller excludes it\n" in shown(capsys, "out", "a.c:6")
    assert main(["show", "out", "a.c:7"]) == 2
    assert "a.c:7: no finding of out (say FILE:LINE; it has some at a.c:6, a.c:5, a.c:4)" in capsys.readouterr().err


def test_the_command_of_a_program_names_files_that_stay(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--native-check", "never", *QUICK]
    main(["scan", str(PROJECTS.parent / "programs" / "callback_index_le.c"), *words])
    [head] = {file.read_text().partition("\n")[0] for file in (tmp_path / "out").rglob("tests/*.c")}
    assert " FILE.c && ./a.out " in head
