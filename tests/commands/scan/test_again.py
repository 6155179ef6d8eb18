"""Scans that take over what earlier ones have found out: kept results, resume, and --changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.commands.projects.test_scan import names, scanned, written
from unfork.cli import main
from unfork.commands.assemble.building import build_for_run, given
from unfork.commands.projects import kept_results
from unfork.commands.scan import scan_job
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.function_scan import QUIET, Pace, alarm, not_explored
from unfork.commands.scan.results import Explored
from unfork.options.options import Options
from unfork.patience import Patience
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program

TWO = "static int low(int n) { return n & 3; }\nint high(int n) { return low(n) + 1; }\n"
ASKS = "int first(const int *numbers) { return numbers[0]; }\n"
DEADLY = """
import os, signal
from pathlib import Path
from unfork.commands.scan import scan
from unfork.commands.scan.scan_jobs import ScanRequest
from unfork.options.options import Options

def say(line):
    os.kill(os.getpid(), signal.SIGKILL)

options = Options(cores=1, native_check="never", out="out", given=frozenset(("cores", "native_check", "out")))
scan.scan(ScanRequest((".",), ("*",), 60.0), options, say)
"""


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


def committed(folder: Path, **texts: str) -> Path:
    """A git repository with a C file for each text."""
    git(folder, "init", "--quiet")
    written(folder, **texts)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "one")
    return folder


def findings(data: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    return [(each["kind"], each["line"], each["certainty"]) for each in data["findings"]]


def test_what_has_not_changed_is_not_explored_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, a=TWO, b=ASKS)
    _, first = scanned(tmp_path, tmp_path / "1")
    assert first["kept"] == 0
    _, second = scanned(tmp_path, tmp_path / "2")
    assert second["kept"] == 3
    assert "3 as kept from before" in capsys.readouterr().out
    assert findings(second) == findings(first) == [("null-dereference", 1, "conditional")]
    [found] = second["findings"]
    assert Path(found["reproducer"]).parent.parent.parent == Path("functions")
    assert (tmp_path / "2" / found["reproducer"]).is_file()
    written(tmp_path, a=TWO.replace("n & 3", "n & 7"))
    _, third = scanned(tmp_path, tmp_path / "3")
    assert third["kept"] == 1  # low has changed, and with it high
    _, fourth = scanned(tmp_path, tmp_path / "4", "--no-cache")
    assert fourth["kept"] == 0


@pytest.mark.parametrize(("text", "is_kept"), [(ASKS, False), (TWO, True)])
def test_more_seconds_may_bring_more_but_not_of_what_is_complete(tmp_path: Path, text: str, is_kept: bool) -> None:
    path = written(tmp_path, a=text) / "a.c"
    scanned(path, tmp_path / "1")
    _, less = scanned(path, tmp_path / "2", "--per-function", "50")
    _, more = scanned(path, tmp_path / "3", "--per-function", "70")
    count = len(names(less))
    assert (less["kept"], more["kept"]) == (count, count if is_kept else 0)


def test_other_options_ask_for_other_results(tmp_path: Path) -> None:
    path = written(tmp_path, a=ASKS) / "a.c"
    scanned(path, tmp_path / "1")
    assert scanned(path, tmp_path / "2", "--max-size", "8")[1]["kept"] == 0
    assert scanned(path, tmp_path / "3", "--max-size", "8", "--cores", "2")[1]["kept"] == 1


def test_a_scan_that_was_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "compilation_cache", compilation_cache)  # where the other process looks
    written(tmp_path, a=TWO, b=ASKS)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", DEADLY], cwd=tmp_path, env=environment, check=False)
    assert killed.returncode < 0
    monkeypatch.chdir(tmp_path)
    assert len(names(json.loads(Path("out/scan.json").read_text()))) == 1
    assert main(["resume", "out", "--no-progress"]) == 0
    data = json.loads(Path("out/scan.json").read_text())
    assert sorted(names(data)) == ["first", "high", "low"]
    assert data["kept"] >= 1
    assert findings(data) == [("null-dereference", 1, "conditional")]


def test_a_scan_that_is_done_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scanned(written(tmp_path, a=TWO) / "a.c", tmp_path / "out")
    capsys.readouterr()
    assert main(["resume", str(tmp_path / "out")]) == 2
    assert "nothing to go on with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("n & LIMIT", "n & LIMIT & 1", ["high", "low"]),
        ("#define LIMIT 3", "#define LIMIT 4", ["high", "low"]),
        ("low(n) + 1", "low(n) + 2", ["high"]),
        ("int b;", "char b;", ["second"]),
        ("#define", "/* one more line */\n#define", []),
        ("int b; };", 'int b; };\nstatic const char *text = "new";', []),
    ],
)
def test_only_what_has_changed_is_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, expected: list[str]
) -> None:
    header = "#define LIMIT 3\nstruct pair { int a; int b; };\n"
    text = '#include "a.h"\nstatic int low(int n) { return n & LIMIT; }\nint high(int n) { return low(n) + 1; }\n'
    text += "int second(const struct pair *p) { return p ? p->b : 0; }\n"
    (tmp_path / "a.h").write_text(header)
    committed(tmp_path, a=text)
    (tmp_path / "a.h").write_text(header.replace(old, new))
    (tmp_path / "a.c").write_text(text.replace(old, new))
    _, data = scanned(tmp_path, tmp_path / "out", "--changed", "HEAD")
    assert sorted(names(data)) == expected
    monkeypatch.chdir(tmp_path)
    _, data = scanned(Path("a.c"), tmp_path / "here", "--changed", "HEAD")
    assert sorted(names(data)) == expected


def test_files_that_git_does_not_know_are_as_they_are(tmp_path: Path) -> None:
    committed(tmp_path, a='#include "made.h"\nint f(int n) { return n & MADE; }\n')
    (tmp_path / "made.h").write_text("#define MADE 3\n")
    written(tmp_path, b="int g(int n) { return n & 1; }\n")
    _, data = scanned(tmp_path, tmp_path / "out", "--changed", "HEAD")
    assert names(data) == []
    git(tmp_path, "rm", "--quiet", "a.c")
    git(tmp_path, "commit", "--quiet", "--message", "two")
    written(tmp_path, a='#include "made.h"\nint f(int n) { return n & MADE; }\n')
    git(tmp_path, "add", "a.c", "b.c")
    _, data = scanned(tmp_path, tmp_path / "again", "--changed", "HEAD")
    assert names(data) == ["f", "g"]


def test_what_is_no_revision_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, a=TWO) / "a.c"
    assert main(["scan", str(path), "--changed", "HEAD"]) == 2
    assert capsys.readouterr().err == f"unfork: --changed HEAD: {tmp_path} is in no git repository\n"
    committed(tmp_path)
    for revision in ("none", "--help", "HEAD:a.c"):
        assert main(["scan", str(path), f"--changed={revision}"]) == 2
        assert capsys.readouterr().err == f"unfork: --changed {revision}: git knows no such revision\n"


def test_what_was_found_stays_when_a_process_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(
        program: Program, files: Any, options: Any, name: str, folder: Any, tell: Any, aim: Any, **more: Any
    ) -> None:
        found = not_explored(program, name, "", 0.0)
        tell(Explored(found.function, found.file, 1, "part", "", (), ("assumed",), 1, 2, 3.0))
        os._exit(9)

    monkeypatch.setattr(scan_job, "scan_function", end)
    _, data = scanned(written(tmp_path, a=ASKS) / "a.c", tmp_path / "out")
    [function] = data["functions"]
    assert function["assumptions"] == ["assumed"]
    assert function["reason"] == "its process ended, or took too long"


def digest(folder: Path, text: str, name: str, *, lines: bool = False) -> str:
    path = written(folder, a=text) / "a.c"
    options = Options()
    return Digests(build_for_run(options, given([str(path)])), lines=lines).of(name)


COUNTED = """struct list { int *items; unsigned count; };
int f(struct list *l, unsigned i) { return l->items[i]; }
int g(struct list *l, unsigned i) { return i < l->count ? l->items[%s] : 0; }
"""
STRUCTS = "struct one { long n; };\nstruct two { int n; };\nstruct both { %s };\n"


@pytest.mark.parametrize(
    ("one", "other", "is_equal"),
    [
        ("int f(int n) { return n + 1; }", "int f(int n) { return n + 2; }", False),
        ("int f(int n) { return n + 1; }", 'char *s = "s";\nint f(int n) { return n + 1; }', True),
        ("int k = 1; int f(void) { return k; }", "int k = 2; int f(void) { return k; }", False),
        ("int k = 1; int j = 1; int f(void) { return k; }", "int k = 1; int j = 2; int f(void) { return k; }", True),
        (
            STRUCTS % "struct one *a; struct two *b;" + "int f(struct both *p) { return p != 0; }",
            STRUCTS % "struct two *a; struct one *b;" + "int f(struct both *p) { return p != 0; }",
            False,
        ),
        (
            "int g(int n) { return n; } int f(int (*h)(int)) { return h(1); }",
            "int g(int n) { return -n; } int f(int (*h)(int)) { return h(1); }",
            False,
        ),
        (COUNTED % "i", COUNTED % "0", False),  # what others show that a member counts
    ],
)
def test_digests_depend_on_what_a_function_may_see(tmp_path: Path, one: str, other: str, is_equal: bool) -> None:
    found = partial(digest, tmp_path, name="f")
    assert (found(one) == found(other)) == is_equal
    assert found(one, lines=True) == found(one, lines=True)
    assert found(one, lines=True) != found(f"\n{one}", lines=True)


def test_the_seconds_of_a_function_are_those_of_its_process(tmp_path: Path) -> None:
    path = (
        written(tmp_path, a="int f(unsigned n) { while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2; return 0; }\n") / "a.c"
    )
    _, data = scanned(path, tmp_path / "out", "--per-function", "0.4")
    [function] = data["functions"]
    assert (function["explored"], function["reason"]) == ("part", "stopped by max-time")


def test_an_alarm_rings_when_processors_were_used() -> None:
    rung: list[int] = []
    patience = Patience()
    with alarm(0.02, lambda: rung.append(1)):
        while not rung:
            pass
    assert patience.used() > 0


class Clock:
    """A count of processor seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("news", "used", "reason"),
    [
        (0.1, 1.9, None),
        (0.1, 2.4, QUIET),
        (5.0, 40.0, None),  # the last news took long to come
        (5.0, 44.0, None),
        (1.0, 11.0, QUIET),
        (44.0, 46.0, "max-time"),
    ],
)
def test_a_function_is_left_when_nothing_new_comes(news: float, used: float, reason: str | None) -> None:
    clock, known = Clock(), [1, 1]
    pace = Pace(Patience(used=clock), 45.0, lambda: (known[0], known[1]))
    clock.now, known[1] = news, 2
    assert pace.look() is None
    clock.now = used
    assert pace.look() == reason


def test_more_time_makes_it_more_patient() -> None:
    clock = Clock()
    pace = Pace(Patience(used=clock), 450.0, lambda: (0, 0))
    clock.now = 20.0
    assert pace.look() is None
    clock.now = 23.0
    assert pace.look() == QUIET
