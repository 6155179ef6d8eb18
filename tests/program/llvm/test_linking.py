"""Loading: once, apart, within the time, and from the cache as from LLVM."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from unfork.errors import InputError, OutOfTime
from unfork.program.llvm import apart, binding, linking
from unfork.program.llvm.compiler import CompileOptions, build

FORGOTTEN = apart.Keeper(lambda _: False, lambda _: pytest.fail("not worth it"))
TEXT = "int g = 3; int f(int x) { int y = x; return y + g; }"


def file_in(folder: Path) -> Path:
    file = folder / "a.c"
    file.write_text(TEXT)
    return file


def test_a_cached_module_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(linking, "SMALLEST_KEPT", 0)
    file = tmp_path / "b.bc"
    file.write_bytes(build([file_in(tmp_path)], CompileOptions()).bitcode)
    first = build([file], CompileOptions())
    while len(list((tmp_path / "cache").glob("module-*.entry"))) < 2:
        pass  # another process writes it
    monkeypatch.setattr(apart, "run", lambda *_: pytest.fail("not from the cache"))
    second = build([file], CompileOptions())
    assert repr(second.function("f")) == repr(first.function("f"))
    assert second.bitcode == first.bitcode


def test_loading_ends_with_the_time(tmp_path: Path) -> None:
    with pytest.raises(OutOfTime, match="max-time"):
        build([file_in(tmp_path)], CompileOptions(seconds=0.0001))


def test_a_crash_is_told_from_an_answer() -> None:
    def crash() -> apart.Parts:
        os.kill(os.getpid(), signal.SIGKILL)  # as LLVM ends on broken bitcode

    def refuse() -> apart.Parts:
        raise InputError("no")

    with pytest.raises(apart.Crashed):
        apart.run(crash, FORGOTTEN, 20)
    with pytest.raises(InputError, match=r"^no$"):
        apart.run(refuse, FORGOTTEN, 20)
    assert apart.run(lambda: (b"a" * 100_000, b""), FORGOTTEN, 20) == (b"a" * 100_000, b"")


def test_work_that_does_not_end_is_ended() -> None:
    def hang() -> apart.Parts:
        while True:
            pass

    with pytest.raises(apart.TooLong):
        apart.run(hang, FORGOTTEN, 0.2)


class Unbuilt:
    """Libraries of which one has to be built first, which takes an hour."""

    def __init__(self, clock: list[float]) -> None:
        self.clock = clock
        self.lacking = ["one"]

    def complete(self, module: binding.Module) -> frozenset[str]:
        if self.lacking:
            raise linking.Lacking(self.lacking)
        return frozenset()

    def build(self, names: Sequence[str]) -> None:
        assert list(names) == self.lacking
        self.clock[0] += 3600
        self.lacking = []


def test_what_is_built_first_takes_none_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, now = [0.0], time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + clock[0])
    libraries = Unbuilt(clock)
    assert "f" in build([file_in(tmp_path)], CompileOptions(seconds=600), (), libraries).defined
    assert (clock, libraries.lacking) == ([3600], [])
