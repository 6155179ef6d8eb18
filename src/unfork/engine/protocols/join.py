"""Which states become one, and how: similarity, the join of two states, and the search for the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.state.state import State


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not done. Law: ``reason`` is short and countable ("hot variable"), the same for the same
    cause.

    A part may use exceptions for its reasons inside; it returns a refusal.
    """

    reason: str


class Similarity(Protocol):
    """A similarity whose outcome can be guessed from hashes (Kuznetsov12, section 4.3).

    Law: symmetric and deterministic. A signature is a guess: similar states may have different ones, and are not
    joined then; different states may have the same.
    """

    @property
    def unlike(self) -> Refusal:
        """Why states with different signatures are not joined."""

    def differs(self, a: State, b: State) -> Refusal | None:
        """None if ``a`` and ``b``, which wait at one program point, are similar; otherwise why not."""

    def signature(self, state: State) -> int:
        """Equal for states at one program point that are likely to be similar."""


class Join(Protocol):
    """How two states become one.

    Law (SEL4 of Scheurer16): the joined state stands for at least the concrete states of both; an exact join, for
    exactly those. Its path condition is satisfiable.
    """

    def join(self, a: State, b: State) -> State | Refusal:
        """The joined state, or why there is none. Both wait at one program point; neither is changed."""


@dataclass(frozen=True, slots=True)
class StateUnion:
    """``sides`` became ``state``: the one that waited, with its ``ticket``, and the one that arrived."""

    state: State
    sides: tuple[State, State]
    ticket: Ticket


class Joiner(Protocol):
    """Joins an arriving state with a waiting one.

    Law: after a join, the waiting side has left the frontier, both sides are unchanged, and nothing runs them any
    more. Without one (None), nothing has changed.
    """

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None: ...
