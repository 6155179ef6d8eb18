"""The layout of the execution graph: a place for every state, none above another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unfork.report.page.graph import icicle, worst


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Forks and joins as a run makes them: those who go on are the leaves so far."""
    forks: list[tuple[int, int]] = []
    joins: list[tuple[int, int]] = []
    leaves = [0]
    number = 0
    for _ in range(draw(st.integers(0, 30))):
        first = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        if leaves and draw(st.booleans()):
            second = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
            number += 1
            joins += [(first, number), (second, number)]
            leaves.append(number)
            continue
        for _ in range(draw(st.integers(1, 3))):
            number += 1
            forks.append((first, number))
            leaves.append(number)
    return forks, joins


@given(graphs())
def test_nodes_stand_below_their_parents_and_beside_each_other(
    graph: tuple[list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    forks, joins = graph
    laid = icicle(forks, joins, [0])
    assert sorted(laid.nodes) == sorted({0, *(node for edge in (*forks, *joins) for node in edge)})
    taken: set[tuple[int, int]] = set()
    for place, parent in enumerate(laid.parents):
        start, width, depth = laid.starts[place], laid.widths[place], laid.depths[place]
        assert width > 0
        cells = {(depth, column) for column in range(start, start + width)}
        assert not cells & taken
        taken |= cells
        if parent >= 0:
            assert parent < place
            assert depth == laid.depths[parent] + 1
            assert laid.starts[parent] <= start and start + width <= laid.starts[parent] + laid.widths[parent]
    edges = {(laid.nodes[parent], laid.nodes[place]) for place, parent in enumerate(laid.parents) if parent >= 0}
    bridges = {(laid.nodes[one], laid.nodes[other]) for one, other in laid.bridges}
    assert edges | bridges == {*forks, *joins}
    assert not edges & bridges


def test_a_narrow_column_shows_the_worst_end_below_it() -> None:
    laid = icicle([(0, 1), (0, 2), (1, 3), (1, 4)], [], [])
    ends = {0: 0, 1: 0, 2: 1, 3: 1, 4: 2}
    shown = worst(laid.parents, [ends[node] for node in laid.nodes], [0, 3, 9])
    assert dict(zip(laid.nodes, shown, strict=True)) == {0: 2, 1: 2, 2: 1, 3: 1, 4: 2}


def test_very_deep_graphs_are_laid_out() -> None:
    laid = icicle([(node, node + 1) for node in range(50_000)], [], [])
    assert laid.depths[-1] == 50_000 and set(laid.widths) == {1}
