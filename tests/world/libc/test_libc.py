"""The C library: which members a program needs, and a cache that is whole or not there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unfork.cli import main
from unfork.commands.assemble.building import shown_progress, silent_progress
from unfork.commands.run.run import run
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.llvm import subprocesses
from unfork.world.kernel.known_functions import library
from unfork.world.libc import kept_parts, libc, library_build, make_kit, musl_build
from unfork.world.libc.kit import kit
from unfork.world.libc.libc import Archive
from unfork.world.libc.library_build import INDEX, MEMBERS, Recipe, Symbols, symbols_of

TEXT = """
@data = global i32 0
@outside = external global i32
@maybe = extern_weak global i32
@local = internal global i32 0
@other = weak hidden alias void (), ptr @strong
declare void @needed(i32)
declare extern_weak void @optional()
declare void @llvm.trap()
define void @strong() {
  ret void
}
define weak void @replaceable() {
  ret void
}
define internal void @hidden() {
  ret void
}
"""

THREADS = ("pthread_", "__pthread_", "__clone", "__cp_", "__syscall_cp_asm")
JUMPS = ("setjmp", "longjmp")
"""Calls that are instructions of their own."""


def members(**found: tuple[str, str, str]) -> Archive:
    """Members by name, each with words that it defines, defines weakly and needs."""
    return Archive({name: Symbols(*(frozenset(words.split()) for words in three)) for name, three in found.items()})


def nothing_given(name: str) -> bool:
    return False


def test_symbols_are_what_a_linker_would_see() -> None:
    symbols = symbols_of(TEXT)
    assert symbols.strong == {"data", "strong"}
    assert symbols.weak == {"other", "replaceable"}
    assert symbols.needed == {"outside", "needed"}


def test_the_closure_has_what_is_needed_and_nothing_else() -> None:
    archive = members(
        a=("f", "", "g"), b=("g", "", "h memcpy"), c=("h", "", "f"), d=("memcpy", "", ""), e=("i", "", "")
    )
    assert archive.closure(["f"], ["main"], lambda name: name == "memcpy") == ["a", "b", "c"]
    assert archive.closure(["f"], ["main", "g"], nothing_given) == ["a"]
    assert archive.closure(["nowhere"], ["main"], nothing_given) == []


def test_a_weak_definition_is_enough_once_it_is_linked() -> None:
    archive = members(a=("f", "hook", "hook"), b=("hook", "", ""))
    assert archive.closure(["f"], [], nothing_given) == ["a"]
    assert archive.closure(["hook"], [], nothing_given) == ["b"]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a library of a few files; the cache's folder."""
    everything = musl_build.MUSL.sources()
    few = [one for one in everything if one.name in ("stdlib/div.c", "string/strsep.c", "ctype/isdigit.c")]
    assert len(few) == 3
    monkeypatch.setattr(libc, "C_LIBRARY", replace(libc.C_LIBRARY, sources=lambda: few))
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _provider(archive: Archive, symbol: str) -> list[str]:
    """The member that defines a symbol, if one does."""
    return archive.closure([symbol], (), lambda name: name != symbol)


def test_the_cache_is_built_once_and_cleared(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_kit, "fill", lambda zig, scratch, home, report: (scratch / "part").write_bytes(b"12345"))
    assert main(["cache", "where"]) == 0
    assert capsys.readouterr().out == f"{tiny}\n"
    assert main(["cache", "list"]) == 0
    names = ("the C library", make_kit.C_NAME, "the C++ library", make_kit.CPP_NAME)
    assert capsys.readouterr().out.splitlines()[:4] == [f"{name}: not built" for name in names]
    assert main(["cache", "build"]) == 0
    folder, home, driver = map(Path, capsys.readouterr().out.splitlines())
    assert folder.parent == home.parent == driver.parent == tiny
    assert (folder / INDEX).is_file()
    assert _provider(libc.Built([folder]).archive, "div") == ["stdlib/div.c"]
    before = (folder / MEMBERS).stat().st_mtime_ns
    assert libc.build(silent_progress, libc.C_LIBRARY) == folder
    assert main(["cache", "build"]) == 0
    assert (folder / MEMBERS).stat().st_mtime_ns == before
    assert kept_parts.parts(is_cpp=False)[1].size() == 5
    mine = tiny / "toolchain-of-mine"
    mine.mkdir()
    capsys.readouterr()
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"3 entries removed from {tiny}\n"
    assert not folder.exists() and not home.exists() and not driver.exists()
    assert mine.exists()
    assert main(["cache"]) == main(["cache", "fill"]) == main(["cache", "where", "--cpp"]) == 2


def test_a_kit_that_was_broken_off_is_made_anew(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(zig: str, scratch: Path, home: Path, report: object) -> None:
        (scratch / "half").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(make_kit, "fill", interrupted)
        with pytest.raises(KeyboardInterrupt):
            make_kit.obtain(silent_progress)
    assert not kit().is_made()
    monkeypatch.setattr(make_kit, "fill", lambda zig, scratch, home, report: (scratch / "whole").touch())
    made = make_kit.obtain(silent_progress)
    assert made.is_made() and not made.is_made(is_cpp=True)
    assert os.listdir(made.home) == ["whole"]
    assert not list(tiny.glob("unfinished-*"))


def test_what_an_interrupted_build_left_is_not_used_and_goes(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(recipe: Recipe, folder: Path, told: object) -> None:
        (folder / MEMBERS).write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(library_build, "build", interrupted)
        with pytest.raises(KeyboardInterrupt):
            libc.build(silent_progress, libc.C_LIBRARY)
    assert not (tiny / musl_build.MUSL.key()).exists()
    (tiny / "unfinished-libc-killed").mkdir()
    folder = libc.build(silent_progress, libc.C_LIBRARY)
    assert _provider(libc.Built([folder]).archive, "strsep")
    assert not list(tiny.glob("unfinished-*"))


def test_a_build_that_is_broken_off_goes_on_where_it_was(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = list[str]()

    def run_some(words: list[str], limit: int) -> subprocesses.Finished:
        if len(compiled) == limit:
            raise KeyboardInterrupt
        compiled.append(words[-1])
        return subprocesses.run(words)

    monkeypatch.setattr(library_build.host.this(), "cores", lambda: {0})
    for limit in (1, 2):
        monkeypatch.setattr(library_build, "run", lambda words, limit=limit: run_some(words, limit))
        with pytest.raises(KeyboardInterrupt):
            libc.build(silent_progress, libc.C_LIBRARY)
        assert not libc.is_built(libc.C_LIBRARY)
        assert not list(tiny.rglob("*.part"))
    monkeypatch.setattr(library_build, "run", lambda words: run_some(words, 1000))
    folder = libc.build(silent_progress, libc.C_LIBRARY)
    assert len(compiled) == len(set(compiled)) == len(libc.C_LIBRARY.sources())
    assert sorted(path.name for path in folder.iterdir()) == sorted((INDEX, MEMBERS))
    assert _provider(libc.Built([folder]).archive, "strsep")


def test_a_library_of_the_wheel_is_used_if_its_key_is_the_same(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = tiny / "ready"
    monkeypatch.setattr(libc, "READY", ready)
    built = libc.build(silent_progress, libc.C_LIBRARY)
    (ready / "libc-of-another-compiler").mkdir(parents=True)
    assert libc.build(silent_progress, libc.C_LIBRARY) == built
    built.rename(ready / built.name)
    monkeypatch.setattr(library_build, "build", lambda *words: pytest.fail("it is there"))
    assert libc.build(silent_progress, libc.C_LIBRARY) == ready / built.name
    assert _provider(libc.Built([ready / built.name]).archive, "strsep")


@pytest.mark.parametrize("name", ["0.bc", "0.json"])
def test_what_a_broken_off_build_left_damaged_is_made_again(
    tiny: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(recipe: Recipe, folder: Path, names: object) -> None:
        (folder / name).write_bytes(b"")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(library_build, "_join", cut)
        with pytest.raises(KeyboardInterrupt):
            libc.build(silent_progress, libc.C_LIBRARY)
    with pytest.raises(InputError, match="damaged"):
        libc.build(silent_progress, libc.C_LIBRARY)
    assert _provider(libc.Built([libc.build(silent_progress, libc.C_LIBRARY)]).archive, "strsep")


def test_a_build_says_so_at_once(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(recipe: Recipe, folder: Path, told: object) -> None:
        assert capsys.readouterr().err == "building the C library (once) ..."
        raise KeyboardInterrupt

    monkeypatch.setattr(library_build, "build", build)
    with pytest.raises(KeyboardInterrupt):
        libc.build(shown_progress, libc.C_LIBRARY)


@pytest.mark.parametrize("words", [(), ("--quiet",)])
def test_a_limit_of_time_leaves_out_the_build(
    tiny: Path,
    words: tuple[str, ...],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed, build, now = [0.0], library_build.build, time.monotonic

    def slowly(*given: Any) -> None:
        build(*given)
        passed[0] += 5000

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library_build, "build", slowly)
    monkeypatch.setattr(time, "monotonic", lambda: now() + passed[0])
    Path("div.c").write_text("#include <stdlib.h>\nint main(void) { return div(4, 2).quot - 2; }\n")
    limits = ("--max-time", "1000", "--strategy", "plain")
    assert main(["run", "div.c", "--out", "run", *limits, *words]) == 0
    said = capfd.readouterr().err
    assert said.startswith("building the C library (once) ...") != ("--quiet" in words)
    assert json.loads(Path("run/summary.json").read_text())["seconds"] < 1000
    assert passed == [5000]


def test_what_its_members_call_is_there_but_for_threads() -> None:
    """Else a function of the C library ends its paths in a call of nothing."""
    folder, modelled = libc.build(silent_progress, libc.C_LIBRARY), library()
    archive = libc.Built([folder]).archive
    members = [entry["name"] for entry in json.loads((folder / INDEX).read_text())]
    needed = frozenset().union(*[archive.symbols(member).needed for member in members])
    lacking = {symbol for symbol in needed if not _provider(archive, symbol) and modelled.find(symbol) is None}
    assert {name for name in lacking if not name.startswith(THREADS) and name not in JUMPS} == set()


def test_a_damaged_member_is_refused_in_one_line(tiny: Path) -> None:
    folder = libc.build(silent_progress, libc.C_LIBRARY)
    data = bytearray((folder / MEMBERS).read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    (folder / MEMBERS).write_bytes(data)
    with pytest.raises(InputError, match="is damaged: run 'unfork cache clear'"):
        built = libc.Built([folder])
        for name in ("stdlib/div.c", "string/strsep.c", "ctype/isdigit.c"):
            built.module(name)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_a_cache_that_cannot_be_written_is_one_line(tiny: Path) -> None:
    tiny.mkdir(mode=0o500)
    with pytest.raises(InputError, match="cannot be written to"):
        libc.build(silent_progress, libc.C_LIBRARY)


def test_a_cache_folder_that_is_a_file_is_one_line(tiny: Path) -> None:
    tiny.write_text("")
    with pytest.raises(InputError, match="cannot be written to: set UNFORK_CACHE, or use --libc none"):
        libc.build(silent_progress, libc.C_LIBRARY)


def test_a_full_disk_is_one_line(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(recipe: Recipe, folder: Path, told: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(library_build, "build", full)
    with pytest.raises(InputError, match="No space left on device"):
        libc.build(silent_progress, libc.C_LIBRARY)
    assert not list(tiny.glob("libc-*"))


TWICE = """
import sys
from dataclasses import replace
from unfork.world.libc import libc, library_build
from unfork.commands.assemble.building import silent_progress
few = libc.C_LIBRARY.sources()[:12]
compile_all = library_build.build
def counted(recipe, folder, told):
    print("built")
    compile_all(recipe, folder, told)
library_build.build = counted
libc.Built([libc.build(silent_progress, replace(libc.C_LIBRARY, sources=lambda: few))])
"""


def test_two_runs_that_start_at_once_build_it_once(tmp_path: Path) -> None:
    environment = {**os.environ, "UNFORK_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    both = [
        subprocess.Popen([sys.executable, "-c", TWICE], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert sorted(said) == ["", "built\n"]


def test_a_program_that_needs_nothing_needs_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "none"))
    source = tmp_path / "a.c"
    source.write_text("#include <string.h>\nint main(int argc, char **argv) { return strlen(argv[0]) == 0; }\n")
    result = run([source], Options(out=str(tmp_path / "run"), quiet=True))
    assert result.verdict == "safe"
    assert not list(tmp_path.glob("none/libc-*"))


PRINTS = '#include <stdio.h>\nint main(int argc, char **argv) { printf("%d\\n", argc); return 0; }\n'


def test_a_library_counts_in_no_coverage_and_stays_in_the_bitcode(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(PRINTS)
    result = run([source], Options(out=str(tmp_path / "run"), quiet=True))
    assert result.verdict == "safe"
    assert result.summary["coverage"] == {
        "branches": {"covered": 0, "total": 0},
        "lines": {"covered": 1, "total": 1},
        "goals": [],
    }
    assert "vfprintf" in result.program.defined
    assert "vfprintf" in result.program.library
    assert "main" not in result.program.library
    assert result.program.sources == (str(source),)
    shutil.copy(tmp_path / "run" / "program.bc", tmp_path / "whole.bc")
    again = run([tmp_path / "whole.bc"], Options(out=str(tmp_path / "again"), quiet=True))
    assert again.verdict == "safe"
    assert again.program.library == result.program.library
    assert again.summary["coverage"] == result.summary["coverage"]


def test_faults_in_the_library_are_where_the_program_called_it(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text('#include <stdio.h>\nint main(void) {\n  char t[4];\n  return sprintf(t, "%d", 12345);\n}\n')
    result = run([source], Options(out=str(tmp_path / "run"), quiet=True))
    (found,) = result.errors
    assert (found.kind, found.line, found.function) == ("out-of-bounds", 4, "main")
    trace = (tmp_path / "run" / "errors" / "000001.txt").read_text()
    assert "vfprintf" in trace
