"""The list of bench/scan.py is whole, and each small program states what a scan of it finds."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bench.scan
from bench.processors import Done
from bench.scan import PROGRAMS, expectation, extents, main
from bench.scan_lists.bugs import BUGS
from bench.scan_lists.bugs_again import BUGS_AGAIN
from bench.scan_lists.bugs_third import BUGS_THIRD
from bench.scan_lists.entries import HEADERS, filled
from bench.scan_lists.folders import BLIND, BLIND_AGAIN, BLIND_FOURTH, BLIND_THIRD, SEEN
from bench.scan_lists.later_bugs import LATER_BLIND, LATER_SEEN
from bench.scan_lists.releases import RELEASES
from bench.trees import GitTree

EVERY = sorted(PROGRAMS.glob("*.c"))


def test_thirty_programs_have_a_certain_bug_and_thirty_have_none() -> None:
    certain = sum(bool(expectation(program).certain) for program in EVERY)
    assert min(certain, len(EVERY) - certain) >= 30


@pytest.mark.parametrize("program", EVERY, ids=lambda program: program.stem)
def test_a_stated_line_is_one_of_the_code(program: Path) -> None:
    lines = program.read_text().splitlines()
    end = next(number for number, line in enumerate(lines, 1) if "*/" in line)
    certain, likely, conditional, _ = expectation(program)
    assert len(certain | likely | conditional) == len(certain) + len(likely) + len(conditional)
    for _, line in certain | likely | conditional:
        assert line > end
        assert lines[line - 1].strip().endswith((";", "{"))


def test_the_list_names_each_library_once_and_has_its_headers() -> None:
    tens = (LATER_SEEN, LATER_BLIND, BUGS_AGAIN, BUGS_THIRD, RELEASES)
    for listed, count in ((BUGS, 15), *((each, 10) for each in tens)):
        assert len({each.name for each in listed}) == count
        for each in listed:
            assert all((HEADERS / name[1:]).is_dir() for name in each.library.include if name.startswith("@"))


def test_the_later_lists_share_no_library_with_others() -> None:
    bugs = (*BUGS, *LATER_SEEN, *LATER_BLIND)
    seen = {each.buggy.name for each in bugs} | {each.name for each in (*RELEASES, *SEEN, *BLIND, *BLIND_AGAIN)}
    for listed in (BUGS_AGAIN, BUGS_THIRD):
        names = {each.buggy.name for each in listed if isinstance(each.buggy, GitTree)}
        assert len(names) == len(listed)
        assert not names & seen
        seen |= names
    for releases in (BLIND_THIRD, BLIND_FOURTH):
        names = {each.name for each in releases}
        assert len(names) == len(releases)
        assert not names & seen
        seen |= names


def test_a_header_gets_its_values(tmp_path: Path) -> None:
    (tmp_path / "a.h.in").write_text("int @NAME@_f(void) @attributes@;  // a@b\n")
    filled("a.h.in", "a.h", {"NAME": "lib"})(tmp_path)
    assert (tmp_path / "a.h").read_text() == "int lib_f(void) ;  // a@b\n"


def test_a_function_of_a_bug_is_found_by_its_name(tmp_path: Path) -> None:
    bug = BUGS[0]
    path = tmp_path / bug.file
    path.write_text(f"int other(void) {{\n  return 1;\n}}\n\nvoid {bug.functions[0]}(int i)\n{{\n  i++;\n}}\n")
    assert extents([path, tmp_path / "other.c"], bug) == [range(5, 9)]


def test_a_program_that_states_nothing_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("/* Nothing. */\nint f(void) { return 0; }\n")
    with pytest.raises(ValueError, match="does not state"):
        expectation(program)


@pytest.mark.parametrize(("shift", "status"), [(0, 0), (1, 1)])
def test_what_a_scan_says_is_compared_by_line(
    shift: int, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def execute(words: Sequence[str], most: float) -> Done:
        out = Path(words[words.index("--out") + 1])
        found = []
        for certainty, places in zip(("certain", "likely", "conditional"), expectation(Path(words[4])), strict=False):
            for kind, line in sorted(places):
                place = {"kind": kind, "file": words[4], "line": line + shift, "function": "f", "message": ""}
                found.append(place | {"certainty": certainty})
        out.mkdir()
        (out / "scan.json").write_text(json.dumps({"findings": found, "functions": []}))
        return Done(0, "", "", 1.0, 1.0, 0)

    monkeypatch.setattr(bench.scan, "execute", execute)
    monkeypatch.setattr(sys, "argv", ["scan", "programs", "null_*", "needs_*", "--sources", str(tmp_path)])
    assert main() == status
    assert ("null_test_after_use" in capsys.readouterr().out) == bool(shift)
