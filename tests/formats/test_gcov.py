"""lcov and Cobertura say of a run what gcov says of its tests, and lcov reads what is written."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.lcov import GCC, compared, natively
from tests.runs import explore, written
from unfork.api.export import exported, kept_run
from unfork.api.native_check import Origin
from unfork.formats.c_places import Source
from unfork.formats.kept_run import KeptRun
from unfork.options import Options
from unfork.replay import gcov
from unfork.replay.binary import Enclosure
from unfork.wiring.coverage import counted

ROOT = Path(__file__).parents[2]
EVERYTHING = """#include <stdlib.h>
#include <stdio.h>
#include "unfork.h"

struct pair { int a, b; };

static void usage(int status)
{
    printf("usage\\n");
    exit(status);
}

static void early(int x)
{
    if (x > 3)
        return;
    puts("a");
}

static int apply(int (*f)(int), int x)
{
    return f(f(x));
}

static int inc(int x)
{
    return x + 1;
}

static int
unused_here(int x)
{
    return x;
}

static int loops(int x)
{
    int sum;
    int count = 0;
    for (int i = 0; i < x; i++) {
        int twice = i * 2;
        if (twice == 4)
            continue;
        if (twice == 8)
            break;
        count++;
    }
    while (1) {
        x++;
        if (x > 20)
            break;
    }
    do {
        count--;
    } while (count > 0);
    for (;;) {
        if (x-- < 5)
            goto out;
    }
out:
    sum = count;
    return sum;
}

static int choose(int k)
{
    switch (k) {
    case 0: {
        int w = k;
        if (w)
            break;
        return 5;
    }
    case 1:
    case 2: /* both; and "case 9: */
        k++;
        /* fall through */
    case 3:
        k++;
        break;
    case 4: {
        int z = 3;
        k = z;
        break;
    }
    default:
        usage(2);
        k = 9;
    }
    return k;
}

int main(void)
{
    int k;
    struct pair p = {0, 1};
    unfork_symbolic(&k, sizeof k, "k");
    if (k == 100) {
        usage(3);
        p.a = 3;
    } else if (k == 101 || (k > 200 &&
             k < 210)) {
        early(k);
        return apply(inc, p.b);
    }
    if (k < 0)
        return loops(k & 7) + unused_here(1);
    return choose(k) > 2;
}
"""


def explored(folder: Path) -> KeptRun:
    return kept_run(explore(written(EVERYTHING, folder), folder / "out", "--merge", "none").directory)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="needs gcc and gcov")
@pytest.mark.parametrize("words", [("--merge", "none"), ("--optimize", "0")], ids=["paths", "as-compiled"])
def test_lines_and_branches_are_those_of_gcov(tmp_path: Path, words: tuple[str, ...]) -> None:
    source = written(EVERYTHING, tmp_path)
    result = explore(source, tmp_path / "out", *words)
    (tmp_path / "native").mkdir()
    lines, branches = natively(result, source, tmp_path / "native")
    (ours,) = counted(kept_run(result.directory)).values()
    done = compared(source, ours, lines, branches)
    assert done.notes == []
    assert (done.lines, done.branches) == (65, 31)
    assert 0 < sum(ours.lines.values()) < len(ours.lines)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="needs gcc and gcov")
@pytest.mark.parametrize("name", ["compound_loops", "empty", "macros", "spread", "stored"])
def test_decisions_are_those_of_gcc(tmp_path: Path, name: str) -> None:
    source = ROOT / "bench" / "programs" / "branches" / f"{name}.c"
    result = explore(source, tmp_path / "out")
    (tmp_path / "native").mkdir()
    lines, branches = natively(result, source, tmp_path / "native")
    (ours,) = counted(kept_run(result.directory)).values()
    done = compared(source, ours, lines, branches)
    assert done.notes == []
    assert done.branches == done.branches_equal > 15


def test_decisions_have_the_lines_that_gcc_gives_them() -> None:
    text = """int f(int a, int b) {
  if (a
      && (b
          || !a)
      && b)
    a = b
        ? 1
        : 2;
  a = !(a ||
        b) &&
      g(a
        && b);
  return a
         || b;
}
"""
    source = Source(text)

    def lines(*places: tuple[int, int]) -> list[int]:
        return [source.decision(line, column, ()) for line, column in places]

    assert lines((2, 7), (3, 10), (4, 14), (5, 10)) == [2, 3, 4, 5]
    assert lines((6, 9)) == [8]
    assert lines((9, 9), (10, 9), (11, 9), (12, 12)) == [10, 9, 11, 11]
    assert source.decision(11, 9, [(11, 7)]) == 12
    assert (source.returned(13, 3), source.returned(6, 5)) == (14, 6)


def test_a_side_that_no_test_takes_is_not_covered(tmp_path: Path) -> None:
    text = (
        '#include "unfork.h"\nint main(void) {\n  int a;\n  unfork_symbolic(&a, sizeof a, "a");\n'
        "  unfork_assume(a < 9);\n  int both = a > 3 && a < 10;\n  return both ? 5 : 6;\n}\n"
    )
    (ours,) = counted(kept_run(explore(written(text, tmp_path), tmp_path / "out").directory)).values()
    first, second, choice = [each for each in ours.branches if each.line > 5]
    assert [sorted(each.taken) for each in (first, second, choice)] == [[True, True], [False, True], [True, True]]


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="needs gcc and gcov")
def test_a_native_run_counts_up_to_an_assumption_that_fails(tmp_path: Path) -> None:
    text = (
        '#include "unfork.h"\nint main(void) {\n  int a, b = 0;\n  unfork_symbolic(&a, sizeof a, "a");\n'
        "  if (a > 5)\n    b = 1;\n  unfork_assume(a < 3);\n  return b;\n}\n"
    )
    source = written(text, tmp_path)
    result = explore(source, tmp_path / "out")
    (test,) = [test for _, test in kept_run(result.directory).tests() if test.expect is not None]
    (tmp_path / "native").mkdir()
    runner = Origin(result.program, Options(), (str(source),), None, None, Enclosure.NONE).whole(
        GCC, tmp_path / "native"
    )
    runner.run(replace(test, inputs=tuple(replace(each, data=b"\x09\0\0\0") for each in test.inputs)))
    counted_lines = gcov.by_line(tmp_path / "native")
    assert counted_lines is not None
    has_run = {line: hit for (_, line), hit in counted_lines[0].items()}
    assert (has_run[6], has_run[7], has_run[8]) == (True, True, False)


def test_lcov_reads_its_file(tmp_path: Path) -> None:
    run = explored(tmp_path)
    file = tmp_path / "lcov.info"
    file.write_bytes(exported(run, "lcov"))
    if shutil.which("lcov") is None:
        pytest.skip("lcov is not installed (apt install lcov)")
    words = ["lcov", "--rc", "lcov_branch_coverage=1", "--summary", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    told = done.stdout + done.stderr
    (ours,) = counted(run).values()
    taken = [hit for branching in ours.branches for hit in branching.taken]
    assert f"({sum(ours.lines.values())} of {len(ours.lines)} lines)" in told
    assert f"({sum(taken)} of {len(taken)} branches)" in told
    assert f"of {len(ours.functions)} functions)" in told


def test_cobertura_has_the_same_counts(tmp_path: Path) -> None:
    run = explored(tmp_path)
    root = ElementTree.fromstring(exported(run, "cobertura"))
    (ours,) = counted(run).values()
    rows = root.findall(".//class/lines/line")
    assert {int(row.get("number", "")): row.get("hits") == "1" for row in rows} == ours.lines
    assert (root.get("lines-valid"), root.get("lines-covered")) == (str(len(ours.lines)), str(sum(ours.lines.values())))
    taken = [hit for branching in ours.branches for hit in branching.taken]
    assert (root.get("branches-valid"), root.get("branches-covered")) == (str(len(taken)), str(sum(taken)))
    assert {row.get("name") for row in root.findall(".//method")} == ours.functions.keys()
    assert root.find(".//class").get("filename") == str(tmp_path / "program.c")  # type: ignore[union-attr]


def test_names_that_break_lines_and_tags(tmp_path: Path) -> None:
    source = written("int main(void) { return 0; }\n", tmp_path, "a\nSF:<&\x1b>.c")
    run = kept_run(explore(source, tmp_path / "out").directory)
    named = [line for line in exported(run, "lcov").splitlines() if line.startswith(b"SF:")]
    assert len(named) == 1 and b"a\\x0aSF:<&\\x1b>.c" in named[0]
    assert "\\x0a" in ElementTree.fromstring(exported(run, "cobertura")).find(".//class").get("filename", "")  # type: ignore[union-attr]


def test_labels_and_jumps_in_a_source() -> None:
    source = Source(
        "int f(int k)\n{\n switch (k) {\n case 'x': /* case 7: */\n case 2: {\n  k++;\n  break;\n }\n"
        " out:\n  k = 3;\n }\n}\n"
    )
    assert source.label(6, 4) == 4
    assert source.label(7, 3) is None
    assert source.label(10, 5) == 9
    assert source.jump_before(8, 2) == 7
    assert source.jump_before(11, 2) is None
    assert (source.word(7, 3), source.word(8, 2), source.word(99, 1)) == ("break", "}", "")
