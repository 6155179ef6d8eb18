"""The law of Order on lineage: where a state comes from is said by its parents alone."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.explore.fakes import check_choices, fake
from unfork.engine.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState
from unfork.engine.protocols.frontier import Order, Parents

ORDERS: dict[str, Callable[[], Order]] = {
    "dfs": DepthFirst,
    "bfs": BreadthFirst,
    "random-state": lambda: RandomState(random.Random(1)),
    "random-path": lambda: RandomPath(random.Random(1)),
}
SIZES = st.lists(st.integers(1, 3), min_size=1, max_size=12)


def shape(order: RandomPath) -> list[tuple[int, tuple[int, ...]]]:
    """The waiting tickets, each with how many ways there are at each turn to it: what its chances are."""
    order.choose()
    shapes = []
    for ticket, leaf in order._leaves.items():
        turns, node = [], leaf.parent
        while node is not None:
            turns.append(len(node.children))
            node = node.parent
        shapes.append((ticket, tuple(turns)))
    return sorted(shapes)


def grown(sizes: list[int]) -> tuple[RandomPath, int]:
    """An order over a tree whose oldest leaf has gone on with so many successors, one after the other."""
    order, count = RandomPath(random.Random(2)), 3
    for ticket in range(count):
        order.add(ticket, fake(), ())
    for parent, size in enumerate(sizes):
        order.choose()
        order.remove(parent)
        for _ in range(size):
            order.add(count, fake(), (parent,))
            count += 1
    return order, count


@given(SIZES, st.booleans())
def test_who_is_removed_in_between_changes_no_lineage(sizes: list[int], joins_first: bool) -> None:
    """Of two successors, one is joined with a waiting state, before or after the other is added: all the same."""

    def joined(is_first: bool) -> list[tuple[int, tuple[int, ...]]]:
        order, count = grown(sizes)
        picked, partner = sorted(order._leaves)[:2]
        order.choose()
        order.remove(picked)
        plain: tuple[int, Parents] = (count, (picked,))
        union: tuple[int, Parents] = (count + 1, (picked, partner))
        for ticket, parents in (union, plain) if is_first else (plain, union):
            if partner in parents:
                order.remove(partner)
            order.add(ticket, fake(), parents)
        return shape(order)

    assert joined(joins_first) == joined(not joins_first)


@pytest.mark.parametrize("name", ORDERS)
@given(st.lists(st.integers(0, 5), max_size=40))
def test_a_chosen_ticket_was_added_and_not_removed(name: str, steps: list[int]) -> None:
    check_choices(ORDERS[name](), steps, lambda ticket: fake())
