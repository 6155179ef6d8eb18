"""How much of an exploration is over: the share of its tree that has been explored."""

from __future__ import annotations

from unfork.engine.protocols.events import Began, Bounded, Covered, Dropped, Ended, Event, Forked, Joined, Left, Moved
from unfork.engine.protocols.outcome import Killed


class FinishedShare:
    """``finished`` is the share of the tree that is over, if a fork splits the share of its state evenly (Observer).

    A joined state has the shares of all its sides. States that moved here from other processes have none. Paths that
    unfork gave up keep theirs for good: they may hide anything.
    """

    def __init__(self) -> None:
        self.finished = 0.0
        self._shares: dict[int, float] = {}
        """Of the states that wait or run, by their nodes."""

    def begin_again(self) -> None:
        """Everything is explored again."""
        self.finished = 0.0
        self._shares = {}

    def tell(self, event: Event) -> None:
        shares = self._shares
        match event:
            case Forked(parent, outcomes):
                share = shares.pop(parent, 0.0) / len(outcomes)
                for outcome in outcomes:
                    shares[outcome.state.node] = share
            case Joined(parents, state):
                shares[state.node] = sum([shares.pop(parent.node, 0.0) for parent in parents])
            case Ended(outcome):
                share = shares.pop(outcome.state.node, 0.0)
                self.finished += 0.0 if isinstance(outcome, Killed) else share
            case Covered(state) | Bounded(state):
                self.finished += shares.pop(state.node, 0.0)
            case Began(states) if not shares and not self.finished:
                for state in states:
                    shares[state.node] = 1 / len(states)
            case Dropped(state) | Left(state) | Moved(state):
                shares.pop(state.node, None)
