"""What states that are to be joined have to speak of: the values that both have, and those that differ."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.invariants.havoc import HAVOC
from unfork.logic.term import Term, Value
from unfork.merge.frames import Frames
from unfork.merge.inference import Number, addends
from unfork.merge.scope import Holder, Pair, Variables
from unfork.state.state import State


class Vocabulary:
    """What two states have to speak of: variables that are the same in both, and the inputs in those that differ."""

    def __init__(self, variables: Variables, frames: Frames, a: State, b: State) -> None:
        self.holders: Mapping[Pair, list[Holder]] = variables.holders(a, b)
        self.dead = dead(frames, a, b) - {pair[:2] for pair in self.holders}
        """Values that only registers have which the program does not read again: of these, nothing is to be said."""
        self.names: dict[int, dict[Term, str]] = {}
        """By width, the terms that both states have, with their names."""
        self.same: list[Number] = []
        self.limits: set[int] = set()
        for variable, depth, mine, theirs in variables.both(a, b):
            value, kind = mine.value, mine.type
            name = variable.name
            if depth < len(a.frames) - 1:
                name += f" of {a.frames[depth].function.source_name}"
            if value is theirs.value and isinstance(value, Term) and kind == theirs.type:
                known = self.names.setdefault(kind.width, {})
                if value not in known:
                    known[value] = name
                    self.same.append(Number(name, (value, value, value), kind.width, kind.signed))
            elif isinstance(value, int) and value == theirs.value:
                self.limits.add(value)
        for pair in self.holders:
            for value in pair[:2]:
                for term in addends(value):
                    if term.op in ("symbol", "concat") and term.width == pair[2] and not is_forgotten(term):
                        self.names.setdefault(pair[2], {}).setdefault(term, _input_name(term))

    def known(self, width: int) -> dict[Term, str]:
        """The terms of a width, with their names."""
        return self.names.get(width, {})

    def symbols(self) -> frozenset[Term]:
        """What the numbers that differ, and the terms, are over."""
        found: set[Term] = set()
        for a, b, _ in self.holders:
            for value in (a, b):
                if isinstance(value, Term):
                    found |= value.symbols
        for known in self.names.values():
            for term in known:
                found |= term.symbols
        return frozenset(found)


def dead(frames: Frames, a: State, b: State) -> set[tuple[Value, Value]]:
    """The values in registers that are not read again, but for those that live ones have too."""
    read: set[tuple[Value, Value]] = set()
    unread: set[tuple[Value, Value]] = set()
    for depth, (mine, theirs) in enumerate(zip(a.frames, b.frames, strict=True)):
        live = frozenset(frames.live.of_frame(a, depth))
        for number, pair in enumerate(zip(mine.registers, theirs.registers, strict=True)):
            first, second = (0 if value is None else value for value in pair)  # as joins of dead registers have it
            if isinstance(first, int | Term) and isinstance(second, int | Term):
                (read if number in live else unread).add((first, second))
    return unread - read


def is_forgotten(term: Term) -> bool:
    """Whether a term depends on what a join forgot."""
    return any(each.name.startswith(HAVOC) for each in term.symbols)


def _input_name(term: Term) -> str:
    if term.op == "symbol":
        return f"input {term.name}"
    return "input " + min(each.name for each in term.symbols)
