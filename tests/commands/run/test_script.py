"""The Python API: what a script may give, what it is told, and that threads are kept apart."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import unfork
from unfork.commands.afterwards.replay import Session
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.commands.run import run as runs
from unfork.errors import CompileError, InputError, OutOfTime, UnforkError, Unsupported
from unfork.options.option_rules import check
from unfork.options.options import Options
from unfork.report.record.directory import WriteFailed

PROGRAM = """#include <unfork.h>
int main(void) {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_check(x != 7);
  return 0;
}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.c").write_text(PROGRAM)
    return tmp_path


@pytest.mark.parametrize("files", ["t.c", Path("t.c"), ["t.c"], (Path("t.c"),), iter(["t.c"])])
def test_one_file_or_several(files: Any) -> None:
    result = unfork.run(files, Options(quiet=True, search="dfs", out=Path("run")))  # type: ignore[arg-type]
    assert result.verdict == "unsafe"
    assert result.summary["program"] == ["t.c"]
    assert len(result.errors) == 1


def test_what_is_printed_is_short() -> None:
    result = unfork.run("t.c", Options(quiet=True, out="run"))
    assert str(result) == "<Result unsafe: 1 error, 0 alarms, 1 test in 'run'>"
    assert str(result.errors) == "(Finding('assert' at t.c:5, 'tests/000001.json', replayed=True),)"
    assert repr(result.program) == "<Program t.c with main>"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((7,), "files: must be a str"),
        ((b"t.c",), "files: must be a str"),
        (([b"t.c"],), "files: must be a str or a path, not bytes"),
        ((None,), "files: must be a str"),
        (("t.c", {"quiet": True}), "options: must be Options, not dict"),
        (("t.c", Options(quiet=True), "abc"), "arguments: must be a list of str, not str 'abc'"),
        (("t.c", Options(quiet=True), [1]), "arguments: must be a list of str, not of int"),
        (("t.c", Options(quiet=True), [], [print]), "observers: must be a list of objects with a method tell"),
        (("t.c", Options(quiet=True), [], 7), "observers: must be a list of objects with a method tell"),
    ],
)
def test_wrong_types_are_refused(arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(TypeError) as refused:
        unfork.run(*arguments)
    assert str(refused.value).startswith(reason)
    assert not list(Path().glob("unfork-*"))


def test_no_file_is_refused() -> None:
    with pytest.raises(InputError, match="no input file"):
        unfork.run([])


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ({"search": "dfs"}, {"search": ("dfs",)}),
        ({"search": "dfs, bfs"}, {"search": ("dfs", "bfs")}),
        ({"search": ["dfs", "bfs"]}, {"search": ("dfs", "bfs")}),
        ({"check": {"memory", "div"}}, {"check": ("div", "memory")}),
        ({"include": "headers"}, {"include": ("headers",)}),
        ({"include": [Path("a"), "b"]}, {"include": ("a", "b")}),
        ({"define": "X=1,2"}, {"define": ("X=1,2",)}),
        ({"max_time": "2min"}, {"max_time": 120.0}),
        ({"max_memory": "4GB"}, {"max_memory": 4096}),
        ({"seed": "7"}, {"seed": 7}),
        ({"sym_arg": [3, (4,)]}, {"sym_arg": ((3,), (4,))}),
        ({"sym_args": [[0, 2, 3]]}, {"sym_args": ((0, 2, 3),)}),
        ({"sym_files": [1, 8]}, {"sym_files": (1, 8)}),
        ({"qce": [1, 0.5, 1, 1]}, {"qce": (1, 0.5, 1, 1)}),
        ({"out": Path("a/b")}, {"out": "a/b"}),
        ({"max_time": None}, {}),
    ],
)
def test_options_take_what_a_script_would_give(given: dict[str, Any], same: dict[str, Any]) -> None:
    assert Options(**given) == Options(**same)
    check(Options(**given))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"search": 7}, "Options: search: must be a tuple or a list, not int 7"),
        ({"search": [7]}, "Options: search: must be a str, not int 7"),
        ({"quiet": "yes"}, "Options: quiet: must be True or False, not str 'yes'"),
        ({"seed": 1.5}, "Options: seed: must be an int, not float 1.5"),
        ({"seed": True}, "Options: seed: must be an int, not bool True"),
        ({"seed": None}, "Options: seed: must be an int, not None"),
        ({"max_time": [3]}, "Options: max_time: must be a number, not list [3]"),
        ({"function": b"main"}, "Options: function: must be a str, not bytes b'main'"),
        ({"merge": None}, "Options: merge: must be a str, not None"),
        ({"sym_args": (0, 2, 3)}, "Options: sym_args: must be a tuple or a list, not int 0"),
        ({"sym_files": (1,)}, "Options: sym_files: must be COUNT SIZE, not tuple (1,)"),
        ({"qce": "1"}, "Options: qce: must be a tuple or a list, not str '1'"),
    ],
)
def test_options_of_a_wrong_type_are_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(TypeError) as refused:
        Options(**given)
    assert str(refused.value) == reason


def test_words_that_make_no_sense_are_refused_as_on_the_command_line() -> None:
    with pytest.raises(InputError, match="--max-time: 'soon' is not a number"):
        Options(max_time="soon")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"--search: 'dfss' is none of .*did you mean dfs"):
        unfork.run("t.c", Options(search="dfss"))  # type: ignore[arg-type]


def test_errors_have_one_root() -> None:
    for kind in (InputError, OutOfTime, CompileError, WriteFailed, Unsupported):
        assert issubclass(kind, UnforkError)
    assert unfork.UnforkError is UnforkError


def test_threads_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that runs holds the lock; one that comes meanwhile finds everything as if it were alone."""
    inside, go_on = threading.Event(), threading.Event()
    right, together, most = runs.explore_program, 0, 0

    def watched(*arguments: Any) -> Any:
        nonlocal together, most
        together += 1
        most = max(most, together)
        inside.set()
        assert go_on.wait(60)
        result = right(*arguments)
        together -= 1
        return result

    monkeypatch.setattr(runs, "explore_program", watched)
    results: dict[str, Any] = {}

    def work(name: str) -> None:
        results[name] = unfork.run("t.c", Options(quiet=True, out=name))

    threads = [threading.Thread(target=work, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    assert inside.wait(60)
    assert not ONE_AT_A_TIME.acquire(blocking=False)
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert most == 1
    assert {name: result.verdict for name, result in results.items()} == dict.fromkeys(results, "unsafe")
    assert len(results) == 3


def test_a_replay_waits_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[bool] = []

    def elsewhere() -> None:
        held.append(not ONE_AT_A_TIME.acquire(blocking=False))

    def looked(session: Session, *arguments: Any) -> None:
        other = threading.Thread(target=elsewhere)
        other.start()
        other.join(60)

    monkeypatch.setattr(Session, "_engine", looked)
    Session(Path(), None).engine([])
    assert held == [True]
