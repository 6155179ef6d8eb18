"""What was compiled is used again only if the compiler would read the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from unfork.program.llvm import compiled, compiler
from unfork.program.llvm.compiler import CompileOptions, build

SOURCE = '#include "v.h"\n#if __has_include("w.h")\nint w;\n#endif\nint V;\n'


@pytest.fixture
def count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grows with each run of the compiler."""
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "SHORTEST_KEPT", 0)
    runs: list[None] = []
    run = compiler.run

    def counted(*words: object, **named: object) -> object:
        runs.append(None)
        return run(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(compiler, "run", counted)
    return runs


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda folder: write(folder / "a.c", f"{SOURCE}int more;"), "more"),
        (lambda folder: write(folder / "inc" / "v.h", "#define V other"), "other"),
        (lambda folder: write(folder / "v.h", "#define V in_front"), "in_front"),
        (lambda folder: write(folder / "inc" / "w.h", ""), "w"),
    ],
)
def test_what_changes_the_program_has_it_compiled_again(
    tmp_path: Path, count: list[None], change: Callable[[Path], Path], name: str
) -> None:
    file = write(tmp_path / "a.c", SOURCE)
    write(tmp_path / "inc" / "v.h", "#define V first")
    options = CompileOptions(include=(str(tmp_path / "inc"),))
    assert list(build([file], options).globals) == list(build([file], options).globals) == ["first"]
    assert len(count) == 1
    change(tmp_path)
    assert name in build([file], options).globals
    assert len(count) == 2


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("int f = sizeof __TIME__;", ""),
        ("#define W <w.h>\n#if __has_include(W)\n#endif\nint f;", ""),
        ("int f;", "-include v.h"),
    ],
)
def test_what_depends_on_more_than_files_is_not_kept(
    tmp_path: Path, count: list[None], text: str, flags: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "v.h", "")
    file = write(tmp_path / "a.c", text)
    for _ in range(2):
        build([file], CompileOptions(flags=tuple(flags.split())))
    assert len(count) == 2


def test_warnings_are_kept(tmp_path: Path, count: list[None]) -> None:
    file = write(tmp_path / "a.c", "#warning beware\nint f;")
    first, second = (build([file], CompileOptions()).warnings for _ in range(2))
    assert "beware" in first
    assert first == second
    assert len(count) == 1
