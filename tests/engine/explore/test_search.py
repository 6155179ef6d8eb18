from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.explore.fakes import fake, path_of
from unfork.engine.explore.guided import SumTree
from unfork.engine.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState, WaitingStates
from unfork.engine.protocols.frontier import Order, Parents

ORDERS: dict[str, Callable[[], list[Order]]] = {
    "dfs": lambda: [DepthFirst()],
    "bfs": lambda: [BreadthFirst()],
    "random-state": lambda: [RandomState(random.Random(1))],
    "random-path": lambda: [RandomPath(random.Random(1))],
    "all": lambda: [DepthFirst(), RandomPath(random.Random(1)), BreadthFirst(), RandomState(random.Random(2))],
}


def frontier(name: str) -> WaitingStates:
    return WaitingStates(ORDERS[name](), random.Random(3))


@pytest.mark.parametrize("name", ORDERS)
@given(st.lists(st.integers(0, 3), max_size=60))
def test_every_state_is_handed_out_exactly_once(name: str, births: list[int]) -> None:
    """The law of Order, through forks, drops and removals."""
    waiting = frontier(name)
    root = fake()
    waiting.add(root, ())
    alive, seen, count = {root}, set(), 0
    parents: Parents = ()
    for children in births:
        if not waiting:
            break
        if children == 3:
            state = next(waiting.drop(1), None)
        else:
            ticket, state = waiting.pick()
            parents = (ticket,)
        if state is None:
            assert len(waiting) == 1
            continue
        assert state in alive
        alive.remove(state)
        seen.add(state)
        for _ in range(children % 3):
            child = fake(str(count))
            count += 1
            waiting.add(child, parents)
            alive.add(child)
    if alive:
        gone = next(iter(alive))
        waiting.remove(gone)
        alive.remove(gone)
    while waiting:
        _, state = waiting.pick()
        assert state in alive
        alive.remove(state)
    assert not alive


@pytest.mark.parametrize("name", ORDERS)
def test_the_same_seed_gives_the_same_order(name: str) -> None:
    def order() -> list[str]:
        waiting = frontier(name)
        for number in range(50):
            waiting.add(fake(str(number)), ())
        return [path_of(waiting.pick()[1]) for _ in range(50)]

    assert order() == order()


def test_depth_first_takes_the_last_and_breadth_first_the_oldest() -> None:
    for name, expected in (("dfs", "2 1 0"), ("bfs", "0 1 2")):
        waiting = frontier(name)
        for number in range(3):
            waiting.add(fake(str(number)), ())
        assert " ".join(path_of(waiting.pick()[1]) for _ in range(3)) == expected


def test_a_state_that_returns_is_not_confused_with_its_earlier_ticket() -> None:
    waiting = WaitingStates([DepthFirst(), BreadthFirst()], random.Random(0))
    first, second = fake("first"), fake("second")
    waiting.add(first, ())
    waiting.add(second, ())
    assert waiting.pick()[1] is second
    assert waiting.pick()[1] is first
    waiting.add(first, ())
    waiting.add(second, ())
    assert waiting.pick()[1] is second
    assert waiting.pick()[1] is first
    assert not waiting


def test_random_path_favours_states_with_few_relatives() -> None:
    """One child of the root forks into 64; the other stays alone and comes up half the time."""
    picked: Counter[bool] = Counter()
    for seed in range(400):
        waiting = WaitingStates([RandomPath(random.Random(seed))], random.Random(0))
        waiting.add(fake(), ())
        root, _ = waiting.pick()
        lone, parent = fake("lone"), fake("parent")
        waiting.add(lone, (root,))
        waiting.add(parent, (root,))
        above = waiting.remove(parent)
        for number in range(64):
            waiting.add(fake(str(number)), (root, above))
        picked[waiting.pick()[1] is lone] += 1
    assert 150 < picked[True] < 250


def test_random_path_keeps_its_walk_short_on_a_long_chain() -> None:
    """Inner nodes with one child are spliced out: 20,000 steps of a single state leave no chain behind."""
    waiting = frontier("random-path")
    waiting.add(fake(), ())
    for _ in range(20_000):
        ticket, state = waiting.pick()
        waiting.add(state, (ticket,))
    order = waiting._orders[0]
    assert isinstance(order, RandomPath)
    depth, node = 0, order._root
    while node.children:
        node, depth = node.children[0], depth + 1
    assert depth <= 2


@given(st.lists(st.tuples(st.integers(0, 40), st.one_of(st.none(), st.floats(1e-12, 1e6)))))
def test_the_sum_tree_chooses_only_what_is_in_it(changes: list[tuple[int, float | None]]) -> None:
    tree, inside, chance = SumTree(), {}, random.Random(0)
    for key, weight in changes:
        if weight is not None:
            tree.put(key, weight)
            inside[key] = weight
        elif key in inside:
            tree.take(key)
            del inside[key]
        if inside:
            assert tree.choose(chance) in inside


def test_the_sum_tree_chooses_in_proportion() -> None:
    tree, chance = SumTree(), random.Random(5)
    for key in range(10):
        tree.put(key, 1.0 if key else 9.0)
    found = Counter(tree.choose(chance) for _ in range(4000))
    assert 1800 < found[0] < 2200
    assert all(150 < found[key] < 300 for key in range(1, 10))
