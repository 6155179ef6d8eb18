"""Invariants of loops for correctness witnesses: guessed from one exploration, and checked in another one.

The second explores the program with a call at the head of each loop, where the compiler has put a guess in its scope.
A guess is kept if it is proved at every visit of every path, and if no path is given up: however it came about.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from unfork.clang.calls import PASSED, SEEN
from unfork.clang.expression_reader import parsed
from unfork.clang.expressions import Integral
from unfork.clang.probes import NoPlace, Probes, call
from unfork.clang.source_places import SourcePlaces, Spot
from unfork.contracts.faults import Fault
from unfork.errors import CompileError, InputError
from unfork.execute.step import Step
from unfork.facts.cfg import control_flow
from unfork.facts.nearest import end_position
from unfork.formats.witness import Invariant
from unfork.invariants.abstract_loops import Taken
from unfork.invariants.candidates import read_invariant
from unfork.invariants.in_c import Alternatives, Variable, relations
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.llvm.module import Function, Program
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.meaning.scopes import is_signed
from unfork.merge.frames import Frames
from unfork.merge.scope import Variables
from unfork.options import Options
from unfork.report.assumptions import ALONE
from unfork.state.inputs import unwritten_symbols
from unfork.state.live_registers import LiveRegisters, as_it_is
from unfork.state.state import State
from unfork.wiring.complete import Complete
from unfork.wiring.strategies import as_strategy

MOST_SECONDS = 10.0
"""For both explorations together."""
_MOST_SECONDS_OF_PROOFS = 60.0
"""For the proof of what a witness says, if no limit is given."""
MOST_VARIABLES = 12
MOST_RELATIONS = 24
MOST_VISITS = 4096
"""Visits of one loop at which guesses are checked; a loop with more gets no invariants."""
_OF_ENDS = frozenset(("nontermination", "leak", "lost", "cleanup"))
_LEFT_OUT = _OF_ENDS.union(("uninitialised", "indeterminate"))
"""Checks that look at what a path has done, or will not do, and change nothing of what happens at loops."""
_OFFSET = 1 << 63


@dataclass(slots=True)
class _Loop:
    """A loop of the source: what is guessed of it, and which integer variables are watched."""

    spot: Spot
    function: str
    stated: list[str] = field(default_factory=list)
    guesses: list[Alternatives] = field(default_factory=list)
    variables: dict[str, Integral] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    """Those of the variables that are global: they may be declared behind the loop."""

    def without_globals(self) -> _Loop:
        """The loop, but for what is said of global variables."""
        words = {name: re.compile(rf"\b{re.escape(name)}\b") for name in self.globals}
        guesses = [each for each in self.guesses if not any(word.search(each[0]) for word in words.values())]
        variables = {name: kind for name, kind in self.variables.items() if name not in self.globals}
        return replace(self, guesses=guesses, variables=variables)


@dataclass(slots=True)
class _Watched:
    """What all visits have shown of a variable: the least and the most, None before the first; ``is_lost``: nothing."""

    type: Integral
    ends: tuple[int, int] | None = None
    is_lost: bool = False


def invariants(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    places: SourcePlaces,
    text: str,
    rebuilt: Callable[[str], Program],
) -> list[Invariant]:
    """What is proved of the program's loops, an invariant a loop, in the order of the source.

    ``rebuilt`` builds the program from another ``text``. None of a program that is not explored to its end.
    """
    chosen = _options(options)
    loops = dict(_loops(program, places))
    if not loops:
        return []
    seconds = MOST_SECONDS if options.max_time is None else min(options.max_time, MOST_SECONDS)
    deadline = time.monotonic() + seconds
    if not _guess(chosen, program, arguments, loops, deadline):
        return []
    _state(options, places, loops.values())
    by_spot: dict[Spot, _Loop] = {}
    for loop in loops.values():
        known = by_spot.setdefault(loop.spot, loop)  # the compiler may have made two of one
        if known is not loop:
            known.guesses = list(dict.fromkeys([*known.guesses, *loop.guesses]))
            known.variables |= loop.variables
            known.globals |= loop.globals
    ordered = sorted(by_spot.values(), key=lambda loop: (loop.spot.line, loop.spot.column or 0))
    return _checked(chosen, ordered, text, rebuilt, (arguments, deadline))


def _options(options: Options) -> Options:
    """The options of the explorations: all paths, which are joined where they meet; loops for any number of turns."""
    checks = tuple([each for each in options.check if each not in _LEFT_OUT])
    plain = replace(as_strategy(options, "join"), loops="abstract", check=checks, count_paths=False, audit=False)
    return replace(plain, unwind=None, formats=("json",))


def _loops(program: Program, places: SourcePlaces) -> Iterator[tuple[tuple[Function, int], _Loop]]:
    """The loops of the program's own functions whose keyword is found in the source."""
    for name in program.defined:
        if name in program.library:
            continue
        function = program.function(name)
        flow = control_flow(function)
        for head in flow.loop_heads:
            spots = {spot for block in flow.predecessors[head] if (spot := _keyword(function, block, places))}
            if len(spots) == 1:
                yield (function, head), _Loop(spots.pop(), function.source_name)


def _keyword(function: Function, block: int, places: SourcePlaces) -> Spot | None:
    """The keyword of the loop at which an edge from a block has its position, as back edges have."""
    position = end_position(function, block)
    line = None if position is None or position.is_near else places.line(position.file, position.line)
    return None if position is None or line is None else places.loop_at(line, position.column)


# --- guesses


def _guess(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    loops: Mapping[tuple[Function, int], _Loop],
    deadline: float,
) -> bool:
    """Note in ``loops`` what one exploration suggests; returns whether it came to its end."""
    with Complete(options, program, arguments, deadline) as explored:
        if not explored.to_its_end():
            return False
        taken = {} if explored.loops is None else explored.loops.taken
        facts = explored.parts.engine.machine.facts
        frames = Frames(LiveRegisters(facts, as_it_is), keeps_all=False)
        variables = Variables(program, explored.parts.engine.machine.statics, frames)
        for (function, head), loop in loops.items():
            located = facts[function].visible.at(head, 0)
            for name, each in located.items():
                signed = None if each is None else is_signed(each.variable)
                if each is not None and signed is not None and each.variable.size in (1, 2, 4, 8):
                    loop.variables.setdefault(name, Integral(8 * each.variable.size, signed))
            known = taken.get((function, head))
            if known is not None:
                visible = list(_visible(variables, known))
                loop.globals = {name for name, _, _ in visible if name not in located}
                loop.variables |= {name: kind for name, _, kind in visible if kind.width > 1}
                loop.guesses += list(dict.fromkeys(relations(known, visible)))[:MOST_RELATIONS]
    return True


def _visible(variables: Variables, taken: Taken) -> Iterator[Variable]:
    """The integer variables at the head of a loop with their values, where any turn begins."""
    state, names = taken.any.state, set()
    for variable, value in variables.locals(state, len(state.frames) - 1):
        names.add(variable.name)
        if value is not None:
            yield variable.name, value.value, value.type
    here = variables.here(state, len(state.frames) - 1)
    for variable, value in variables.changed_globals(state):
        if value is not None and variable.name not in names and here.number(variable.name) == value:
            yield variable.name, value.value, value.type


def _state(options: Options, places: SourcePlaces, loops: Collection[_Loop]) -> None:
    """Add the invariants that the user has stated to what is guessed."""
    for text in options.invariant:
        read = read_invariant(text)
        line = places.line(read.file, read.line)
        spot = None if line is None else places.loop(line)
        for loop in loops:
            if loop.spot == spot:
                loop.stated.append(read.text)


# --- checks


def refuted(
    options: Options,
    invariants: Sequence[Invariant],
    built: Callable[[Options], Program],
    places: SourcePlaces,
    file: str,
    is_harmless: Callable[[Program, Fault], bool],
) -> list[str]:
    """Why it is not shown that invariants hold wherever they stand, and that no path fails; nothing if that is shown.

    Loops are taken for any number of turns at once, and if that shows too little, turn by turn. What is ``built`` from
    the C ``file`` has a call for each invariant. ``is_harmless`` says of faults whether they matter.
    """
    seconds = _MOST_SECONDS_OF_PROOFS if options.max_time is None else options.max_time
    deadline = time.monotonic() + seconds
    reasons: list[str] = []
    chosen = replace(as_strategy(options, "join"), formats=("json",))
    program = built(chosen)
    abstract = replace(chosen, loops="abstract", invariant=tuple(_stated(invariants, places, file)))
    ways = [chosen] if _OF_ENDS.intersection(options.check) else [abstract, chosen]
    for way in ways:
        check = _Asserted()
        try:
            exploration = Complete(way, program, (), deadline, check.models())
        except InputError:  # what is stated is about no loop that the compiler has left
            exploration = Complete(replace(way, invariant=()), program, (), deadline, check.models())
        with exploration as explored:
            check.explored = explored
            if not explored.to_its_end():
                reasons = reasons or [f"not everything could be explored ({explored.left_out})"]
                continue
            reasons = [f"{_named(invariants[number])} is not proved" for number in sorted(check.broken)]
            reasons += [_said(fault) for fault in explored.faults if not is_harmless(program, fault)]
            reasons += [assumed for assumed in explored.assumed() if assumed != ALONE]
        if not reasons:
            break
    return reasons


def _stated(invariants: Sequence[Invariant], places: SourcePlaces, file: str) -> Iterator[str]:
    """The invariants of loops that can be supposed of any turn, while it is shown that turns keep them.

    They are named by lines: not where several loops begin on one, or where directives say that lines are others.
    """
    for each in invariants:
        try:
            parsed(each.expression)
        except ValueError:
            continue
        is_named = places.loop(each.line) is not None and places.line(file, each.line) == each.line
        if each.at_loop and is_named and ":" not in file:
            yield f"{file}:{each.line}:{each.expression}"


class _Asserted:
    """What is known of the invariants of a witness, by number: ``broken`` are those that are not proved somewhere."""

    def __init__(self) -> None:
        self.broken: set[int] = set()
        self.explored: Complete | None = None

    def models(self) -> Mapping[str, Model]:
        """What a call does that stands at an invariant's place."""
        return {PASSED: Model("ii", "i", self._visit)}

    def _visit(self, step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = arguments
        assert isinstance(number, int)
        if (self.explored is None or not self.explored.is_rehearsing) and not _is_proved(step, value):
            self.broken.add(number)
        return value


def _said(fault: Fault) -> str:
    where = "" if fault.position is None else f" at line {fault.position.line}"
    return f"{fault.kind}{where}: {fault.message}"


def _named(invariant: Invariant) -> str:
    return f"the invariant {invariant.expression} at line {invariant.line}"


def _checked(
    options: Options,
    loops: Sequence[_Loop],
    text: str,
    rebuilt: Callable[[str], Program],
    rest: tuple[Sequence[str], float],
) -> list[Invariant]:
    """What is left of the guesses, once each was looked at wherever its loop was visited."""
    check = _Check(loops)
    arguments, deadline = rest
    program = check.program(text, rebuilt)
    if program is None:
        check = _Check([loop.without_globals() for loop in loops])
        program = check.program(text, rebuilt)
    if program is None:
        return []
    with Complete(options, program, arguments, deadline, check.models()) as explored:
        check.explored = explored
        if not explored.to_its_end():
            return []
    proved = []
    for number, loop in enumerate(loops):
        conditions = check.kept(number)
        if conditions:
            expression = " && ".join(conditions if len(conditions) == 1 else [f"({each})" for each in conditions])
            proved.append(Invariant(loop.spot.line, loop.spot.column, loop.function, expression))
    return proved


class _Check:
    """The guesses of loops by number, and what is known of each so far."""

    def __init__(self, loops: Sequence[_Loop]) -> None:
        self._loops = loops
        self._texts: list[str] = []
        self._owner: list[int] = []
        """The loop of each guess, and of each watched variable behind them."""
        self._groups: list[list[tuple[int, ...]]] = []
        self._stated: set[int] = set()
        """Of the user: they may be undefined somewhere."""
        self._lost: set[int] = set()
        self._watched: dict[int, tuple[str, _Watched]] = {}
        self._visits: Counter[int] = Counter()
        self.explored: Complete | None = None
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
        """The program with a call for each guess; None if the compiler has no meaning for them."""
        probes = Probes(text)
        for number, loop in enumerate(self._loops):
            calls = [self._call(each) for each, owner in enumerate(self._owner) if owner == number]
            try:
                probes.loop(loop.spot.line, loop.spot.column, [f"{PASSED}({-1 - number}, 1)", *calls])
            except NoPlace:
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

    def models(self) -> Mapping[str, Model]:
        """What the calls do."""
        return {PASSED: Model("ii", "i", self._passed), SEEN: Model("il", "v", self._seen)}

    def _passed(self, step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = self._number(arguments), arguments[1]
        if self._is_rehearsal():
            return value
        if number < 0:
            self._visits[-1 - number] += 1
        elif number not in self._lost and not self._is_too_often(number) and not _is_proved(step, value):
            self._lost.add(number)
        return value

    def _seen(self, step: Step, arguments: Arguments, call: Call) -> None:
        number, value = self._number(arguments), arguments[1]
        _, watched = self._watched[number]
        if watched.is_lost or self._is_rehearsal() or self._is_too_often(number):
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

    def _is_rehearsal(self) -> bool:
        return self.explored is not None and self.explored.is_rehearsing

    def _is_too_often(self, number: int) -> bool:
        return self._visits[self._owner[number]] > MOST_VISITS

    def kept(self, number: int) -> list[str]:
        """What holds at every visit of a loop that was visited."""
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
    """Whether a value depends on memory that nobody wrote: C does not say what it is."""
    return isinstance(value, Term) and bool(unwritten_symbols(value, state.inputs))


def _range(name: str, kind: Integral, least: int, most: int) -> Iterator[str]:
    """The bounds of a variable that its type does not have anyway."""
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
