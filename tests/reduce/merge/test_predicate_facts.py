"""What predicates say of variables tells states apart that an abstraction would else take for the same."""

from __future__ import annotations

from pathlib import Path

from tests.support.corpus import read
from tests.support.runs import errors_of, explore

COUNTER = read(Path(__file__).parents[1] / "prune" / "abstractions" / "counter_bug.c")
COVERING = ("--prune", "subsume", "--abstract", "list", "--merge", "none", "--libc", "none")


def test_a_predicate_keeps_what_it_speaks_of_apart(tmp_path: Path) -> None:
    assert not errors_of(explore(COUNTER.path, tmp_path / "without", *COVERING))
    errors = errors_of(explore(COUNTER.path, tmp_path / "with", *COVERING, "--predicate", "n >= 2"))
    assert errors == COUNTER.errors != set()
