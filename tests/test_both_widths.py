"""Programs of the corpus come out the same with pointers of 32 bits, unless their text depends on widths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs
from tests.support.power import IS_FULL
from tests.support.runs import errors_of, explore

FOR_64 = frozenset(("atomics", "cpp", "fuzz_targets", "heap_calls", "narrow", "several_objects", "threads"))
"""Topics of what is refused where pointers have 32 bits, or has its width already."""
REFUSED = ("--function", "--calls", "--prune", "--strategy", "--loops", "--audit")
PLAIN = ("--merge", "none", "--loops", "run", "--data-model", "ILP32")
ONE_IN = 16
"""So many of the programs are run, where not everything is to run."""
DEPEND: dict[str, str] = {}
"""Programs that come out otherwise, and why."""


def _is_for_both(program: Expected) -> bool:
    topic = program.path.parent.name
    return program.path.suffix == ".c" and topic not in FOR_64 and not set(REFUSED).intersection(program.options)


FOR_BOTH = [program for program in programs() if _is_for_both(program) and program.name not in DEPEND]
CHOSEN = FOR_BOTH if IS_FULL else FOR_BOTH[::ONE_IN]


@pytest.mark.parametrize("program", CHOSEN, ids=[program.name for program in CHOSEN])
def test_a_program_comes_out_the_same(program: Expected, tmp_path: Path) -> None:
    result = explore(program, tmp_path / "out", *PLAIN)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    assert program.paths in (None, result.summary["paths"]["completed"])


def test_the_list_names_programs() -> None:
    assert DEPEND.keys() <= {program.name for program in programs() if _is_for_both(program)}
