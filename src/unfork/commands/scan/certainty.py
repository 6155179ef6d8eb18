"""Whether a fault is certain, or the caller's business: these few rules decide.

A fault is *certain* (manifest, Pulse-X: Le et al., OOPSLA 2022) if the function fails from every caller's state in
which it decides as on this path; it is *conditional* if it needs something of the arguments or of the heap that its
code never tested, which is a precondition then. Of the siblings of the failing path (siblings.py) follows:

- What the function asserts, it may take for granted: assertions are preconditions.
- If siblings come by unharmed because a pointer leads elsewhere in them, where the pointer leads is a precondition. So
  it is where a pointer leads nowhere or to no function, and where those with other pointers are too large or too many.
- Else, what makes siblings fail is what numbers hold. Text and buffers may hold anything, and a function that reads
  them has to cope. A number of the caller's (an argument, a member, a variable) has to be *tested wrongly*: the path
  compares it with something, and the values that fail are bounded by that, on one side at least; or it is tested for
  too large values and fails for negative ones. That a number in memory is less than another one there is no test:
  whoever writes both knows what they may be. Branches of the project's own functions compare; what a library asks of
  a number is no test, but a precondition if the fault needs it.
- What a size beside a pointer says is taken at its word: a function that writes more has not looked at it. A member
  that counts what another one points to must be tested: the path bounds an index by it that lies behind all the same.
- No object is as large as half of all addresses: what needs a size or an offset beyond that is no finding.
- An argument that points to numbers may lead into an array: nobody knows what lies in front of where it leads. A size
  beside it counts what is behind, and says something of the front only where the index is made from it. What a member
  or a variable points to begins there.
- A text may be short, but a function that reads beyond its end must have looked for it before, and not by comparing
  pointers. What room there is behind its end nobody but the caller knows.
- What a size says is there is there: no pointer is null beside a size that is not zero.
- Bytes without a size, in a function that the project calls, are a table of the project's and no input.
- A null pointer to a function that no function of the project could be in its place must have been compared with null.
- Where objects lie in memory nobody can test: what compares pointers to two of them takes for granted that it is one,
  but for what it does to its own local variables.
- A pointer that is null since a callee returns null may be used unseen by those who know what they gave the callee.
- A loop that runs as often as a number of the caller's says, and fails in one of its turns, has tested nothing by that.
  Nor has a loop that is over tested an argument of a function that the project calls.
- What a class of the C++ library holds is what its constructors and methods have made of it. Where a path reads members
  that were made one by one, nothing is certain.
- If an object of another class does well, its class is the caller's business.
- What the solver does not know makes nothing certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.commands.scan.decisions import PathStep, decisions
from unfork.commands.scan.failing_input import (
    counts_of,
    differing_pointers,
    goal_of,
    have_equals,
    input_of,
    is_among,
    is_local,
    largest,
    leaves_room,
    long_enough,
    may_begin_before,
    needed_class,
    numbers_of,
    offsets_beside,
    path_of,
    raw_class,
    symbols_of,
)
from unfork.commands.scan.null_tests import compares_pointers, is_tested_before, is_tested_later
from unfork.commands.scan.requirements import CallerNumber, excluding
from unfork.commands.scan.siblings import TOO_MANY, RestPlace, Sibling, SiblingFamily, Siblings, agrees, is_plain
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.fault import Aspect
from unfork.engine.protocols.outcome import Failed, Fault
from unfork.engine.state.inputs import UNWRITTEN
from unfork.engine.state.lazy import LazyHeap, LazyObject
from unfork.engine.state.memory import offset_in
from unfork.engine.state.state import State
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.cfg import targets
from unfork.program.llvm.c_types import CType, Pointer, Routine

CERTAIN, CONDITIONAL = "certain", "conditional"
_WORD, _BYTE = 64, 8
_MANY = 32
"""So many siblings that fail, and none that does not, stand for all of them where these are too many."""
ASSERTIONS = frozenset(("assert", "abort", "reach-error", "unreachable", "user"))
"""Kinds of errors by which a program says what it takes for granted."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``certainty`` and why, in a sentence. ``precondition`` is what a caller must see to, "" where it is not known;
    ``requires`` says that as a condition in C, where it can. ``path`` are the decisions that lead to the fault.
    """

    certainty: str
    reason: str
    precondition: str = ""
    requires: str = ""
    path: tuple[PathStep, ...] = ()


class _Undecided(Exception):
    """The solver gave up on a question."""


class Judge:
    """Judges the faults of one function."""

    def __init__(self, family: SiblingFamily, chain: Chain, machine: Machine, function: str) -> None:
        self._family = family
        self._chain = chain
        self._facts = machine.facts
        self._program = machine.program
        self._function = machine.program.function(function)
        self._types = machine.program.c_types
        self._is_called = any(caller != function for caller in machine.program.callers(function))

    def judge(self, failed: Failed) -> Judgement:
        """Whether a fault is certain."""
        if failed.fault.kind in ASSERTIONS:
            return Judgement(CONDITIONAL, "the program itself says that this never happens", failed.fault.message)
        if failed.fault.aspect is Aspect.NO_FUNCTION:
            return Judgement(CONDITIONAL, "it needs a pointer to a function that leads to none")
        foreign = self._undefined(failed.state) if failed.fault.kind == UNINITIALISED else None
        if foreign is not None:
            return Judgement(CONDITIONAL, f"it depends on the variable {foreign}, which no file here defines")
        raw = raw_class(failed.state.lazy, self._types)
        if raw is not None:
            return Judgement(CONDITIONAL, f"it needs the members of {raw} as no constructor might make them")
        siblings = self._family.of(failed)
        judgement = self._by_siblings(failed, siblings)
        if siblings is None:
            return judgement
        inner = siblings.places[-1].function if siblings.places else self._function
        if judgement.certainty == CERTAIN and inner is not self._function:
            judgement = replace(judgement, reason=f"{judgement.reason}, in a call by {self._function.source_name}")
        return replace(judgement, path=decisions(siblings.places))

    def _by_siblings(self, failed: Failed, siblings: Siblings | None) -> Judgement:
        given = failed.state.lazy
        ours = [each for each in siblings.failing if agrees(each.state.lazy, given)] if siblings is not None else []
        is_known = siblings is not None and _is_known(siblings, given)
        if siblings is None or not ours or not is_known:
            return Judgement(CONDITIONAL, "it is not known whether all inputs that decide alike fail")
        if siblings.look is not None and not is_local(failed.fault):
            return Judgement(CONDITIONAL, f"it depends on where objects lie in memory: {siblings.look}")
        alike = [each for each in siblings.surviving if agrees(given, each.state.lazy)]
        if not is_plain(given) and siblings.surviving:
            if is_tested_later(failed, self._facts):
                return Judgement(CERTAIN, "the code tests the pointer, but only after it has used it")
            judgement = _of_pointers(given, siblings.surviving)
            if judgement is not None:
                return judgement
        needed = needed_class(given, siblings.failing, siblings.surviving)
        if needed is not None:
            path, name = needed
            return Judgement(CONDITIONAL, f"it needs {path} to be of class {name}", f"{path} is not of class {name}")
        if not is_plain(given):
            missing = next(filter(None, (self._missing_function(each.state.lazy) for each in siblings.failing)), None)
            if missing is not None and not is_tested_before(failed, siblings.places):
                reason = f"it needs a null pointer {missing}, for which there is no function here"
                return Judgement(CONDITIONAL, reason, f"{missing} is not null", f"{missing} != 0")
            if any(is_plain(each.state.lazy) for each in siblings.failing):
                return Judgement(CONDITIONAL, "it fails like this with better pointers, too")
            if have_equals(given):
                reason = "it needs pointers in memory that are equal: whoever writes them knows whether they are"
                return Judgement(CONDITIONAL, reason)
            if failed.fault.access is not None and failed.fault.access.is_nowhere:
                return Judgement(CONDITIONAL, "it needs a pointer that leads nowhere, which the code never tested")
        try:
            without = self._null_with_size(failed.state)
            if without is not None:
                reason = f"it needs a null pointer {without} with a size that is not zero"
                return Judgement(CONDITIONAL, reason, f"{without} is not null", f"{without} != 0")
            judgement = self._of_numbers(ours[0], siblings, failed.fault, is_sure=not alike)
        except _Undecided:
            return Judgement(CONDITIONAL, "the solver gave up on what numbers it needs")
        if judgement.certainty == CERTAIN and not is_plain(given) and siblings.surviving:
            return Judgement(CONDITIONAL, "it needs something of the heap that the code never tested")
        is_null = judgement.certainty == CERTAIN and failed.fault.kind == "null-dereference"
        if is_null and self._is_of_callee(failed, siblings.places):
            reason = "a call returns null for what the caller gave, of which the code has tested nothing"
            return Judgement(CONDITIONAL, reason)
        return judgement

    def _is_of_callee(self, failed: Failed, places: Iterable[RestPlace]) -> bool:
        """Whether it is the decisions of callees on pointers and numbers of the caller's that make a pointer null."""
        frames = [frame.function.name not in self._program.library for frame in failed.state.frames]
        depth = max(number for number, is_own in enumerate(frames, 1) if is_own)
        if all(place.depth <= depth for place in places):
            return False
        siblings = self._family.freer(failed, places, depth)
        given, constraints = failed.state.lazy, frozenset(failed.state.path.constraints())
        if not _is_known(siblings, given):
            return True
        return any(
            not agrees(given, each.state.lazy)
            or numbers_of(each.state).keys() & symbols_of(set(each.state.path.constraints()) - constraints)
            for each in siblings.surviving
        )

    def _of_numbers(self, failing: Sibling, siblings: Siblings, error: Fault, *, is_sure: bool) -> Judgement:
        """The judgement where it is numbers that make it fail."""
        state, lengths, granted = failing.state, failing.lengths, siblings.granted
        constraints = state.path.constraints()
        tests = self._known(state.path, siblings.tested)
        fault = [each for each in constraints[lengths[-1] :] if each not in granted]
        violated = build.negate(failing.required) if isinstance(failing.required, Term) else None
        if isinstance(violated, Term):
            fault = list(dict.fromkeys((*fault, *conjuncts(violated))))
        turns = [*self._turns(failing, siblings.places, granted)]
        counts = symbols_of(each for is_inside, conditions in turns if is_inside for each in conditions)
        relevant = symbols_of(fault) | counts
        numbers = numbers_of(state, is_called=self._is_called)
        if self._is_far(numbers, constraints):
            return Judgement(CONDITIONAL, "it needs a size or an offset that no object has")
        within, is_behind = input_of(state, error), error.access is not None and error.access.is_behind
        if within is not None and self._is_before(within, failing, error):
            return Judgement(CONDITIONAL, f"it needs {within.path} to lead to the beginning of an object")
        elsewhere = self._said_elsewhere(within, siblings, error) if within is not None and within.is_text else ""
        if elsewhere:
            return Judgement(CONDITIONAL, elsewhere)
        for text, characters in self._texts(state, relevant):
            if is_behind and (within is None or within.path != text):
                continue  # a shorter text would not lead so far
            looks = [each for each in (*siblings.decided, *siblings.tested) if characters & each.symbols]
            known = self._known(state.path, looks)
            if not any(self._compares_with_nul(each, characters) for each in known):
                reason = f"it needs a text {text} that is shorter than the code takes for granted"
                wanted = excluding([each for each in fault if not characters & each.symbols], numbers)
                if not wanted and within is not None and within.path == text:
                    wanted = long_enough(text, error)
                return Judgement(CONDITIONAL, reason, wanted or f"{text} is not so short", wanted)
        is_own = self._is_own(error) or leaves_room(state, error)
        beside = self._tested_beside_count(within, tests, numbers)
        wanted_numbers = [
            each for each in relevant & numbers.keys() - beside if not (is_own and numbers[each].is_argument)
        ]
        for each in sorted(wanted_numbers, key=lambda term: term.name):
            if not self._is_tested(each, numbers, tests, fault, is_count=each in counts):
                about = [term for term in fault if each in term.symbols]
                wanted = excluding(fault, numbers) or excluding(about, numbers)
                path = numbers[each].path
                told = wanted or f"{path} is in range"
                return Judgement(CONDITIONAL, f"it needs a value of {path} that the code never tested", told, wanted)
        for each in self._asked_by_libraries(failing, siblings, tests, numbers):
            wanted = excluding([each], numbers)
            names = ", ".join(sorted(numbers[symbol].path for symbol in each.symbols & numbers.keys()))
            return Judgement(CONDITIONAL, f"it needs a value of {names} that the code never tested", wanted, wanted)
        for each in self._counted_alone(failing, turns, granted) if self._is_called else ():
            if each in numbers and numbers[each].is_argument:
                reason = f"how often a loop turned is all that it asked about {numbers[each].path}, which callers know"
                return Judgement(CONDITIONAL, reason, f"{numbers[each].path} is in range")
        if is_sure:
            return Judgement(CERTAIN, "every input that takes these decisions fails here")
        if relevant & numbers.keys():
            names = ", ".join(sorted(numbers[each].path for each in relevant & numbers.keys()))
            return Judgement(CERTAIN, f"the code tests {names}, but lets values by that fail here")
        return Judgement(CERTAIN, "it depends on what text or a buffer holds, which may be anything")

    def _said_elsewhere(self, text: LazyObject, siblings: Siblings, error: Fault) -> str:
        """Why it is not the text that says where it ends, or how much room there is; "" if it does."""
        if error.access is not None and error.access.is_write:
            return f"it needs no room behind the text {text.path}"
        if error.access is not None and error.access.is_behind and compares_pointers(siblings.places):
            return f"it needs the text {text.path} to end before another pointer says so"
        return ""

    def _asked_by_libraries(
        self, failing: Sibling, siblings: Siblings, tests: Iterable[Term], numbers: Mapping[Term, CallerNumber]
    ) -> Iterator[Term]:
        """What a library has decided on the caller's numbers on the way, and no path that fails decides otherwise."""
        granted = [each for each in failing.state.path.constraints() if each in siblings.granted]
        tested = self._where((*tests, *granted))
        terms = [each for each in siblings.decided if each not in siblings.tested and numbers.keys() & each.symbols]
        for each in self._known(failing.state.path, terms):
            if tested is not None and self._chain.must(tested, each):
                continue
            if all(self._under(other.state.path, build.negate(each)) is None for other in siblings.failing):
                yield each

    def _texts(self, state: State, relevant: Collection[Term]) -> Iterator[tuple[str, set[Term]]]:
        """The texts of whose length the ``relevant`` symbols are, each with the symbols of its characters."""
        lazy = state.lazy
        for item in lazy.objects:
            if item.is_text:
                ends = [
                    each
                    for each in lazy.possible_ends(item).values()
                    if self._under(state.path, build.eq(each, 0, 8)) is not None
                ]
                if symbols_of([item.length, *ends]).intersection(relevant):
                    characters = [value for (number, _), value in lazy.numbers.items() if number == item.number]
                    yield item.path, symbols_of(characters)

    def _compares_with_nul(self, condition: Term, characters: Collection[Term]) -> bool:
        """Whether NUL is ruled out for a character, but not the next code: only a text is read like that."""
        return any(
            self._under(self._where((condition,)), build.eq(each, 0, each.width)) is None
            and self._under(self._where((condition,)), build.eq(each, 1, each.width)) is not None
            for each in condition.symbols.intersection(characters)
        )

    def _null_with_size(self, state: State) -> str | None:
        """A pointer that is null although the size beside it is not zero: what a size says is there is there."""
        for argument in state.lazy.arguments:
            match argument.room:
                case Term() as size if argument.value == 0:
                    if self._under(state.path, build.eq(size, 0, size.width)) is None:
                        return argument.name
        return None

    def _is_before(self, within: LazyObject, failing: Sibling, error: Fault) -> bool:
        """Whether it fails in front of where a pointer leads, of which nobody but the caller knows what is there."""
        is_in_front = error.access is not None and error.access.is_in_front
        if is_in_front and may_begin_before(within, failing.state.lazy, failing.required):
            return True
        return any(
            self._under(failing.state.path, build.sle(0, offset, offset.width)) is None
            for offset in offsets_beside(within, failing.required)
        )

    def _undefined(self, state: State) -> str | None:
        """A variable that the path has read and that is only declared."""
        variables = self._program.globals
        for record in state.inputs:
            name = record.name.removeprefix(UNWRITTEN).partition("[")[0].partition("+")[0].partition("#")[0]
            if record.kind == "uninit" and name in variables and variables[name].initializer is None:
                return name
        return None

    def _is_own(self, error: Fault) -> bool:
        """Whether the object that a fault names was made by the function, which nobody else in the project calls."""
        if self._is_called:
            return False
        return error.thing is not None and (error.thing.is_local or error.thing.is_block)

    def _missing_function(self, given: LazyHeap) -> str | None:
        """The null pointer to a function for which the project has none that it could lead to."""
        for argument in given.arguments:
            if argument.value == 0 and self._leads_to_function(argument.type):
                return argument.name
        for (number, offset), address in given.pointers.items():
            item = given.find(number)
            is_null = address == 0 and item is not None and item.cells is not None
            if is_null and self._leads_to_function(given.cell_at(number, offset).type):
                return path_of(given, number, offset)
        return None

    def _leads_to_function(self, kind: CType) -> bool:
        return isinstance(kind, Pointer) and isinstance(self._types.target(kind), Routine)

    def _turns(
        self, failing: Sibling, places: Collection[RestPlace], granted: Collection[Term]
    ) -> Iterator[tuple[bool, list[Term]]]:
        """What decides how often loops turn that turned again, each time with whether the path failed in the loop."""
        constraints, frames = failing.state.path.constraints(), failing.state.frames
        ends = (*failing.lengths[1:], failing.lengths[-1])
        turns = Counter(places)
        for place, start, end in zip(places, failing.lengths, ends, strict=True):
            if start == end or turns[place] == 1:
                continue
            frame = frames[place.depth - 1] if place.depth <= len(frames) else None
            inside = frame.block if frame is not None and frame.function is place.function else None
            after = targets(place.function.blocks[place.block].body[-1])
            for loop in self._facts[place.function].flow.loops.values():
                if place.block in loop and not loop.issuperset(after):
                    yield inside in loop, [each for each in constraints[start:end] if each not in granted]

    def _counted_alone(
        self, failing: Sibling, turns: Iterable[tuple[bool, list[Term]]], granted: Collection[Term]
    ) -> set[Term]:
        """The symbols of which only the turns of loops that the path has left have asked anything."""
        constraints = failing.state.path.constraints()
        left = {each for is_inside, conditions in turns if not is_inside for each in conditions}
        return symbols_of(left) - symbols_of(each for each in constraints if each not in left and each not in granted)

    def _is_tested(
        self,
        symbol: Term,
        numbers: Mapping[Term, CallerNumber],
        tests: Iterable[Term],
        fault: Iterable[Term],
        *,
        is_count: bool,
    ) -> bool:
        """Whether the path compares a number, and that bounds what fails. ``is_count``: loops turn so often.

        Negative numbers, and unsigned ones in memory, must be bounded by the tests: an access where sums wrap fails for
        a few of them, too. That a number in memory is less than another one there is no bound: whoever wrote both knows
        what they may be. Nor is a flag among its lower bits.
        """
        number = numbers[symbol]
        memory = set() if number.is_argument else {each for each in numbers if not numbers[each].is_argument}
        tests = [each for each in tests if not is_among(memory, each)]
        if symbol not in symbols_of(tests):
            return False
        tested = self._where(tests)
        path = self._where((*tests, *fault))
        width = symbol.width
        top = 1 << (width - 1)

        def may_be(value: int, where: PathCondition | None = path, *, low: int = 0) -> bool:
            upper = build.extract(symbol, low, width - low)
            return self._under(where, build.eq(upper, (value & (2 * top - 1)) >> low, width - low)) is not None

        has_room = width > _BYTE and not number.is_argument  # for flags, as some keep in numbers in memory

        def may_come_near(extreme: int, where: PathCondition | None = path) -> bool:
            return may_be(extreme, where, low=width // 2 if has_room else 0)

        if not number.is_signed:
            return path is not None and not may_be(0) and not may_come_near(-1, path if number.is_argument else tested)
        bounds = tested if number.is_argument else self._where(each for each in tests if each.symbols == {symbol})
        if may_be(-top) and not may_come_near(top - 1, bounds) and not is_count:
            return True
        is_below = may_be(0) and may_be(-1)
        sides = ((build.slt(symbol, 0, width), -top, bounds), (build.sle(0, symbol, width), top - 1, path))
        return not is_below and any(
            self._under(path, side) is not None and not may_come_near(extreme, where) for side, extreme, where in sides
        )

    def _tested_beside_count(
        self, within: LazyObject | None, tests: Sequence[Term], numbers: Mapping[Term, CallerNumber]
    ) -> set[Term]:
        """The arguments, and what text or a buffer holds, that the tests bound by the count of the elements that the
        object has, and with them the count. To bound is to rule out the largest value where there is one element.
        """
        counts = set() if within is None else counts_of(within, numbers)
        one = self._where((*tests, *(build.eq(each, 1, each.width) for each in counts)))
        beside = symbols_of(each for each in tests if counts & each.symbols) - counts
        bounded = {
            each
            for each in beside
            if one is not None
            and (each not in numbers or numbers[each].is_argument)
            and self._under(one, build.eq(each, largest(each, numbers.get(each)), each.width)) is None
        }
        return bounded | counts if bounded else bounded

    def _known(self, path: PathCondition, conditions: Iterable[Term]) -> list[Term]:
        """Which conditions, or their negations, are proved to hold on a path."""
        both = [known for each in conditions for known in (each, build.negate(each))]
        return [known for known in both if isinstance(known, Term) and self._chain.must(path, known)]

    def _is_far(self, numbers: Mapping[Term, CallerNumber], constraints: Iterable[Term]) -> bool:
        """Whether a path is only possible with sizes and offsets of more than half of all addresses."""
        near = [build.sle(0, each, _WORD) for each in numbers if each.width == _WORD and not numbers[each].is_signed]
        return self._where((*constraints, *near)) is None

    def _where(self, conditions: Iterable[Value]) -> PathCondition | None:
        """The path on which all conditions hold, if there is one."""
        path: PathCondition | None = PathCondition.EMPTY
        for condition in conditions:
            path = self._under(path, condition)
        return path

    def _under(self, path: PathCondition | None, condition: Value) -> PathCondition | None:
        """The path on which a condition holds, if there is one. Raises _Undecided if the solver gives up."""
        longer = None if path is None else self._chain.assume(path, condition)
        if isinstance(longer, Unknown):
            raise _Undecided
        return longer if isinstance(longer, PathCondition) else None


def _is_known(siblings: Siblings, given: LazyHeap) -> bool:
    """Whether it is known what becomes of all siblings, or of so many that they stand for all."""
    is_many = siblings.undecided == TOO_MANY and len(siblings.failing) >= _MANY and is_plain(given)
    return siblings.undecided is None or is_many


def _of_pointers(given: LazyHeap, others: Iterable[Sibling]) -> Judgement | None:
    """The judgement where it is a pointer that makes it fail: the first one that leads elsewhere in a sibling."""
    nearest = min(others, key=lambda each: len(differing_pointers(given, each.state)))
    for path, address in differing_pointers(given, nearest.state):
        if address == 0:
            reason = f"it needs a null pointer {path} that the code never tested"
            return Judgement(CONDITIONAL, reason, f"{path} is not null", f"{path} != 0")
        goal = goal_of(given, address)
        if goal == f"*{path}":
            return Judgement(
                CONDITIONAL, f"it needs {path} to lead to an object of its own, which the code never tested"
            )
        reason = f"it needs {path} to lead to {goal}, which the code never tested"
        other = goal.removeprefix("*") if address in given.functions or not offset_in(address) else ""
        requires = f"{path} != {other}" if other else ""
        return Judgement(CONDITIONAL, reason, f"{path} does not lead to {goal}", requires)
    return None
