"""Answers and builds of installed compilers in the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.report.replay import kept_builds

SCRIPT = '#!/bin/sh\necho "$@" >> {asked}\n{answer}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def compiler(folder: Path, answer: str) -> str:
    """A program that writes down what it is asked."""
    path = folder / "compiler"
    path.write_text(SCRIPT.format(asked=folder / "asked", answer=answer))
    path.chmod(0o755)
    return str(path)


def asked(folder: Path) -> int:
    """How often the compiler ran."""
    file = folder / "asked"
    return len(file.read_text().splitlines()) if file.exists() else 0


def test_a_compiler_is_asked_once_what_it_can(folder: Path) -> None:
    path = compiler(folder, "exit 0")
    assert all(kept_builds.compiles((path, "-fsome"), "int x;", folder) for _ in range(3))
    assert asked(folder) == 1
    assert kept_builds.compiles((path, "-fother"), "int x;", folder) and asked(folder) == 2
    compiler(folder, "exit 0 # another compiler")
    assert kept_builds.compiles((path, "-fsome"), "int x;", folder) and asked(folder) == 3


def test_what_a_compiler_lacks_may_be_installed(folder: Path) -> None:
    path = compiler(folder, "exit 1")
    assert not kept_builds.compiles((path,), "int x;", folder)
    assert not kept_builds.compiles((path,), "int x;", folder) and asked(folder) == 2


def test_a_program_is_linked_again_when_an_object_changes(folder: Path) -> None:
    path, target, part = compiler(folder, "exit 0"), folder / "program", folder / "part.o"
    calls: list[int] = []

    def call(words: object) -> None:
        calls.append(1)
        target.write_bytes(b"linked %d" % len(calls))

    for contents, linked in ((b"1", b"linked 1"), (b"2", b"linked 2"), (b"1", b"linked 1")):
        part.write_bytes(contents)
        kept_builds.kept_program([path, "-g"], [part], target, call)
        assert target.read_bytes() == linked
    assert len(calls) == 2
