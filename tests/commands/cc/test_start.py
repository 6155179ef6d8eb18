"""The way to the compiler is short, and safe when several go it at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.cc.conftest import SOURCE, Project
from tests.support.power import IS_FULL
from unfork.commands.cc import start
from unfork.program.llvm import compilation_cache
from unfork.world.libc import make_kit
from unfork.world.libc.kit import cache_folder, kit

HEAVY = {
    "llvmlite",
    "bitwuzla",
    "z3",
    "rich",
    "subprocess",
    "pathlib",
    "dataclasses",
    "unfork.cli",
    "unfork.options.options",
}


def test_the_engine_is_not_loaded() -> None:
    code = "import sys; sys.argv = ['unfork', 'cc', '--version']\nimport unfork.__main__\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True
    )
    assert "unfork.commands.cc.start" in done.stdout.split()
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize(
    "variables",
    [{}, {"XDG_CACHE_HOME": "/x"}, {"XDG_CACHE_HOME": "x"}, {"UNFORK_CACHE": "/y", "XDG_CACHE_HOME": "/x"}],
)
def test_the_cache_is_that_of_the_engine(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "UNFORK_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == str(compilation_cache.folder())


@pytest.mark.skipif(not IS_FULL, reason="makes a kit anew, which takes half a minute: make test-all")
def test_two_that_start_at_once_make_one_kit(project: Project, tmp_path: Path) -> None:
    project.write(main__c='#include <stdio.h>\nint main(void) { return puts("hi") < 0; }\n')
    one = "unfork cc main.c -o one & a=$!; unfork cc main.c -o two & b=$!; wait $a && wait $b && ./one && ./two"
    caches = {"UNFORK_CACHE": str(tmp_path / "cache"), "ZIG_GLOBAL_CACHE_DIR": str(make_kit.zig_cache())}
    assert project.run(one, **caches).stdout == "hi\nhi\n"
    kept = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert len(kept) == 2
    assert kept[0].startswith("toolchain-") and kept[1] == "toolchain.lock"


def test_one_word_for_each_library_of_a_system(project: Project) -> None:
    project.write(main__c="int main(void) { return 0; }\n")
    project.run("unfork cc main.c -lc -lm -lpthread -lrt -ldl -lutil -lcrypt -lresolv -lgcc -o program && ./program")


def test_a_cache_that_cannot_be_is_said(project: Project) -> None:
    (project.folder / "file").touch()
    done = project.run("unfork cc --version", status=2, UNFORK_CACHE=f"{project.folder}/file/x")
    assert "set UNFORK_CACHE" in done.stderr
    assert "Traceback" not in done.stderr


def test_folders_of_the_system_come_last_however_they_are_asked_for() -> None:
    """Else headers of the system's C library would be read in place of musl's."""
    given = ["-I", "/usr/include", "-isystem/usr/local/include", "-I/usr/include/other", "-c", "a.c", "-o", "a.o"]
    words = start.compiler(kit(), given)
    assert [word for word in words if word.startswith("-I")] == ["-I/usr/include/other"]
    assert [words[at + 1] for at, word in enumerate(words) if word == "-idirafter"] == [
        *("/usr/include", "/usr/local/include"),
    ]
    assert words.index("-idirafter") > words.index("a.o")


def test_an_interrupt_while_the_kit_is_made_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "spawnv", interrupted)
    assert start.main(["cc", "--version"]) == 130
