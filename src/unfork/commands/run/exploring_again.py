"""Explores again while joins that forgot too much may be why something is undecided: for runs and for proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unfork.logic.solve.chain import Chain
from unfork.reduce.merge.refinement import ASTRAY, Refinement, Suspects


@dataclass(frozen=True, slots=True)
class ExploredRound:
    """How one exploration ended.

    ``reason`` says what stopped it, None if nothing did. ``suspects`` belong to the failures that a join may be to
    blame for. ``is_open``: something is undecided, whether or not it has suspects. ``chain`` decides what is learnt.
    """

    reason: str | None
    suspects: Sequence[Suspects]
    is_open: bool
    chain: Chain


def explore_until_exact(
    refinement: Refinement, explore: Callable[[], ExploredRound], forget: Callable[[], None]
) -> ExploredRound:
    """The last of the rounds that ``explore`` explores: after it, no join is to blame, or a limit stopped it.

    Before each further round, ``forget`` takes back what the last one came to, and the points that were blamed have
    more predicates or join exactly (``Refinement``). Without joins that infer predicates there is one round.
    """
    while True:
        ended = explore()
        if ended.reason not in (None, ASTRAY):
            return ended
        for each in ended.suspects:
            refinement.blame(each)
        if ended.reason == ASTRAY or (ended.is_open and not ended.suspects):
            refinement.blame_all()
        if not refinement.begins_again(ended.chain):
            return ended
        forget()
