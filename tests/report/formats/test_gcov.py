"""lcov and Cobertura count what summary.json counts, gcov agrees about lines, and lcov reads what is written."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.lcov import GCC, compared, natively
from tests.support.runs import explore, written
from unfork.commands.afterwards.export import export, open_run
from unfork.commands.afterwards.native_check import BuildOrigin
from unfork.options.options import Options
from unfork.report.formats.source_coverage import coverage_by_file
from unfork.report.record.kept_run import KeptRun
from unfork.report.replay import native_replay
from unfork.report.replay.binary import Enclosure

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
    return open_run(explore(written(EVERYTHING, folder), folder / "out", "--merge", "none").directory)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="needs gcc and gcov")
@pytest.mark.parametrize("words", [("--merge", "none"), ("--optimize", "0")], ids=["paths", "as-compiled"])
def test_gcov_says_the_same_of_lines(tmp_path: Path, words: tuple[str, ...]) -> None:
    source = written(EVERYTHING, tmp_path)
    result = explore(source, tmp_path / "out", *words)
    (tmp_path / "native").mkdir()
    lines = natively(result, source, tmp_path / "native")
    (ours,) = coverage_by_file(open_run(result.directory)).values()
    count, different = compared(source, ours, lines)
    text = EVERYTHING.splitlines()
    # Both are behind a call of a function that ends the program, with no branch between.
    assert [text[line - 1].strip() for line in different] == ["k = 9;", "p.a = 3;"]
    assert count >= 50
    assert 0 < sum(ours.lines.values()) < len(ours.lines)


MANY_WAYS = """#include "unfork.h"
static int inside(int x) { return x > 2 && x < 5; }
static int choice(int x) { return x ? 1 : 2; }
int main(void) {
  static void *ways[] = {&&first, &&second, &&first};
  unsigned k;
  unfork_symbolic(&k, sizeof k, "k");
  int both = k > 3 && k < 10;
  switch (k) {
  case 1: case 2: both++; break;
  case 7: return inside(k);
  }
  if (k > 100)
    goto *ways[k % 3];
  return both;
first:
  return 1;
second:
  return choice(0) + (k < 50);
}
"""


@pytest.mark.parametrize("words", [(), ("--optimize", "0"), ("--merge", "none", "--max-forks", "3")])
@pytest.mark.parametrize("text", [EVERYTHING, MANY_WAYS], ids=["everything", "many-ways"])
def test_branches_and_lines_are_those_of_the_summary(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    run = open_run(explore(written(text, tmp_path), tmp_path / "out", *words).directory)
    told = run.summary["coverage"]
    (ours,) = coverage_by_file(run).values()
    sides = [hit for branching in ours.branches for hit in branching.taken]
    assert {"covered": sum(sides), "total": len(sides)} == told["branches"]
    assert len(ours.lines) == told["lines"]["total"]
    assert sum(ours.lines.values()) >= told["lines"]["covered"]
    assert 0 < sum(sides) < len(sides)
    assert all(ours.lines[branching.line] for branching in ours.branches if any(branching.taken))
    assert not any(any(branching.taken) and not branching.is_reached for branching in ours.branches)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="needs gcc and gcov")
def test_a_native_run_counts_up_to_an_assumption_that_fails(tmp_path: Path) -> None:
    text = (
        '#include "unfork.h"\nint main(void) {\n  int a, b = 0;\n  unfork_symbolic(&a, sizeof a, "a");\n'
        "  if (a > 5)\n    b = 1;\n  unfork_assume(a < 3);\n  return b;\n}\n"
    )
    source = written(text, tmp_path)
    result = explore(source, tmp_path / "out")
    (test,) = [test for _, test in open_run(result.directory).tests() if test.expect is not None]
    (tmp_path / "native").mkdir()
    runner = BuildOrigin(result.program, Options(), (str(source),), None, None, Enclosure.NONE).runner(
        GCC, tmp_path / "native"
    )
    runner.run(replace(test, inputs=tuple(replace(each, data=b"\x09\0\0\0") for each in test.inputs)))
    counted_lines = native_replay.gcov_counts(tmp_path / "native")
    assert counted_lines is not None
    has_run = {line: hit for (_, line), hit in counted_lines[0].items()}
    assert (has_run[6], has_run[7], has_run[8]) == (True, True, False)


def test_lcov_reads_its_file(tmp_path: Path) -> None:
    run = explored(tmp_path)
    file = tmp_path / "lcov.info"
    file.write_bytes(export(run, "lcov"))
    if shutil.which("lcov") is None:
        pytest.skip("lcov is not installed (apt install lcov)")
    words = ["lcov", "--rc", "lcov_branch_coverage=1", "--summary", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    told = done.stdout + done.stderr
    (ours,) = coverage_by_file(run).values()
    taken = [hit for branching in ours.branches for hit in branching.taken]
    assert f"({sum(ours.lines.values())} of {len(ours.lines)} lines)" in told
    assert f"({sum(taken)} of {len(taken)} branches)" in told
    assert f"of {len(ours.functions)} functions)" in told


def test_cobertura_has_the_same_counts(tmp_path: Path) -> None:
    run = explored(tmp_path)
    root = ElementTree.fromstring(export(run, "cobertura"))
    (ours,) = coverage_by_file(run).values()
    rows = root.findall(".//class/lines/line")
    assert {int(row.get("number", "")): row.get("hits") == "1" for row in rows} == ours.lines
    assert (root.get("lines-valid"), root.get("lines-covered")) == (str(len(ours.lines)), str(sum(ours.lines.values())))
    taken = [hit for branching in ours.branches for hit in branching.taken]
    assert (root.get("branches-valid"), root.get("branches-covered")) == (str(len(taken)), str(sum(taken)))
    assert {row.get("name") for row in root.findall(".//method")} == ours.functions.keys()
    assert root.find(".//class").get("filename") == str(tmp_path / "program.c")  # type: ignore[union-attr]


def test_names_that_break_lines_and_tags(tmp_path: Path) -> None:
    source = written("int main(void) { return 0; }\n", tmp_path, "a\nSF:<&\x1b>.c")
    run = open_run(explore(source, tmp_path / "out").directory)
    named = [line for line in export(run, "lcov").splitlines() if line.startswith(b"SF:")]
    assert len(named) == 1 and b"a\\x0aSF:<&\\x1b>.c" in named[0]
    assert "\\x0a" in ElementTree.fromstring(export(run, "cobertura")).find(".//class").get("filename", "")  # type: ignore[union-attr]
