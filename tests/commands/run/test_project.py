"""unfork verify of small projects: what is proved where, what is taken over, and what is left out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import wait_until
from unfork.cli import main

HEADER = """\
/*@ requires 0 <= x <= 100; assigns \\nothing; ensures \\result == x + 1; */
int next(int x);
/*@ requires 0 <= x <= 50; assigns \\nothing; ensures PROMISE; */
int twice(int x);
/*@ requires x < 100; assigns \\nothing; ensures \\result == x + 1; */
static inline int later(int x) { return x + 1; }
"""
NEXT = '#include "all.h"\nint next(int x) { return x < 100 ? later(x) : x + 1; }\n'
TWICE = '#include "all.h"\nint twice(int x) { return x + next(x) - 1; }\n'
LAST = """\
#include "all.h"
/*@ requires 0 <= x <= 9; assigns \\nothing; ensures \\result >= x; */
int last(int x) { return twice(later(x)) - 1; }
"""
WRONG = "/*@ requires x < 100; assigns \\nothing; ensures \\result == x; */\nint wrong(int x) { return x + 1; }\n"
WEAK = """\
/*@ requires 0 <= n <= 9; assigns \\nothing; ensures \\result == n; */
int count(int n) {
  int i = 0;
  //@ loop invariant 0 <= i <= 20; loop assigns i;
  while (i < n) i++;
  return i;
}
"""


def project(folder: Path, promise: str = "\\result == 2 * x", **more: str) -> Path:
    """Three files with a header, and others."""
    place = folder / "project"
    place.mkdir(exist_ok=True)
    (place / "all.h").write_text(HEADER.replace("PROMISE", promise))
    for name, text in {"next": NEXT, "twice": TWICE, "last": LAST, **more}.items():
        (place / f"{name}.c").write_text(text)
    return place


def verified(path: Path, *words: str) -> tuple[int, Mapping[str, Any]]:
    """The exit status, and what summary.json holds."""
    out = path.parent / f"out-{len(list(path.parent.iterdir()))}"
    status = main(["verify", str(path), "--out", str(out), "--cores", "1", "--no-progress", *words])
    return status, json.loads((out / "summary.json").read_text())


def verdicts(data: Mapping[str, Any]) -> dict[str, str]:
    return {each["function"]: each["verdict"] for each in data["functions"]}


def taken_over(data: Mapping[str, Any]) -> set[str]:
    return {each["function"] for each in data["functions"] if each["cached"]}


def test_all_contracts_are_proved_once_and_nothing_is_assumed(tmp_path: Path) -> None:
    status, data = verified(project(tmp_path))
    assert status == 0
    assert sorted(each["function"] for each in data["functions"]) == ["last", "later", "next", "twice"]
    assert set(verdicts(data).values()) == {"safe"}
    assert data["assumptions"] == data["left_out"] == []
    assert all(each["processors"] > 0 for each in data["functions"])


def test_the_build_says_how_files_are_compiled(tmp_path: Path) -> None:
    path = project(tmp_path, next=NEXT.replace("x + 1;", "x + ONE;"))
    names = ("next", "twice", "last")
    rows = [{"directory": str(path), "file": f"{name}.c", "command": f"cc -DONE=1 -c {name}.c"} for name in names]
    (path / "compile_commands.json").write_text(json.dumps(rows))
    for given in (path, path / "compile_commands.json"):
        status, data = verified(given, "--function", "next")
        assert (status, verdicts(data)) == (0, {"next": "safe"})


def test_one_broken_contract_makes_the_project_unsafe(tmp_path: Path) -> None:
    status, data = verified(project(tmp_path, wrong=WRONG, weak=WEAK))
    assert status == 1
    others = dict.fromkeys(("last", "later", "next", "twice"), "safe")
    assert verdicts(data) == {**others, "wrong": "unsafe", "count": "unknown"}


def test_one_that_is_not_proved_makes_it_unknown(tmp_path: Path) -> None:
    status, data = verified(project(tmp_path, weak=WEAK), "--function", "count", "--function", "n*t")
    assert (status, verdicts(data)) == (3, {"count": "unknown", "next": "safe"})


def test_what_did_not_change_is_taken_over(tmp_path: Path) -> None:
    path = project(tmp_path, wrong=WRONG, weak=WEAK)
    first, again = verified(path)[1], verified(path)[1]
    assert taken_over(first) == set()
    assert taken_over(again) == {"last", "later", "next", "twice", "wrong", "count"}
    assert verdicts(again) == verdicts(first)
    changed = verified(project(tmp_path, "\\result == x + x && \\result <= 100", wrong=WRONG, weak=WEAK))[1]
    assert taken_over(changed) == {"later", "next", "wrong", "count"}
    assert taken_over(verified(path, "--no-cache")[1]) == set()


def test_more_time_is_a_reason_to_try_again(tmp_path: Path) -> None:
    path = project(tmp_path, weak=WEAK)
    verified(path, "--function", "count,next", "--per-function", "20")
    assert taken_over(verified(path, "--function", "count,next", "--per-function", "10")[1]) == {"count", "next"}
    assert taken_over(verified(path, "--function", "count,next", "--per-function", "30")[1]) == {"next"}


def test_contracts_that_a_pattern_leaves_out_are_assumed(tmp_path: Path) -> None:
    path = project(tmp_path)
    status, data = verified(path, "--function", "[lt]a*,twice")
    assert status == 0
    assert sorted(verdicts(data)) == ["last", "later", "twice"]
    assert data["assumptions"] == [f"the contract of next ({path}/all.h:2): --function leaves it out"]


def test_files_that_cannot_be_linked_prove_each_others_contracts(tmp_path: Path) -> None:
    path = project(tmp_path, one="int shared(void) { return 1; }\n", two="int shared(void) { return 2; }\n")
    status, data = verified(path)
    assert (status, set(verdicts(data).values())) == (0, {"safe"})
    assert sorted(verdicts(data)) == ["last", "later", "next", "twice"]
    assert data["assumptions"] == []
    (path / "next.c").unlink()
    assert verified(path)[1]["assumptions"] == [f"the contract of next ({path}/all.h:2): it has no body"]


def test_each_of_two_static_functions_of_one_name_has_its_own_contract(tmp_path: Path) -> None:
    text = "/*@ assigns \\nothing; ensures \\result == %s; */\nstatic int same(int x) { return %s; }\n"
    calls = "int %s(int x) { return same(x); }\n"
    path = project(
        tmp_path, one=text % ("x", "x") + calls % "a", two="static int same(int x) { return 7; }\n" + calls % "b"
    )
    status, data = verified(path)
    assert (status, [each["function"] for each in data["functions"]].count("same")) == (0, 1)


def test_a_file_that_does_not_compile_is_named_and_the_rest_is_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, data = verified(project(tmp_path, broken="int f( {\n"))
    assert (status, data["verdict"], set(verdicts(data).values())) == (3, "unknown", {"safe"})
    [line] = data["left_out"]
    assert "broken.c:1" in line
    assert f"left out: {line}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("texts", "words", "said"),
    [
        ({"a": "int f;\n", "b": "int g;\n"}, (), "verify: no function has a contract"),
        ({"wrong": WRONG}, ("--function", "x*"), "--function x*: no function of such a name has a contract; those"),
        ({}, (), "verify: no C file in "),
    ],
)
def test_what_there_is_nothing_to_prove_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], texts: Mapping[str, str], words: tuple[str, ...], said: str
) -> None:
    for name, text in texts.items():
        (tmp_path / f"{name}.c").write_text(text)
    assert main(["verify", str(tmp_path), "--out", str(tmp_path / "out"), *words]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"unfork: {said}")


def test_many_functions_are_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(WRONG.replace("wrong", f"f{n}").replace("x + 1;", "x;") for n in range(12))
    (tmp_path / "many.c").write_text(text + WRONG)
    assert main(["verify", str(tmp_path / "many.c"), "--out", str(tmp_path / "out"), "--formats", "sarif"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{tmp_path}/many.c:25: contract: \\result == x in wrong"
    assert lines[1].strip().startswith("wrong(x = ")
    assert lines[2].split() == ["verdict", "proved", "CPU", "time", "function"]
    assert [lines[3].split()[0], lines[3].split()[-1] != "wrong"] == ["unsafe", True]
    assert lines[-2].startswith("13 functions: 12 safe, 0 unknown, 1 unsafe, in ")
    [result] = json.loads((tmp_path / "out" / "results.sarif").read_text())["runs"][0]["results"]
    assert result["level"] == "error"


def test_an_interrupt_keeps_what_is_proved(tmp_path: Path) -> None:
    loop = "while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2;"
    endless = f"/*@ ensures \\result == 0; */\nint endless(unsigned n) {{ {loop} return 0; }}\n"
    (tmp_path / "two.c").write_text(WRONG + endless)
    out = tmp_path / "out"
    words = [sys.executable, "-m", "unfork", "verify", str(tmp_path / "two.c"), "--cores", "1", "--out", str(out)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}) as process:
        try:
            wait_until((out / "summary.json").exists, process)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        finally:
            process.kill()
    data = json.loads((out / "summary.json").read_text())
    assert verdicts(data) == {"wrong": "unsafe", "endless": "unknown"}
    assert any("interrupt" in reason for reason in data["functions"][1]["reasons"])
    assert process.returncode == 1
