"""Semantics that follow one known path through a general state, and write down what was decided on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from unfork.execute.step import UNINITIALISED, Step
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import FOREVER, Answer, Unknown, Unsat
from unfork.logic.term import Term, Value
from unfork.logic.value_dependence import dependence
from unfork.prune.interpolation.general import CannotGeneralise, General
from unfork.prune.interpolation.sources import PREFIX
from unfork.state.inputs import unwritten_symbols

_FALSE = Unsat(frozenset())
MEMORY = frozenset(("out-of-bounds", "null-dereference", "use-after-free", "read-only", "uninitialised"))
"""Faults of accesses: what cell is accessed is not for us to choose."""


@dataclass(slots=True, eq=False)
class Choice:
    """The path went where ``term`` is ``value``; never assign to a field.

    ``is_harmless``: nothing happens to those for whom it is not. ``is_open``: it is a decision of the program between
    two sides.
    """

    term: Term
    value: int
    is_harmless: bool
    is_open: bool = False

    @property
    def condition(self) -> Value:
        """1 bit: that this was chosen."""
        return build.eq(self.term, self.value, self.term.width)


class NobodyKnows:
    """A solver that is never asked."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return Unknown("a path that is followed asks no solver")

    def forget(self) -> None:
        return None

    def close(self) -> None:
        return None


class Oracle(Chain):
    """Answers as the followed path did: every condition is what it is worth there, and is written down.

    Law: a state for which every choice comes out the same goes the same way.
    """

    def __init__(self) -> None:
        super().__init__(NobodyKnows())
        self.choices: list[Choice] = []
        self.is_assumed = False
        self.is_checked = False
        self.is_required = False
        self.counts_turns = False
        """Whether the next decision may be about how often a loop turns."""
        self._general: General
        self._model: Model
        self._script: Sequence[int] = ()
        self._besides: Value = 1

    def follow(self, general: General, model: Model, script: Sequence[int] = ()) -> None:
        """From now on, symbols of ``general`` are worth what they stand for under ``model``, a path's values.

        The first choices are those of ``script``, whatever they are worth; what follows does not contradict its last,
        and is no fault if that can be chosen.
        """
        self.go_on(general, (), Model(dict(model.values)))
        self._script = script

    def go_on(self, general: General, choices: Sequence[Choice], model: Model) -> None:
        """The same from within a stretch, where ``choices`` were made; ``model`` grows with what is looked up."""
        self.choices = [*choices]
        self.is_assumed = self.is_checked = self.is_required = False
        self._general = general
        self._model = model
        self._script = ()
        self._besides = 1

    def worth(self, value: Value) -> int:
        """A value on the followed path."""
        if not isinstance(value, Term):
            return value
        return self.worth_in(value, self._model)

    def worth_in(self, value: Term, model: Model) -> int:
        """A value on the path of another ``model``, which grows with what is looked up."""
        known = model.values
        for one in value.symbols:
            if one not in known and one.name.startswith(PREFIX):
                known[one] = evaluate(self._general.values[one], model)
        return evaluate(value, model)

    def choose(self, value: Value, *, is_open: bool = False) -> int:
        """What the value is on the path, as a choice."""
        if not isinstance(value, Term):
            return value
        found = self._scripted(value)
        is_open = is_open and not (self.is_assumed or self.is_checked or (self.counts_turns and self.is_known(value)))
        self.choices.append(Choice(value, found, self.is_assumed and found == 1, is_open))
        return found

    def is_known(self, value: Term) -> bool:
        """Whether the value is a plain number on the followed path."""
        values = self._general.values
        return not any(isinstance(values.get(one, one), Term) for one in value.symbols)

    def _scripted(self, value: Term) -> int:
        """The next choice."""
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
            if self.is_required:
                return 1
        return self.worth(value)

    # --- the chain's questions

    def assume(self, path: PathCondition, condition: Value) -> PathCondition | Unsat | Unknown:
        return path if self.choose(condition, is_open=True) else _FALSE

    def branch(
        self, path: PathCondition, condition: Value
    ) -> tuple[PathCondition | Unsat | Unknown, PathCondition | Unsat | Unknown]:
        return (path, _FALSE) if self.choose(condition, is_open=True) else (_FALSE, path)

    def must(self, path: PathCondition, condition: Value) -> bool:
        return bool(self.choose(condition))

    def evaluate(self, path: PathCondition, value: Value) -> int:
        return self.worth(value)

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        return [self.choose(value)], True

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        found = self.choose(value)
        return found, found

    def narrowed(self, path: PathCondition, value: Value, enough: int, unit: int) -> tuple[int, int]:
        found = self.choose(value)
        return found, found


class FollowingStep(Step):
    """A step on a general state."""

    __slots__ = ("general", "oracle")
    general: General
    oracle: Oracle

    def assume(self, condition: Value) -> None:
        """Who does not meet an assumption ends silently: that needs no reason."""
        self.oracle.is_assumed = True
        try:
            super().assume(condition)
        finally:
            self.oracle.is_assumed = False

    def require(self, condition: Value, kind: str, message: str) -> None:
        """A path that nobody took is to go well, whatever that asks for."""
        oracle = self.oracle
        before = oracle.is_assumed, oracle.is_checked, oracle.is_required
        oracle.is_assumed, oracle.is_checked, oracle.is_required = False, True, kind not in MEMORY
        try:
            super().require(condition, kind, message)
        finally:
            oracle.is_assumed, oracle.is_checked, oracle.is_required = before

    def located(self, offset: Value) -> Value:
        """Cells are told apart by number."""
        return self.oracle.choose(offset)

    def use(self, value: Value, what: str) -> None:
        """Another state may have in the same place what nobody wrote."""
        if not isinstance(value, Term) or UNINITIALISED not in self.limits.checks:
            return
        unwritten = unwritten_symbols(value, self.state.inputs)
        depends = dependence(value, unwritten)
        if depends == 1:
            raise CannotGeneralise("unwritten bytes")
        self.general.written.update(one for one in value.symbols if one.name.startswith(PREFIX))
        self.require(build.negate(depends), UNINITIALISED, what)

    def pick(self, value: Value) -> int:
        """Another state may pick another value, unless it is known to have the same."""
        if isinstance(value, Term) and not self.oracle.is_known(value):
            raise CannotGeneralise("a value that was picked")
        return self.oracle.choose(value)

    def is_symbolic(self, value: Value) -> bool:
        """Values that are alike need not be so in this."""
        if isinstance(value, Term):
            raise CannotGeneralise("whether a value is symbolic")
        return False

    def fresh(self, name: str, width: int, kind: str) -> Value:
        """What the original state has in its memory is no new input."""
        if name.startswith(PREFIX):
            number, _, offset = name[len(PREFIX) :].rstrip("]").partition("[")
            return self._held(int(number), int(offset), width // 8, kind)
        return super().fresh(name, width, kind)

    def _held(self, number: int, offset: int, size: int, kind: str) -> Value:
        """Bytes as the original state left them; an unwritten one is an input, which may be anything.

        So it may be anything that another state has written there, too, unless that is looked for.
        """
        item = self.general.original.memory.objects[number]
        runs = item.uninitialised_runs(offset, size)
        if runs and "uninitialised" in self.limits.checks:
            raise CannotGeneralise("unwritten bytes")
        found: Value = 0
        at = 0
        for start, length in (*runs, (offset + size, 0)):
            written = start - offset - at
            if written:
                found = _appended(found, at, self.general.cell(number, offset + at, written), written)
            if length:
                value = super().fresh(f"{item.label or item.name}[{start}]", 8 * length, kind)
                found = _appended(found, at + written, value, length)
            at += written + length
        return found

    def split(self, conditions: Sequence[Value]) -> NoReturn:
        """A part of a state runs its instruction again because it has learnt something: not so here."""
        raise CannotGeneralise("a split over parts of a range")


def _appended(value: Value, size: int, further: Value, count: int) -> Value:
    """``size`` bytes and ``count`` further ones behind them, as one little-endian value."""
    return build.concat(further, value, 8 * count, 8 * size) if size else further
