"""Laws of abstractions: what was made of a state covers it, and the list of an array says all that is known of it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.corpus import read
from tests.support.power import examples
from tests.support.runs import explore
from unfork.engine.state.live_registers import LiveRegisters, without_scopes
from unfork.engine.state.state import State
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.prune.abstraction import Abstracted, Abstraction
from unfork.reduce.prune.array_cells import STAR, Arrays, KnownCell
from unfork.reduce.prune.state_store import Stored
from unfork.reduce.prune.subsume import Subsumption

HERE = Path(__file__).parent
PROGRAMS = (
    HERE / "abstractions" / "deque_fixed.c",
    HERE / "abstractions" / "tree_fixed.c",
    HERE / "abstractions" / "backwards_fixed.c",
    HERE.parents[2] / "bench" / "programs" / "array_partition.c",
)
OPTIONS = ("--prune", "subsume", "--merge", "none", "--libc", "none", "--search", "bfs")
CELL = 4


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_was_made_of_a_state_covers_it(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Subsumption] = []
    kept: list[Stored] = []
    of = Abstraction.of

    class Noticed(Subsumption):
        def __init__(self, *parts: object) -> None:
            super().__init__(*parts)  # type: ignore[arg-type]  # as they come
            made.append(self)

    def noticed(abstraction: Abstraction, state: State) -> Abstracted:
        found = of(abstraction, state)
        kept.append(Stored(state.fork(), state.node, state.depth, found))
        return found

    monkeypatch.setattr("unfork.reduce.prune.make_subsumption.Subsumption", Noticed)
    monkeypatch.setattr(Abstraction, "of", noticed)
    explore(read(path), tmp_path / "run", *OPTIONS)
    (pruner,) = made
    assert any(one.abstracted and (one.abstracted.fold.segments or one.abstracted.arrays) for one in kept)
    for one in kept:
        found = pruner._compare(one, one.state, one.abstracted, renames=True)
        assert not found.is_exact
        assert all(mine == its for mine, its in found.objects.items())


@settings(max_examples=examples(60, 3), deadline=None)
@given(
    known=st.sets(st.integers(0, 9), max_size=8),
    roots=st.lists(st.integers(0, 9), max_size=3),
    length=st.integers(10, 11),
)
def test_the_list_of_an_array(known: set[int], roots: list[int], length: int) -> None:
    """All cells in order; a star for each gap; a node for each run of neighbours that no variable leads to."""
    order = sorted(known)
    cells = [KnownCell(CELL * i, symbol(f"a{i}", 8 * CELL)) for i in order]
    at = {(0, register): CELL * i for register, i in enumerate(roots)}
    arrays = Arrays(LiveRegisters(FactsTable(), without_scopes), Chain(BitwuzlaSolver()))
    shape = arrays.shape(PathCondition.EMPTY, cells, CELL * length, CELL, at)
    assert [value for node in shape.nodes for value in node] == [cell.value for cell in cells]
    edges = [-1, *order, length]
    assert shape.nodes.count(STAR) == sum(after - before > 1 for before, after in pairwise(edges))
    for register, i in enumerate(roots):
        position = shape.roots[0, register]
        assert (position is None) == (i not in known)
        if position is not None:
            assert shape.nodes[position] == (symbol(f"a{i}", 8 * CELL),)
    for i, after in pairwise(order):
        together = any({symbol(f"a{i}", 32), symbol(f"a{after}", 32)} <= set(node) for node in shape.nodes)
        assert together == (after == i + 1 and i not in roots and after not in roots)
    assert list(shape.pairs(shape)) == [(node, node) for node in shape.nodes if node != STAR]
