"""unfork verify as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.cli import main

GOOD = """/*@ requires x < 100; assigns \\nothing; ensures \\result == x + 1; */
int next(int x) { return x + 1; }
"""
BAD = """/*@ requires x < 100; assigns \\nothing; ensures \\result == x; */
int same(int x) { return x + 1; }
"""
OPEN = """/*@ requires 0 <= n <= 9; assigns \\nothing; ensures \\result == n; */
int count(int n) {
  int i = 0;
  //@ loop invariant 0 <= i <= 20; loop assigns i;
  while (i < n) i++;
  return i;
}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("good", GOOD), ("bad", BAD), ("open", OPEN), ("both", GOOD + BAD), ("none", "int f;\n")):
        Path(f"{name}.c").write_text(text)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["verify", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_what_is_proved_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "good.c", "--out", "run")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].startswith("next: safe (1 of 1 obligations proved, ")
    assert any(line.split()[:4] == ["proved", "ensures", "line", "1"] for line in lines)
    assert lines[-1] == "verdict: safe (run)"


def test_what_is_broken_is_unsafe_with_the_call_that_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "bad.c", "--out", "run")
    assert status == 1
    assert "same(x = " in out
    assert "breaks contract at bad.c:1: \\result == x" in out
    assert out.splitlines()[-1] == "verdict: unsafe (run)"


def test_a_weak_invariant_is_unknown_and_shows_where_the_turn_began(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "open.c", "--out", "run")
    assert status == 3
    assert "OPEN    ensures" in out
    assert "here n = " in out
    assert "breaks" not in out


def test_the_worst_of_several_functions_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "both.c")[0] == 1
    status, out, _ = told(capsys, "both.c", "--function", "next")
    assert status == 0
    assert "same" not in out
    assert told(capsys, "both.c", "--function", "next,same")[0] == 1


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "bad.c", "--quiet") == (1, "", "")


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "both.c", "--out", "run", "--quiet")
    summary = json.loads(Path("run/summary.json").read_text())
    assert {key: summary[key] for key in ("tool", "command", "program", "verdict", "exit_status")} == {
        "tool": "unfork",
        "command": "verify",
        "program": ["both.c"],
        "verdict": "unsafe",
        "exit_status": 1,
    }
    first, second = summary["functions"]
    assert (first["function"], first["verdict"], first["counterexample"], first["reasons"]) == (
        "next",
        "safe",
        None,
        [],
    )
    assert second["counterexample"].keys() == {"kind", "text", "file", "line", "call"}
    [promise] = [each for each in second["obligations"] if each["kind"] == "ensures"]
    assert promise.keys() == {"kind", "file", "line", "text", "ending", "paths", "by", "seconds", "detail"}
    assert (promise["ending"], promise["paths"], promise["line"]) == ("open", 1, 3)


def test_the_summary_goes_where_the_user_wants_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "good.c", "--json", "-")
    assert (status, json.loads(out)["verdict"]) == (0, "safe")
    assert "verdict: safe" in err
    assert told(capsys, "good.c", "--json", "here.json", "--quiet") == (0, "", "")
    assert json.loads(Path("here.json").read_text())["command"] == "verify"
    assert told(capsys, "good.c", "--json", "no/such/place")[0] == 2


def test_help_lists_the_options_that_have_a_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "--help")
    assert status == 0
    assert out.startswith("Usage: unfork verify [OPTIONS] PATH...")
    assert "--join" in out
    assert "\n  --prune" not in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "verify: no input file"),
        ("good.c -- 1", "takes no program arguments"),
        ("none.c", "no function has a contract"),
        ("good.c --function other", "--function other: it has no contract; those that have one: next"),
        ("good.c --prune subsume", "verify: --prune has no meaning in proofs"),
        ("good.c --unwind 3", "verify: --unwind has no meaning in proofs"),
        ("good.c --sed 1", "No such option '--sed'"),
        ("missing.c", "missing.c"),
    ],
)
def test_what_cannot_be_used_is_said(capsys: pytest.CaptureFixture[str], words: str, reason: str) -> None:
    status, out, err = told(capsys, *words.split())
    assert (status, out) == (2, "")
    assert reason in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/*@ requires frobnicate x; */\nint f(int x) { return x; }", "1"),
        ("/*@ requires g(x) > 0; */\nint f(int x) { return x; }", "1"),
        (
            "/*@ requires 1; */ int f(int n) {\n  if (n) goto in;\n"
            "  /*@ loop invariant 1; */\n  while (n < 5) { n++; in: n++; }\n  return n; }",
            "entered in its middle",
        ),
    ],
)
def test_contracts_that_are_broken(capsys: pytest.CaptureFixture[str], text: str, reason: str) -> None:
    Path("broken.c").write_text(text + "\n")
    status, out, _ = told(capsys, "broken.c")
    assert (status, out.count("not proved: broken.c:")) == (3, 1)
    assert reason in out


def test_c_that_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.c").write_text("/*@ requires x; */ int f(int x) { return\n")
    status, out, err = told(capsys, "broken.c")
    assert (status, out) == (2, "")
    assert "error" in err


def test_contracts_are_not_read_from_llvm_ir(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.ll").write_text("define i32 @f() {\n  ret i32 0\n}\n")
    status, _, err = told(capsys, "f.ll")
    assert status == 2
    assert "f.ll: contracts are read from C, not from LLVM IR" in err


def test_a_proof_is_kept_until_what_it_is_about_changes(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "good.c")
    assert "as before" in told(capsys, "good.c")[1]
    Path("good.c").write_text(GOOD.replace("return x + 1", "return x + 2"))
    assert told(capsys, "good.c")[0] == 1
    Path("good.c").write_text(GOOD.replace("x < 100", "x < 2147483648"))
    assert told(capsys, "good.c")[0] == 1


def test_an_audit_asks_the_other_solver(capsys: pytest.CaptureFixture[str]) -> None:
    assert "proved again by the other solver: " in told(capsys, "good.c", "--audit")[1]


def test_what_a_proof_takes_for_granted_of_the_environment_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("asks.c").write_text(
        '#include <stdlib.h>\n/*@ ensures \\result == x; */\nint same(int x) { return getenv("TOWN") ? 5 : x; }\n'
    )
    status, out, _ = told(capsys, "asks.c")
    assert status == 0
    assert "assumed, not proved: TOWN is not set\n" in out
    assert out.splitlines()[-1].startswith("verdict: safe, if what is assumed is true")
