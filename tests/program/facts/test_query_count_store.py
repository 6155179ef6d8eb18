"""What query count estimation keeps in the cache says what the functions would say again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from unfork.program.facts import kept_queries
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.query_count import Parameters, QueryCounts
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program
from unfork.world.kernel.known_functions import library

SOURCE = """
struct pair { int left, right; };
int g(int), limit;
__attribute__((noinline)) int odd(int n);
__attribute__((noinline)) int even(int n) { return n > limit ? odd(n - 1) : 1; }
__attribute__((noinline)) int odd(int n) { return n ? even(n - 1) : 0; }
__attribute__((noinline)) int deep(struct pair *p) {
  int s = 0;
  while (p->right > s) while (g(s)) s += even(s);
  return s;
}
int f(struct pair *p, int n) { return deep(p) + (n > 3 ? even(n) : odd(n)); }
"""
PARAMETERS = Parameters(beta=0.8, kappa=10**6)
Compile = Callable[..., Program]


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of this test's own, for programs of any size."""
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_queries, "LEAST", 1)


def read(program: Program, store: CachedCounts, parameters: Parameters = PARAMETERS) -> tuple[object, set[str]]:
    """The counts at each block of the entry, and the functions that were read for them."""
    program.functions.clear()
    counts, function = QueryCounts(program, FactsTable(), library(), parameters, store), program.function("f")
    found = [counts.at(function, block.index, 0) for block in function.blocks]
    return found, set(program.functions)


def stored(program: Program, parameters: Parameters = PARAMETERS) -> CachedCounts:
    return CachedCounts(parameters, (program.bitcode,))


def test_what_is_kept_is_what_would_be_found(compile_c: Compile) -> None:
    program = compile_c(SOURCE)
    expected, everything = read(program, CachedCounts(PARAMETERS, ("no program",)))
    assert read(program, stored(program)) == (expected, everything)
    assert read(program, stored(program)) == (expected, {"f"})


def test_other_parameters_and_programs_are_told_apart(compile_c: Compile) -> None:
    program = compile_c(SOURCE)
    read(program, stored(program))
    less = Parameters(beta=0.8, kappa=3)
    assert read(program, stored(program, less), less) == read(program, CachedCounts(PARAMETERS, ("no program",)), less)
    assert CachedCounts(PARAMETERS, (b"another",)).groups() == {}
    assert CachedCounts(PARAMETERS, (b"another",)).count("f", (0, 0, False)) is None


def test_a_new_place_needs_the_groups_of_callees_alone(compile_c: Compile) -> None:
    program = compile_c(SOURCE)
    read(program, stored(program))
    program.functions.clear()
    counts = QueryCounts(program, FactsTable(), library(), PARAMETERS, stored(program))
    counts.at(program.function("deep"), 0, 0)
    assert set(program.functions) == {"deep"}


def test_small_programs_leave_no_entry(compile_c: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_queries, "LEAST", 64)
    program = compile_c(SOURCE)
    read(program, stored(program))
    assert not [*compilation_cache.folder().glob("queries-*"), *compilation_cache.folder().glob("counts-*")]


@pytest.mark.parametrize("kind", ["queries", "counts"])
def test_a_damaged_entry_is_as_none(compile_c: Compile, kind: str) -> None:
    program = compile_c(SOURCE)
    expected, _ = read(program, stored(program))
    (entry,) = compilation_cache.folder().glob(f"{kind}-*")
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert read(program, stored(program))[0] == expected
