"""States at statements, in the notation of value summaries: ({path}, [variable -> {(value | guard), ...}, ...])."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from unfork.clang.escape import shown
from unfork.llvm.types import DebugVariable, Position
from unfork.logic.c_terms import alternatives, words
from unfork.logic.term import Value
from unfork.meaning.c_values import CValue
from unfork.merge.scope import Variables
from unfork.report.text import plural
from unfork.state.state import State

MOST_STATES = 5_000
"""States that are looked at, at all statements together."""
MOST_SHOWN = 40
"""Different ones that are shown of a statement."""
_CONDITIONS = 24
"""Conditions of a path that are shown: the last ones."""
Place = tuple[str, int, str]


class StatementStates:
    """Writes down states as they come to statements, until there are enough."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._states: dict[Place, Counter[str]] = {}
        self.count = 0

    @property
    def is_full(self) -> bool:
        """Whether there are as many as are wanted."""
        return self.count >= MOST_STATES

    def look(self, state: State, position: Position) -> None:
        """Write a state down."""
        if not self.is_full:
            self.count += 1
            here = self._states.setdefault((position.file, position.line, position.function), Counter())
            here[self._text(state)] += 1

    def lines(self) -> Iterator[str]:
        """All statements by file and line, with their states in the order in which they first came."""
        for (file, line, function), states in sorted(self._states.items()):
            total, different = sum(states.values()), len(states)
            same = "" if total == different else f", {different:,} of them different"
            yield f"{shown(file)}:{line} in {shown(function)}: {plural(total, 'state')}{same}"
            for text, times in list(states.items())[:MOST_SHOWN]:
                yield f"  {shown(text)}" + (f"  {times:,} times" if times > 1 else "")
            if different > MOST_SHOWN:
                yield f"  and {different - MOST_SHOWN:,} more"

    def _text(self, state: State) -> str:
        known = [(variable.name, _summary(value)) for variable, value in self._known(state) if value is not None]
        paths = "" if state.multiplicity == 1 else f"  of {state.multiplicity:,} paths"
        values = ", ".join(f"{name} -> {text}" for name, text in known)
        return f"({{{', '.join(_path(state))}}}, [{values}]){paths}"

    def _known(self, state: State) -> list[tuple[DebugVariable, CValue | None]]:
        return sorted(
            [*self._variables.locals(state, len(state.frames) - 1), *self._variables.changed_globals(state)],
            key=lambda entry: entry[0].name,
        )


def _path(state: State) -> Sequence[str]:
    conditions = state.path.constraints()
    texts = [words(condition, 1, signed=False) for condition in conditions[-_CONDITIONS:]]
    hidden = len(conditions) - len(texts)
    return [f"{hidden} more", *texts] if hidden else texts


def _summary(known: CValue) -> str:
    """One value, or all that it may be with their guards."""
    kind = known.type
    parts: list[tuple[Value, Value]] = alternatives(known.value)
    if len(parts) == 1:
        return words(parts[0][1], kind.width, signed=kind.signed)
    texts = [(words(part, kind.width, signed=kind.signed), words(guard, 1, signed=False)) for guard, part in parts]
    return "{" + ", ".join([f"({_enclosed(text)} | {_enclosed(guard)})" for text, guard in texts]) + "}"


def _enclosed(text: str) -> str:
    """So that no bar but the one between value and guard stands alone."""
    return f"({text})" if " | " in text else text
