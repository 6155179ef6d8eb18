"""Laws of minimum path covers, over random graphs with cycles."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from unfork.program.facts.cfg import closure, strong_components
from unfork.program.facts.path_cover import maximum_matching, path_cover

Graph = tuple[tuple[int, ...], ...]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 8))
    return tuple(tuple(draw(st.lists(st.integers(0, size - 1), max_size=3, unique=True))) for _ in range(size))


def components(graph: Graph) -> dict[int, int]:
    """For each reachable node, the number of its component."""
    return {
        node: number for number, component in enumerate(strong_components(0, graph.__getitem__)) for node in component
    }


@given(graphs(), st.frozensets(st.integers(0, 7)))
def test_paths_pass_what_is_wanted_and_reachable_once_each(graph: Graph, wanted: frozenset[int]) -> None:
    passed = [node for path in path_cover(0, graph.__getitem__, wanted) for stop in path for node in stop]
    assert sorted(passed) == sorted(closure([0], graph.__getitem__) & wanted)


@given(graphs(), st.frozensets(st.integers(0, 7)))
def test_each_stop_of_a_path_reaches_the_next(graph: Graph, wanted: frozenset[int]) -> None:
    for path in path_cover(0, graph.__getitem__, wanted):
        for stop, following in pairwise(path):
            assert set(following) <= closure([stop[0]], graph.__getitem__)
            assert stop[0] not in closure([following[0]], graph.__getitem__)


@given(graphs(), st.frozensets(st.integers(0, 7)))
def test_the_paths_are_as_many_as_the_most_stops_of_which_none_reaches_another(
    graph: Graph, wanted: frozenset[int]
) -> None:
    """The theorem of Dilworth: fewer paths could not pass these stops, so the cover is a least one."""
    of = components(graph)
    stops = sorted({of[node] for node in of if node in wanted})
    first = {number: node for node, number in of.items()}
    reaches = {number: {of[node] for node in closure([first[number]], graph.__getitem__)} for number in stops}
    widest = max(
        len(some)
        for size in range(len(stops) + 1)
        for some in combinations(stops, size)
        if all(a not in reaches[b] and b not in reaches[a] for a, b in combinations(some, 2))
    )
    assert len(path_cover(0, graph.__getitem__, wanted)) == widest


@given(st.lists(st.integers(0, 63), max_size=6))
def test_a_matching_is_one_and_no_other_is_larger(choices: list[int]) -> None:
    matched = maximum_matching(choices)
    bits = [bit for bit in matched if bit >= 0]
    assert len(bits) == len(set(bits))
    assert all(bit < 0 or mask >> bit & 1 for bit, mask in zip(matched, choices, strict=True))

    most = {0: 0}
    """For each set of bits taken, the most numbers that it can serve."""
    for mask in choices:
        for taken, count in list(most.items()):
            for bit in range(6):
                if mask & ~taken & 1 << bit:
                    more = taken | 1 << bit
                    most[more] = max(most.get(more, 0), count + 1)
    assert len(bits) == max(most.values())


def test_the_cover_of_a_diamond_has_two_paths() -> None:
    graph: Graph = ((1, 2), (3,), (3,), (4, 5), (), ())
    paths = path_cover(0, graph.__getitem__, frozenset({1, 2, 4, 5}))
    assert sorted({stop for path in paths for stop in path}) == [(1,), (2,), (4,), (5,)]
    assert [len(path) for path in paths] == [2, 2]


def test_a_cycle_is_one_stop() -> None:
    graph: Graph = ((1,), (2, 3), (1,), ())
    ((first, turn, last),) = path_cover(0, graph.__getitem__, frozenset({0, 1, 2, 3}))
    assert (first, sorted(turn), last) == ((0,), [1, 2], (3,))
