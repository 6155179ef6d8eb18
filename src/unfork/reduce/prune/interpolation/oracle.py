"""Semantics that follow one known path through a general state, and record its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.engine.step.conduct import NOWHERE, Conduct, InputSource, fresh_input
from unfork.engine.step.follow import Guided, sides_of
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Feasibility
from unfork.logic.solve.value_dependence import dependence
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.interpolation.general import CannotGeneralise, General
from unfork.reduce.prune.interpolation.sources import PREFIX

MEMORY = frozenset(("out-of-bounds", "null-dereference", "use-after-free", "read-only", "uninitialised"))
"""Faults of accesses: the path decides which cell is accessed."""


@dataclass(slots=True, eq=False)
class PathDecision:
    """The path went where ``term`` is ``value``; never assign to a field.

    ``is_harmless``: nothing happens to states for which it is not. ``is_open``: a decision of the program between
    two sides.
    """

    term: Term
    value: int
    is_harmless: bool
    is_open: bool = False

    @property
    def condition(self) -> Value:
        """1 bit: that this was decided."""
        return build.eq(self.term, self.value, self.term.width)


class Oracle:
    """Answers as on the followed path: every condition has its value there, and is recorded.

    Law: a state with the same answer for every decision goes the same way.
    """

    def __init__(self) -> None:
        self.choices: list[PathDecision] = []
        self.counts_turns = False
        """Whether the next decision may be about a loop's number of turns."""
        self.general: General
        """The state that runs, which stands for many."""
        self._model: Model
        self._script: Sequence[int] = ()
        self._besides: Value = 1

    def follow(self, general: General, model: Model, script: Sequence[int] = ()) -> None:
        """Follow ``general`` from now on; its symbols have their values under ``model``, a path's values.

        The first decisions are those of ``script``, whatever their values; the rest does not contradict its last,
        and is no fault if there is a choice.
        """
        self.go_on(general, (), Model(dict(model.values)))
        self._script = script

    def go_on(self, general: General, choices: Sequence[PathDecision], model: Model) -> None:
        """Go on within a stretch after these ``choices``; ``model`` grows with look-ups."""
        self.choices = [*choices]
        self.general = general
        self._model = model
        self._script = ()
        self._besides = 1

    def worth(self, value: Value) -> int:
        """The value on the followed path."""
        if not isinstance(value, Term):
            return value
        return self.worth_in(value, self._model)

    def worth_in(self, value: Term, model: Model) -> int:
        """The value on the path of another ``model``, which grows with look-ups."""
        known = model.values
        for symbol in value.symbols:
            if symbol not in known and symbol.name.startswith(PREFIX):
                known[symbol] = evaluate(self.general.values[symbol], model)
        return evaluate(value, model)

    def choose(self, value: Value) -> int:
        """The value on the path, as a decision that every other state must share."""
        return self._note_choice(value, self._next(value)) if isinstance(value, Term) else value

    def decide(self, condition: Value) -> bool:
        """The side that the path took, as a decision between two: another path may take the other."""
        if not isinstance(condition, Term):
            return condition != 0
        is_open = not (self.counts_turns and self.is_known(condition))
        return self._note_choice(condition, self._next(condition), is_open=is_open) == 1

    def keep(self, condition: Value) -> bool:
        """Whether the path meets an assumption; states that fail it end silently, which is harmless."""
        if not isinstance(condition, Term):
            return condition != 0
        value = self._next(condition)
        return self._note_choice(condition, value, is_harmless=value == 1) == 1

    def check(self, condition: Value, kind: str) -> bool:
        """Whether a check of the path succeeds; on an untaken path it must succeed, whatever that requires."""
        if not isinstance(condition, Term):
            return condition != 0
        value = self._next(condition) if kind in MEMORY else self._next(condition, otherwise=1)
        return self._note_choice(condition, value) == 1

    def knows(self, condition: Value) -> bool:
        """The path's answer, as a decision."""
        return self.choose(condition) == 1

    def _note_choice(self, value: Term, result: int, *, is_harmless: bool = False, is_open: bool = False) -> int:
        self.choices.append(PathDecision(value, result, is_harmless, is_open))
        return result

    def is_known(self, value: Term) -> bool:
        """Whether the value is a plain number on the followed path."""
        values = self.general.values
        return not any(isinstance(values.get(symbol, symbol), Term) for symbol in value.symbols)

    def _next(self, value: Term, otherwise: int | None = None) -> int:
        """The next decision; ``otherwise`` if neither the script nor its last decision determines it."""
        script, at = self._script, len(self.choices)
        if at < len(script):
            if at == len(script) - 1:
                self._besides = build.eq(value, script[at], value.width)
            return script[at]
        if self._besides != 1 and value.width == 1:
            if build.both(self._besides, value) == 0:
                return 0
            if build.both(self._besides, build.negate(value)) == 0:
                return 1
            if otherwise is not None:
                return otherwise
        return self.worth(value)


class GeneralConduct(Conduct):
    """A step's conduct on a general state, which stands for many: none may observe which one it is."""

    def __init__(self, oracle: Oracle, source: InputSource, checks: frozenset[str]) -> None:
        super().__init__(Guided(oracle), source)
        self._oracle = oracle
        self._checks = checks

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        """A state that fails an assumption ends silently: that needs no reason."""
        return path if self._oracle.keep(condition) else NOWHERE

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        """One side of the check."""
        return sides_of(path, self._oracle.check(condition, kind))

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        """Another state may have unwritten bytes there."""
        depends = dependence(value, unwritten_symbols(value, state.inputs))
        if depends == 1:
            raise CannotGeneralise("unwritten bytes")
        self._oracle.general.written.update(one for one in value.symbols if one.name.startswith(PREFIX))
        return self.check(state.path, build.negate(depends), UNINITIALISED)

    def part(self, path: PathCondition, condition: Value) -> NoReturn:
        """Not called: no part of a general state runs its instruction again."""
        raise CannotGeneralise("a split over parts of a range")

    def located(self, state: State, offset: Value, size: Value, item: MemoryObject) -> Value:
        """The offset on the path, as a decision: cells are identified by number.

        There may be no such cell: of several objects the path uses one, and the offset may not fit the others; and
        the decisions of an untaken path may contradict each other.
        """
        number = self._oracle.choose(offset)
        if number + self._oracle.worth(size) > len(item.data):
            raise CannotGeneralise("a place that the path does not reach")
        return number

    def pick(self, path: PathCondition, value: Value) -> int:
        """Another state may pick another value, unless it certainly has the same."""
        if isinstance(value, Term) and not self._oracle.is_known(value):
            raise CannotGeneralise("a value that was picked")
        return self._oracle.choose(value)

    def spelled(self, number: Term) -> Value:
        """The path's own number, as a decision: the object that it leads to is found by it."""
        return self._oracle.choose(number) if self._oracle.is_known(number) else number

    def is_symbolic(self, value: Value) -> bool:
        """Equal values may differ in this."""
        if isinstance(value, Term):
            raise CannotGeneralise("whether a value is symbolic")
        return False

    def fresh(self, state: State, name: str, width: int, kind: str) -> Value:
        """The original state's memory contents are not new inputs."""
        if name.startswith(PREFIX):
            number, _, offset = name[len(PREFIX) :].rstrip("]").partition("[")
            return self._held(state, int(number), int(offset), width // 8, kind)
        return fresh_input(self.source, state, name, width, kind)

    def _held(self, state: State, number: int, offset: int, size: int, kind: str) -> Value:
        """Bytes as the original state left them; an unwritten one is an input, which may be anything.

        So it may also be anything that another state has written there, unless a check looks for that.
        """
        general = self._oracle.general
        item = general.original.memory.objects[number]
        runs = item.uninitialised_runs(offset, size)
        if runs and UNINITIALISED in self._checks:
            raise CannotGeneralise("unwritten bytes")
        value: Value = 0
        at = 0
        for start, length in (*runs, (offset + size, 0)):
            written = start - offset - at
            if written:
                value = _appended(value, at, general.cell(number, offset + at, written), written)
            if length:
                name = f"{item.label or item.name}[{start}]"
                unwritten = fresh_input(self.source, state, name, 8 * length, kind)
                value = _appended(value, at + written, unwritten, length)
            at += written + length
        return value


def _appended(value: Value, size: int, further: Value, count: int) -> Value:
    """``size`` bytes followed by ``count`` more, as one little-endian value."""
    return build.concat(further, value, 8 * count, 8 * size) if size else further
