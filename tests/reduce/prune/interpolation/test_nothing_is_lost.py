"""What was learnt never hides an error: programs that look alike where they differ, under every order and merge."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.agreement import seen
from tests.reduce.prune.interpolation.generated import generate
from tests.support.corpus import Expected, read
from tests.support.power import part, some
from tests.support.runs import edges_of, errors_of, explore
from unfork.cli import parse
from unfork.commands.run import run as runs
from unfork.options.options import Options

PROGRAMS = [read(path) for path in sorted((Path(__file__).parent / "programs").glob("*.c"))]
UNLIKE = ("freed_bug", "kept_bug", "late_input_bug")
"""No two states are alike there, as far as can be said without the inputs that are made later."""
UNLEARNT = ("copies_agree_bug",)
"""Nothing is learnt of its unwritten bytes where pointers have 32 bits."""
MODES = (
    ("--merge", "none", "--search", "dfs"),
    ("--merge", "none", "--search", "bfs"),
    ("--merge", "none", "--search", "random-path"),
    ("--merge", "static", "--similar", "always"),
    ("--merge", "dynamic", "--similar", "always"),
    ("--merge", "all", "--similar", "always", "--join", "ite"),
    ("--merge", "function"),
)


def modes_for(name: str) -> list[tuple[str, ...]]:
    """Depth first, where most is covered, and another order or way to merge; all modes where everything is to run."""
    return [MODES[0], *some(MODES[1:], name)]


@pytest.mark.parametrize("program", PROGRAMS, ids=[one.path.stem for one in PROGRAMS])
def test_errors_are_found(program: Expected, tmp_path: Path) -> None:
    plain = explore(program, tmp_path / "plain", "--libc", "none", "--merge", "none")
    assert errors_of(plain) == program.errors
    hits = 0
    for number, mode in enumerate(modes_for(program.name)):
        if program.native == "none" and "none" not in mode:
            continue  # where blocks are is another matter in joined states
        found = explore(program, tmp_path / str(number), "--libc", "none", "--prune", "interpolate", "--audit", *mode)
        assert errors_of(found) == program.errors, mode
        assert not found.alarms
        assert found.verdict == program.verdict
        assert edges_of(found) >= edges_of(plain), mode
        hits += found.summary["prunes"]["hits"]
    assert (hits > 0) == (program.path.stem not in UNLIKE)


@pytest.mark.parametrize(
    "program", part(PROGRAMS, lambda program: program.name, 3), ids=lambda program: program.path.stem
)
def test_errors_are_found_where_pointers_have_32_bits(program: Expected, tmp_path: Path) -> None:
    narrow = ("--libc", "none", "--merge", "none", "--data-model", "ILP32")
    plain = explore(program, tmp_path / "plain", *narrow, "--prune", "none")
    found = explore(program, tmp_path / "pruned", *narrow, "--prune", "interpolate", "--audit")
    assert (found.verdict, errors_of(found), found.alarms) == (plain.verdict, errors_of(plain), ())
    assert edges_of(found) >= edges_of(plain)
    assert (found.summary["prunes"]["hits"] > 0) == (program.path.stem not in (*UNLIKE, *UNLEARNT))


@pytest.mark.parametrize("seed", some([1, 7, 11, 32], "interpolation"))
def test_random_programs_agree(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate(seed))

    def options(out: str, *words: str) -> Options:
        return parse([*words, "--libc", "none", "--quiet", "--out", str(tmp_path / out)])[1]

    first = runs.run([source], options("plain", "--merge", "none", "--search", "dfs"))
    plain, hits = seen(first), 0
    for number, mode in enumerate(modes_for(f"seed {seed}")):
        chosen = options(str(number), "--prune", "interpolate", "--audit", *mode)
        result = runs.explore([source], first.program, chosen)
        found = seen(result)
        assert (found.errors, found.alarms, found.verdict) == (plain.errors, plain.alarms, plain.verdict), mode
        assert plain.assumes or found.edges == plain.edges, mode
        assert found.audit[1:] == (0, 0), mode
        hits += result.summary["prunes"]["hits"]
    assert hits > 0


def test_a_side_that_contradicts_itself(tmp_path: Path) -> None:
    """Looking for what lies beyond it reads bytes that no object has."""
    source = tmp_path / "program.c"
    source.write_text(generate(110258))
    words = ["--merge", "dynamic", "--similar", "qce", "--libc", "none", "--quiet"]
    found = [
        seen(runs.run([source], parse([*words, "--prune", prune, "--out", str(tmp_path / prune)])[1]))
        for prune in ("none", "interpolate")
    ]
    assert found[0].errors == found[1].errors
    assert found[0].edges == found[1].edges
    assert found[1].hits > 0


PICKED = """
#include <assert.h>
#include "klee/klee.h"
static volatile int sink;
int main(void) {
  unsigned char way, noise, in;
  klee_make_symbolic(&way, sizeof way, "way");
  klee_make_symbolic(&noise, sizeof noise, "noise");
  klee_make_symbolic(&in, sizeof in, "in");
  int value = 3;
  if (way < 4) klee_assume(in == 5);
  else klee_assume(in > 9);
  if (way == 9) value = 5;
  if (noise & 1) sink = 1;
  if (noise & 2) sink = 2;
  if (klee_is_symbolic(value) == 0) assert(value != 5);
  assert(klee_get_value_i32(in) != 5);
  return 0;
}
"""


@pytest.mark.parametrize("search", ["dfs", "bfs", "random-path"])
def test_what_the_engine_tells_the_program_is_not_general(search: str, tmp_path: Path) -> None:
    """Which value it picks of a symbolic one, and whether one is symbolic."""
    source = tmp_path / "program.c"
    source.write_text(PICKED)
    words = ["--merge", "none", "--libc", "none", "--quiet", "--audit", "--search", search]
    found = [
        seen(runs.run([source], parse([*words, "--prune", prune, "--out", str(tmp_path / prune)])[1]))
        for prune in ("none", "interpolate")
    ]
    assert len(found[0].errors) == 2
    assert found[0].errors == found[1].errors
    assert found[0].edges <= found[1].edges
    assert found[1].audit[1] == 0
