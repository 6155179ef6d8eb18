"""The events of exploration, as data, and the observers that get them, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome
from unfork.engine.protocols.pruner import Evidence
from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot
from unfork.engine.state.state import State


@dataclass(frozen=True, slots=True)
class Began:
    """The first states are about to run."""

    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Forked:
    """Execution-graph node ``parent`` became ``outcomes``, whose states carry their own nodes now.

    It forked ``at`` a source location of the program's own; ``loop`` is the innermost loop around it.
    """

    parent: int
    outcomes: tuple[Outcome, ...]
    at: SourceSpot = NOWHERE
    loop: SourceSpot = NOWHERE


@dataclass(frozen=True, slots=True)
class Ended:
    """A path ended by itself: the program halted or failed, or unfork gave the path up."""

    outcome: Halted | Failed | Killed

    @property
    def state(self) -> State:
        return self.outcome.state


@dataclass(frozen=True, slots=True)
class Bounded:
    """A path was cut at ``bound``, an option that the user gave."""

    state: State
    bound: str


@dataclass(frozen=True, slots=True)
class Covered:
    """A state was not explored: ``cover`` says why that loses nothing."""

    state: State
    cover: Evidence


@dataclass(frozen=True, slots=True)
class Joined:
    """``parents`` became one state. Only they can still give tests for the edges pending on them."""

    parents: tuple[State, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Dropped:
    """A state was given up to save memory."""

    state: State


@dataclass(frozen=True, slots=True)
class Left:
    """The run stopped while this state was waiting."""

    state: State


@dataclass(frozen=True, slots=True)
class Moved:
    """A waiting state goes on in another process."""

    state: State


@dataclass(frozen=True, slots=True)
class Beat:
    """About ten times a second: how many states wait, and the resident memory in bytes."""

    waiting: int
    resident: int


Event = Began | Forked | Ended | Bounded | Covered | Joined | Dropped | Left | Moved | Beat


class Observer(Protocol):
    """Gets every event, in order.

    Law: it never changes a state that still runs, so that a run takes the same course with or without it. The
    observers that a schedule or a pruner brings along change no state either, but teach that part.
    """

    def tell(self, event: Event) -> None: ...
