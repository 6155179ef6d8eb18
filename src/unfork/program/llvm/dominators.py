"""Orders and dominators of a graph whose nodes are numbers."""

from __future__ import annotations

from collections.abc import Sequence


def positions(order: Sequence[int], size: int) -> list[int]:
    """The position of each of ``size`` nodes in ``order``, -1 if absent."""
    positions = [-1] * size
    for position, node in enumerate(order):
        positions[node] = position
    return positions


def reverse_post_order(start: int, size: int, successors: Sequence[Sequence[int]]) -> list[int]:
    """The nodes that ``start`` reaches, each before its successors except along retreating edges."""
    seen = bytearray(size)
    seen[start] = 1
    done: list[int] = []
    # Last successor first, so that the first one is nearest in the reversed order.
    stack = [(start, iter(reversed(successors[start])))]
    while stack:
        node, following = stack[-1]
        for target in following:
            if not seen[target]:
                seen[target] = 1
                stack.append((target, iter(reversed(successors[target]))))
                break
        else:
            done.append(node)
            stack.pop()
    done.reverse()
    return done


def immediate_dominators(order: Sequence[int], size: int, predecessors: Sequence[Sequence[int]]) -> list[int]:
    """Immediate dominators over ``order``, whose first node is the root (Cooper, Harvey, Kennedy 2001)."""
    rank = positions(order, size)
    dominators = [-1] * size
    if not order:
        return dominators
    dominators[order[0]] = order[0]
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            nearest = -1
            for before in predecessors[node]:
                if rank[before] < 0 or dominators[before] < 0:
                    continue
                nearest = before if nearest < 0 else common_ancestor(dominators, rank, nearest, before)
            if dominators[node] != nearest:
                dominators[node] = nearest
                changed = True
    return dominators


def common_ancestor(tree: Sequence[int], rank: Sequence[int], left: int, right: int) -> int:
    """The nearest node above both in a dominator tree."""
    while left != right:
        while rank[left] > rank[right]:
            left = tree[left]
        while rank[right] > rank[left]:
            right = tree[right]
    return left


def is_ancestor(tree: Sequence[int], above: int, below: int) -> bool:
    """Whether ``above`` is ``below`` or an ancestor of it in a dominator tree."""
    while below != above:
        if below >= len(tree) or below < 0:
            return False
        parent = tree[below]
        if parent == below:
            return False
        below = parent
    return True
