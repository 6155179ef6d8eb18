from __future__ import annotations

import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import wait_until
from unfork.cli import main
from unfork.report.replay import engine

BUGGY = """#include <unfork.h>
int main(void) {
  int x, a[4] = {1, 2, 3, 4};
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 10)
    return 1;
  if (x < 0)
    return 2;
  return a[x];
}
"""
SAFE = """#include <unfork.h>
int main(void) {
  unsigned char x[3];
  unfork_symbolic(x, sizeof x, "x");
  int sum = 0;
  for (int i = 0; i < 3; i++)
    if (x[i] > 100) sum++;
  return sum;
}
"""
ENDLESS = """#include <unfork.h>
volatile int sink;
int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 7) return 1;
  while (1) sink++;
}
"""
MANY = """#include <unfork.h>
int main(void) {
  unsigned char x[12];
  int sum = 0;
  unfork_symbolic(x, sizeof x, "x");
  for (int i = 0; i < 12; i++)
    if (x[i] > 100) sum++;
  return sum > 100;
}
"""

PLAIN = ("--merge", "none")
"""Every path by itself, so that these can be counted."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("buggy.c", BUGGY), ("safe.c", SAFE), ("endless.c", ENDLESS), ("many.c", MANY)):
        (tmp_path / name).write_text(text)
    return tmp_path


def summary(root: str = "unfork-last") -> dict[str, Any]:
    data = json.loads(Path(root, "summary.json").read_text())
    assert isinstance(data, dict)
    return data


def unfork(*words: str) -> list[str]:
    return [sys.executable, "-m", "unfork", *words]


def test_a_bug_is_found_replayed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "buggy.c", "--formats", "json,ktest,xml,c"]) == 1
    data = summary()
    (error,) = data["errors"]
    assert (error["kind"], error["file"], error["line"], error["function"]) == ("out-of-bounds", "buggy.c", 9, "main")
    assert error["replayed"] is True
    assert data["verdict"] == "unsafe"
    root = Path("unfork-last")
    stem = Path(error["test"]).stem
    report = (root / "errors" / f"{stem}.txt").read_text()
    assert report.startswith("out-of-bounds: ")
    assert "#0 main at buggy.c:9" in report
    assert "x = " in report
    assert {path.suffix for path in (root / "tests").glob(f"{stem}.*")} == {".json", ".ktest", ".xml", ".c"}
    assert (root / "tests" / "metadata.xml").exists()
    assert not list(root.rglob("*.part"))
    out = capsys.readouterr().out
    assert "buggy.c:9: out-of-bounds" in out
    assert "\x1b" not in out
    for what in ([], [f"tests/{stem}"], [f"errors/{stem}"], ["0"], ["1"], [stem]):
        assert main(["show", "unfork-last", *what]) == 0
    assert "out-of-bounds" in capsys.readouterr().out


def test_summary_has_every_key_of_the_interface() -> None:
    assert main(["run", "safe.c", "--quiet", *PLAIN]) == 0
    data = summary()
    keys = """tool version program options seed verdict exhausted stopped_by bounds_hit unsupported errors alarms
        assumptions paths states merges prunes tests instructions blocks forks solver coverage seconds peak_memory_mb"""
    assert set(keys.split()) <= set(data)
    assert data["verdict"] == "safe"
    assert data["exhausted"] is True
    assert data["paths"] | {"completed": 8, "represented": 8, "pruned": 0, "killed": 0} == data["paths"]
    assert data["coverage"]["branches"] == {"covered": 4, "total": 4}
    assert data["coverage"]["lines"]["covered"] == data["coverage"]["lines"]["total"]
    schedule = {"forwarded", "forwarded_merged", "chosen_forward", "chosen_driving"}
    assert set(data["merges"]) == {"done", "refused", *schedule, "undone", "stopped"}
    counts = {
        "checks",
        "hits",
        "stored",
        "compared",
        "size",
        "seconds",
        "refused",
        "under",
        "under_because",
        "unlearnt",
        "speculated",
        "widened",
    }
    assert set(data["prunes"]) == counts
    assert set(data["solver"]) == {"queries", "sat", "unsat", "unknown", "answered_without", "sampled", "seconds"}


def test_run_db_tells_of_every_state() -> None:
    assert main(["run", "safe.c", "--quiet", *PLAIN]) == 0
    database = sqlite3.connect("unfork-last/run.db")
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    nodes = {"states", "forks", "joins", "prunes", "learnt", "tests", "taken", "forked"}
    places = {"fork_places", "query_places", "refusals", "attention", "sides", "ran"}
    assert tables == nodes | places | {"queries", "coverage", "growth"}
    assert database.execute("SELECT COUNT(*) FROM states WHERE ended = 'exit'").fetchone() == (8,)
    parents = dict(database.execute("SELECT child, parent FROM forks"))
    for (node,) in database.execute("SELECT id FROM states"):
        while node in parents:
            node = parents[node]
        assert node == 0


@pytest.mark.parametrize(("mode", "tests"), [("paths", 8), ("errors", 0), ("coverage", None)])
def test_which_paths_get_a_test(mode: str, tests: int | None) -> None:
    assert main(["run", "safe.c", "--quiet", "--tests", mode, *PLAIN]) == 0
    written = len(list(Path("unfork-last/tests").glob("*.json")))
    assert written == summary()["tests"]
    assert written == tests if tests is not None else 1 <= written <= 4


@pytest.mark.parametrize(
    "search", ["dfs", "bfs", "random-path", "random-state", "coverage", "cover", "target:safe.c:7", "dfs,bfs"]
)
def test_the_same_seed_gives_the_same_run_byte_for_byte(search: str) -> None:
    for out in ("one", "two"):
        assert main(["run", "safe.c", "--quiet", "--search", search, "--seed", "5", "--out", out]) == 0
    for name in sorted(path.relative_to("one") for path in Path("one").rglob("*.json")):
        first, second = json.loads(Path("one", name).read_text()), json.loads(Path("two", name).read_text())
        for data in (first, second):
            for noise in ("seconds", "peak_memory_mb", "options"):
                data.pop(noise, None)
            data.get("solver", {}).pop("seconds", None)
        assert first == second, name
    dumps = [
        list(sqlite3.connect(f"{out}/run.db").execute("SELECT * FROM states ORDER BY rowid")) for out in ("one", "two")
    ]
    assert dumps[0] == dumps[1]


def test_json_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "safe.c", "--json", "-"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verdict"] == "safe"
    assert "verdict: safe" in captured.err
    assert main(["run", "safe.c", "--json", "here.json", "--quiet"]) == 0
    assert json.loads(Path("here.json").read_text())["tool"] == "unfork"


def test_what_the_compiler_warns_of_is_kept() -> None:
    Path("warned.c").write_text("int f(int x) { if (x) return 1; }\nint main(void) { return f(3) - 1; }\n")
    assert main(["run", "warned.c", "--quiet", "--out", "run"]) == 0
    assert "compiler: warned.c:1:33: warning: " in Path("run/warnings.txt").read_text()


def test_program_arguments() -> None:
    Path("args.c").write_text("int main(int argc, char **argv) { return argc == 3 && argv[2][1] == 'n' ? 5 : 6; }\n")
    assert main(["run", "args.c", "--quiet", "--tests", "paths", "--", "a", "-n"]) == 0
    test = json.loads(Path("unfork-last/tests/000001.json").read_text())
    assert test["args"] == ["a", "-n"]
    assert test["expect"] == {"end": "exit", "status": 5}
    assert main(["replay", "unfork-last"]) == 0


# --- limits ---


@pytest.mark.parametrize(
    ("option", "value"),
    [("--max-time", "0.3"), ("--max-instructions", "30000"), ("--max-forks", "20"), ("--max-tests", "1")],
)
def test_limits_stop_the_run_and_are_unknown(option: str, value: str) -> None:
    program = "endless.c" if option in ("--max-time", "--max-instructions") else "many.c"
    assert main(["run", program, "--quiet", option, value]) == 3
    data = summary()
    assert data["stopped_by"] == option[2:]
    assert option != "--max-tests" or data["tests"] == 1
    assert data["verdict"] == "unknown"
    assert data["exhausted"] is False
    assert data["states"]["left"] > 0


def test_a_depth_bound_is_bounded() -> None:
    assert main(["run", "many.c", "--quiet", "--max-depth", "3", *PLAIN]) == 0
    data = summary()
    assert (data["verdict"], data["bounds_hit"], data["stopped_by"]) == ("bounded", ["max-depth"], None)
    assert data["paths"]["bounded"] == 16


def test_an_error_wins_over_a_limit() -> None:
    assert main(["run", "buggy.c", "--quiet", "--max-errors", "1", "--search", "bfs"]) == 1
    assert summary()["verdict"] == "unsafe"


def test_memory_at_its_limit_ends_the_run() -> None:
    assert main(["run", "many.c", "--quiet", "--max-memory", "50"]) == 3
    assert summary()["stopped_by"] == "max-memory"


# --- Ctrl-C and a full disk ---


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_keeps_the_results(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = subprocess.Popen(
        unfork("run", "endless.c", "--no-progress", "--out", "out", "--search", "bfs"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    tests = Path("out/tests")
    wait_until(lambda: tests.is_dir() and any(path.suffix == ".json" for path in tests.iterdir()), run)
    for _ in range(times):
        run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert b"Traceback" not in err
    assert b"stopped by interrupt" in out
    data = summary("out")
    assert (data["verdict"], data["stopped_by"]) == ("unknown", "interrupt")
    assert main(["show", "out"]) == 0
    monkeypatch.setattr(engine, "LONGEST", 100_000)  # the path that is left never ends
    assert main(["replay", "out"]) in (0, 1)


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def test_a_full_disk_is_one_clear_line() -> None:
    done = subprocess.run(
        unfork("run", "many.c", "--no-progress", "--out", "out", "--tests", "paths"),
        preexec_fn=_small_files,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python would leave modules cut off in its caches
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("unfork: cannot write ")
    assert "verdict: unknown" in done.stdout
    assert not list(Path("out").rglob("*.part"))
    assert summary("out")["stopped_by"] == "disk-full"


# --- bad input ---


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a refusal says; nothing else is said or written."""
    before = sorted(Path().rglob("*"))
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert sorted(Path().rglob("*")) == before
    return captured.err


def one_line(text: str) -> str:
    assert text.startswith("unfork: ")
    assert text.count("\n") == 1
    return text


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing.c: no such file" in one_line(refused(capsys, "run", "nothing.c"))
    assert "no input file" in one_line(refused(capsys, "run"))
    assert "too long" in one_line(refused(capsys, "run", "x" * 5000 + ".c"))
    assert "too long" in one_line(refused(capsys, "run", "safe.c", "--json", "x" * 300))


def test_c_that_does_not_compile(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.c").write_text("int main(void) { return undeclared; }\n")
    assert "undeclared" in refused(capsys, "run", "bad.c")


@pytest.mark.parametrize("data", [b"", b"BC\xc0\xde", b"BC\xc0\xde" + bytes(100), b"hello", b"\xff" * 64])
def test_broken_bitcode(capsys: pytest.CaptureFixture[str], data: bytes) -> None:
    Path("bad.bc").write_bytes(data)
    assert "bad.bc" in one_line(refused(capsys, "run", "bad.bc"))


def test_broken_ir(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.ll").write_text("define i32 @main( {")
    assert "bad.ll" in one_line(refused(capsys, "run", "bad.ll"))
    assert "unknown kind of file" in one_line(refused(capsys, "run", "bad.xyz"))


def test_no_entry(capsys: pytest.CaptureFixture[str]) -> None:
    Path("none.c").write_text("int f(int x) { return x; }\n")
    assert "'main'" in one_line(refused(capsys, "run", "none.c"))
    Path("any.c").write_text("int f(double _Complex x) { return __real__ x > 0; }\n")
    assert "not built" in one_line(refused(capsys, "run", "any.c", "--function", "f"))


def test_a_target_without_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no code" in one_line(refused(capsys, "run", "safe.c", "--search", "target:safe.c:1"))


@pytest.mark.parametrize(
    "words",
    [
        ("--out", "safe.c/run"),
        ("--out", "safe.c/a/run"),
        ("--out", "safe.c"),
        ("--out", ""),
        ("--json", "no/such/parent.json"),
        ("--json", "."),
        ("--cflags", '"'),
        ("--cc", "no-such-compiler"),
        ("--max-time", "nan"),
        ("--join", "abstract:no-such-domain"),
        ("--dump-smt", "safe.c"),
    ],
)
def test_options_that_cannot_be_used(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert words[0] in one_line(refused(capsys, "run", "safe.c", *words))


def test_the_parents_of_a_run_directory_are_made() -> None:
    assert main(["run", "safe.c", "--quiet", "--out", "a/b/c"]) == 0
    assert summary("a/b/c")["verdict"] == "safe"


def test_a_program_on_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "limit.h").write_text("#define LIMIT 10\n")
    text = '#include "limit.h"\n' + BUGGY.replace("10", "LIMIT")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["run", "-", "--quiet", "--out", "run"]) == 1
    data = summary("run")
    assert data["program"] == ["stdin.c"]
    assert (data["errors"][0]["file"], data["errors"][0]["line"]) == ("stdin.c", 10)
    assert Path("run/stdin.c").read_text().endswith(text)
    assert main(["replay", "run"]) == 0


@pytest.mark.parametrize(("text", "words"), [("", ["-"]), (SAFE, ["-", "-"]), ("nonsense\n", ["-"])])
def test_standard_input_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, words: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    said = refused(capsys, "run", *words)
    assert "standard input" in said or said.startswith("stdin.c:1:")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    Path("locked").mkdir(mode=0o500)
    one_line(refused(capsys, "run", "safe.c", "--out", "locked/run"))


@pytest.mark.parametrize(
    "words",
    [
        ("replay",),
        ("replay", "nothing"),
        ("replay", "safe.c"),
        ("replay", "."),
        ("replay", "x", "--nativ"),
        ("show",),
        ("show", "nothing"),
        ("show", "."),
        ("show", "a", "b", "c"),
    ],
)
def test_replay_and_show_of_what_is_no_run(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    one_line(refused(capsys, *words))


def test_show_of_what_a_run_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "safe.c", "--quiet"]) == 0
    for what in ("tests/000999", "errors/000001", "12345", "9" * 30, "nonsense"):
        one_line(refused(capsys, "show", "unfork-last", what))


def test_a_damaged_run_directory(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "safe.c", "--quiet", "--out", "run"]) == 0
    Path("run/run.db").write_bytes(b"no database")
    assert main(["show", "run"]) == 0
    assert "what is in run.db cannot be told" in capsys.readouterr().out
    for text in ("{", "[]", '{"tool": "unfork"}'):
        Path("run/summary.json").write_text(text)
        one_line(refused(capsys, "show", "run"))
        one_line(refused(capsys, "replay", "run"))


def test_names_of_the_program_cannot_write_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.c").write_text(
        '#include <unfork.h>\nint main(void) { char c; unfork_symbolic(&c, 1, "\\033[31m[red]\\n"); '
        "return c == 3 ? 1 : 0; }\n"
    )
    assert main(["run", "odd.c", "--tests", "paths", "--formats", "json,xml,c,ktest"]) == 0
    assert main(["show", "unfork-last", "tests/000001"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31m[red]\\x0a" in out
