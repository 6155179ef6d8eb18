"""Conditions in C that hold wherever a loop is visited: the program has a call for each at the loop's head.

A condition is kept if it is proved at every visit of every path.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from unfork.commands.witness.in_c import Alternatives
from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.errors import CompileError
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expressions import Integral
from unfork.program.c.location_calls import PASSED, SEEN
from unfork.program.c.probes import NothingThere, Probes, call
from unfork.program.c.source_places import FileLocation
from unfork.program.llvm.ir import Call
from unfork.program.llvm.module import Program
from unfork.world.library.model import Arguments, FunctionModel

MOST_VARIABLES = 12
MOST_VISITS = 4096
"""Visits of one loop at which guesses are checked; a loop with more gets no invariants."""
_OFFSET = 1 << 63


@dataclass(slots=True)
class LoopInSource:
    """A loop of the source, the guesses about it, and the integer variables that are watched."""

    spot: FileLocation
    function: str
    stated: list[str] = field(default_factory=list)
    guesses: list[Alternatives] = field(default_factory=list)
    variables: dict[str, Integral] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    """The global ones among the variables: they may be declared after the loop."""

    def without_globals(self) -> LoopInSource:
        """The loop without the guesses about global variables."""
        words = {name: re.compile(rf"\b{re.escape(name)}\b") for name in self.globals}
        guesses = [each for each in self.guesses if not any(word.search(each[0]) for word in words.values())]
        variables = {name: kind for name, kind in self.variables.items() if name not in self.globals}
        return replace(self, guesses=guesses, variables=variables)


@dataclass(slots=True)
class _Watched:
    """The least and the most value of a variable over all visits, None before the first; ``is_lost``: unknown."""

    type: Integral
    ends: tuple[int, int] | None = None
    is_lost: bool = False


class Assertions:
    """The invariants of a witness, by number: ``broken`` are those that are not proved somewhere."""

    def __init__(self) -> None:
        self.broken: set[int] = set()
        self.is_rehearsing: Callable[[], bool] = lambda: False

    def models(self) -> Mapping[str, FunctionModel]:
        """The meaning of the calls for invariants."""
        return {PASSED: FunctionModel("ii", "i", self._visit)}

    def _visit(self, step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = arguments
        assert isinstance(number, int)
        if not self.is_rehearsing() and not _is_proved(step, value):
            self.broken.add(number)
        return value


class Visits:
    """The guesses of loops by number, and what is known of each so far."""

    def __init__(self, loops: Sequence[LoopInSource]) -> None:
        self._loops = loops
        self._texts: list[str] = []
        self._owner: list[int] = []
        """The loop of each guess, and of each watched variable after them."""
        self._groups: list[list[tuple[int, ...]]] = []
        self._stated: set[int] = set()
        """The guesses of the user: they may be undefined somewhere."""
        self._lost: set[int] = set()
        self._watched: dict[int, tuple[str, _Watched]] = {}
        self._visits: Counter[int] = Counter()
        self.is_rehearsing: Callable[[], bool] = lambda: False
        for number, loop in enumerate(loops):
            stated = [self._new(number, text) for text in loop.stated]
            self._stated.update(stated)
            guessed = [tuple([self._new(number, text) for text in group]) for group in loop.guesses]
            self._groups.append([*[(each,) for each in stated], *guessed])
            for name, kind in list(loop.variables.items())[:MOST_VARIABLES]:
                self._watched[self._new(number, name)] = (name, _Watched(kind))

    def _new(self, loop: int, text: str) -> int:
        self._texts.append(text)
        self._owner.append(loop)
        return len(self._texts) - 1

    def program(self, text: str, rebuilt: Callable[[str], Program]) -> Program | None:
        """The program with a call for each guess; None if the compiler rejects them."""
        probes = Probes(text)
        for number, loop in enumerate(self._loops):
            calls = [self._call(each) for each, owner in enumerate(self._owner) if owner == number]
            try:
                probes.loop(loop.spot.line, loop.spot.column, [f"{PASSED}({-1 - number}, 1)", *calls])
            except NothingThere:
                self._lost.update(each for each, owner in enumerate(self._owner) if owner == number)
        try:
            return rebuilt(probes.probed().text)
        except CompileError:
            return None

    def _call(self, number: int) -> str:
        if number in self._watched:
            return f"{SEEN}({number}, (long long) {self._texts[number]})"
        if number in self._stated:
            return call(number, self._texts[number])
        return f"{PASSED}({number}, !!({self._texts[number]}))"

    def models(self) -> Mapping[str, FunctionModel]:
        """The meaning of the calls."""
        return {PASSED: FunctionModel("ii", "i", self._passed), SEEN: FunctionModel("il", "v", self._seen)}

    def _passed(self, step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = self._number(arguments), arguments[1]
        if self.is_rehearsing():
            return value
        if number < 0:
            self._visits[-1 - number] += 1
        elif number not in self._lost and not self._is_too_often(number) and not _is_proved(step, value):
            self._lost.add(number)
        return value

    def _seen(self, step: Step, arguments: Arguments, call: Call) -> None:
        number, value = self._number(arguments), arguments[1]
        _, watched = self._watched[number]
        if watched.is_lost or self.is_rehearsing() or self._is_too_often(number):
            return
        if _is_unwritten(value, step.state):
            watched.is_lost = True
            return
        is_wide = watched.type == Integral(64, False)
        offset = 0 if is_wide else _OFFSET
        moved = build.add(value, offset, 64)
        if watched.ends is not None:
            least, most = [end + offset for end in watched.ends]
            inside = build.both(build.uge(moved, least, 64), build.ule(moved, most, 64))
            if step.chain.must(step.state.path, inside):
                return
        least, most = [end - offset for end in step.chain.bounds(step.state.path, moved, 64)]
        ends = watched.ends or (least, most)
        watched.ends = min(ends[0], least), max(ends[1], most)

    @staticmethod
    def _number(arguments: Arguments) -> int:
        number = arguments[0]
        assert isinstance(number, int)
        return number - (number >> 31 << 32)

    def _is_too_often(self, number: int) -> bool:
        return self._visits[self._owner[number]] > MOST_VISITS

    def kept(self, number: int) -> list[str]:
        """The conditions that hold at every visit of a loop that was visited."""
        if not 0 < self._visits[number] <= MOST_VISITS:
            return []
        kept = []
        for group in self._groups[number]:
            first = next((each for each in group if each not in self._lost), None)
            if first is not None:
                kept.append(self._texts[first])
        for each, (name, watched) in self._watched.items():
            if self._owner[each] == number and each not in self._lost and not watched.is_lost and watched.ends:
                kept += _range(name, watched.type, *watched.ends)
        return list(dict.fromkeys(kept))


def _is_proved(step: Step, value: Value) -> bool:
    """Whether a truth value of 32 bits is true on every input of a path."""
    holds = build.ne(value, 0, 32)
    return not _is_unwritten(value, step.state) and step.chain.must(step.state.path, holds)


def _is_unwritten(value: Value, state: State) -> bool:
    """Whether a value depends on unwritten memory, which has no value in C."""
    return isinstance(value, Term) and bool(unwritten_symbols(value, state.inputs))


def _range(name: str, kind: Integral, least: int, most: int) -> Iterator[str]:
    """The bounds of a variable that its type does not imply."""
    bottom, top = (-(1 << kind.width - 1), (1 << kind.width - 1) - 1) if kind.signed else (0, (1 << kind.width) - 1)
    if least == most:
        yield f"{name} == {_constant(least, kind)}"
        return
    if least > bottom:
        yield f"{_constant(least, kind)} <= {name}"
    if most < top:
        yield f"{name} <= {_constant(most, kind)}"


def _constant(number: int, kind: Integral) -> str:
    if number == -(1 << 63):
        return f"(-{(1 << 63) - 1}LL - 1)"
    suffix = "" if -(1 << 31) < number < 1 << 31 else "LL"
    return f"{number}{'U' if not kind.signed and kind.width >= 32 else ''}{suffix}"
