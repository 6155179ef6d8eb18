from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unfork.engine.explore.tree import ExecutionGraph


def test_parents_finish_after_their_last_child() -> None:
    graph = ExecutionGraph()
    root = graph.root()
    left, right = graph.fork(root, 2)
    low, high = graph.fork(left, 2)
    assert list(graph.finish(low)) == [low]
    assert list(graph.finish(right)) == [right]
    assert list(graph.finish(high)) == [high, left, root]


def test_both_parents_of_a_join_finish_after_it() -> None:
    graph = ExecutionGraph()
    root = graph.root()
    left, right = graph.fork(root, 2)
    joined = graph.join((left, right))
    assert graph.parents(joined) == (left, right)
    assert list(graph.finish(joined)) == [joined, left, right, root]


@given(st.randoms(use_true_random=False), st.integers(0, 60))
def test_finish_is_a_post_order_over_everything(chance: object, steps: int) -> None:
    """Law of ExecutionGraph: every node once, children before parents, across joins too."""
    graph = ExecutionGraph()
    leaves = [graph.root()]
    pick = chance.randrange  # type: ignore[attr-defined]  # random.Random
    finished: list[int] = []
    for _ in range(steps):
        if not leaves:
            break
        match pick(3):
            case 0:
                finished += graph.finish(leaves.pop(pick(len(leaves))))
            case 1:
                leaves += graph.fork(leaves.pop(pick(len(leaves))), 2)
            case _ if len(leaves) > 1:
                pair = (leaves.pop(pick(len(leaves))), leaves.pop(pick(len(leaves))))
                leaves.append(graph.join(pair))
    for leaf in leaves:
        finished += graph.finish(leaf)
    assert sorted(finished) == list(range(len(graph)))
    place = {node: index for index, node in enumerate(finished)}
    for node in finished:
        assert all(place[node] < place[parent] for parent in graph.parents(node))
