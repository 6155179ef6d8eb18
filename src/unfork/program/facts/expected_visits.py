"""How often a random path runs each block of a function: the weights of query count estimation (Kuznetsov12).

A block hands its weight on to its successors. Of n targets each gets 2 * beta / n of it. With beta = 0.5 they share
it, so that a weight is the expected number of visits by a path that takes each side of a branch alike. With any other
beta each side of a branch gets beta, as in the paper; a switch gets no more than a branch does.

A loop whose turns are known takes them: the branch that counts shares nothing. Any other turns at most kappa times,
and what is left of its weight then leaves it. Weights above LARGEST count as LARGEST.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.loops import CountedExit, LoopNest, counted_exit
from unfork.program.llvm.module import Function

LARGEST = 1e300
"""With beta above 0.5, weights grow with every branch, beyond all floats in nested loops."""
_NEARLY_ONE = 1e-9

BlockWeights = dict[int, float]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of a loop, entered with weight 1: its visits, its exits, and the weight that comes back to the head."""

    visits: BlockWeights
    exits: BlockWeights
    back: float


@dataclass(frozen=True, slots=True)
class _Turns:
    """``most`` equal turns of a loop, of which each gets the weight that comes back from the one before, and an end."""

    turn: _Turn
    most: int
    end: _Turn


class ExpectedVisits:
    """The expected visits of blocks; ``beta`` is the weight of a branch's side, ``kappa`` bounds unknown loops."""

    def __init__(self, function: Function, flow: ControlFlow, nest: LoopNest, beta: float, kappa: int) -> None:
        self._function, self._flow, self._nest = function, flow, nest
        self._beta, self._kappa = beta, kappa
        self._counted: dict[int, CountedExit | None] = {}
        self._turns: dict[int, _Turns] = {}
        for head in nest.inside_out:
            self._counted[head] = counted_exit(function, nest, head)
            self._turns[head] = self._turns_of(head)
        self._known: dict[int, Mapping[int, float]] = {}

    def since(self, block: int) -> Mapping[int, float]:
        """The visits of each block by a path that starts with ``block``."""
        known = self._known.get(block)
        if known is None:
            known = self._known[block] = self._since(block)
        return known

    def _since(self, block: int) -> BlockWeights:
        level = self._nest.innermost[block]
        first = self._spread(level, {block: 1.0}, self._choice(level))
        visits, exits, back = first.visits, first.exits, first.back
        while level is not None:
            turns = self._turns[level]
            if back and turns.most:
                add_weights(exits, self._enter(turns, turns.most - 1, back, visits).items())
            level = self._nest.parent[level]
            back = exits.pop(level, 0.0) if level is not None else 0.0
            inside: BlockWeights = {}
            outside: BlockWeights = {}
            for target, amount in exits.items():
                if self._nest.contains(level, target):
                    add_weights(inside, [(self._nest.node(level, target), amount)])
                else:
                    outside[target] = amount
            rest = self._spread(level, inside, self._choice(level))
            add_weights(visits, rest.visits.items())
            exits = rest.exits
            add_weights(exits, outside.items())
            back = min(back + rest.back, LARGEST)
        return visits

    def _choice(self, level: int | None) -> Mapping[int, int]:
        """The target of the branch that counts the turns of a loop, in the turn that runs now: it stays if it may."""
        counted = None if level is None else self._counted[level]
        if counted is None:
            return {}
        return {counted.branch: counted.stays if counted.trips > 1 else counted.leaves}

    def _turns_of(self, head: int) -> _Turns:
        turn = self._spread(head, {head: 1.0}, self._choice(head))
        counted = self._counted[head]
        if counted is not None:
            return _Turns(turn, counted.trips - 1, self._spread(head, {head: 1.0}, {counted.branch: counted.leaves}))
        leaving = [target for target in self._flow.successors[head] if target in turn.exits] or list(turn.exits)
        end = _Turn({}, dict.fromkeys(leaving, 1.0 / max(len(leaving), 1)), 0.0)
        return _Turns(turn, self._kappa, end)

    def _spread(self, level: int | None, sources: BlockWeights, choice: Mapping[int, int]) -> _Turn:
        """Follow weights from blocks of a loop once through its body; ``choice`` names the target of some branches."""
        rank, nest = self._flow.rank, self._nest
        visits: BlockWeights = {}
        exits: BlockWeights = {}
        back = 0.0
        waiting = dict(sources)
        while waiting:
            block = min(waiting, key=rank.__getitem__)
            weight = waiting.pop(block)
            if nest.innermost[block] != level:
                turns = self._turns[block]
                reached = self._enter(turns, turns.most, weight, visits)
            else:
                add_weights(visits, [(block, weight)])
                reached = self._handed_on(block, weight, choice)
            for target, amount in reached.items():
                if target == level:
                    back = min(back + amount, LARGEST)
                elif not nest.contains(level, target):
                    add_weights(exits, [(target, amount)])
                else:
                    node = nest.node(level, target)
                    if rank[node] > rank[block]:  # an irreducible cycle turns once
                        add_weights(waiting, [(node, amount)])
        return _Turn(visits, exits, back)

    def _handed_on(self, block: int, weight: float, choice: Mapping[int, int]) -> BlockWeights:
        targets = self._flow.successors[block]
        if block in choice:
            return {choice[block]: weight}
        each = weight * 2 * self._beta / len(targets) if len(targets) > 1 else weight
        return dict.fromkeys(targets, min(each, LARGEST))

    def _enter(self, turns: _Turns, most: int, weight: float, visits: BlockWeights) -> BlockWeights:
        """Enter a loop with ``weight`` for ``most`` turns: adds to ``visits``, returns the weights of its exits."""
        turned, left = _geometric(turns.turn.back, most)
        exits: BlockWeights = {}
        for turn, times in ((turns.turn, min(turned * weight, LARGEST)), (turns.end, min(left * weight, LARGEST))):
            if times:
                add_weights(visits, [(block, amount * times) for block, amount in turn.visits.items()])
                add_weights(exits, [(target, amount * times) for target, amount in turn.exits.items()])
        return exits


def _geometric(ratio: float, terms: int) -> tuple[float, float]:
    """1 + ratio + ... of so many terms, and the term after them."""
    try:
        after = min(ratio**terms, LARGEST)
    except OverflowError:
        after = LARGEST
    if abs(ratio - 1.0) < _NEARLY_ONE:
        return float(terms), after
    return min((after - 1.0) / (ratio - 1.0), LARGEST), after


def add_weights(weights: BlockWeights, more: Iterable[tuple[int, float]]) -> None:
    """Add to the weights; none exceeds LARGEST."""
    for key, amount in more:
        weights[key] = min(weights.get(key, 0.0) + amount, LARGEST)
