"""Guards of demands: a demand that not all inputs have to keep which come through holds beside what they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.commands.scan.case_questions import CaseQuestions
from unfork.commands.scan.contract_input import ContractInput
from unfork.commands.scan.failing_input import numbers_of
from unfork.commands.scan.judgement import Apart, Demand, LongText, NotNull, NotNullUnless, NumbersAllow
from unfork.commands.scan.requirements import excluding
from unfork.commands.scan.siblings import NAMELESS
from unfork.engine.state.lazy import LazyObject, names_places
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.term import Term, Value

_MOST = 3
"""Guards of a demand: beyond that nobody reads it."""
_MOST_READS = 2
"""The most pointers through which a guarded demand reads."""
_LONGEST = 60
"""Characters of a guard about numbers."""
_MOST_TESTS = 24
"""Conditions of a path that are tried as guards."""


@dataclass(frozen=True, slots=True)
class NullGuard:
    """A pointer is null, or is not."""

    pointer: str
    is_null: bool
    reads: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.pointer} {'==' if self.is_null else '!='} 0"


@dataclass(frozen=True, slots=True)
class NumberGuard:
    """A condition (1 bit) over numbers holds."""

    condition: Value
    text: str
    reads: tuple[str, ...]


Guard = NullGuard | NumberGuard


@dataclass(frozen=True, slots=True)
class GuardedDemand:
    """A demand that an input has to keep unless one of ``guards`` holds, which are read first. ``text`` is the demand
    in C; it reads through the pointers ``reads``.
    """

    demand: Demand
    text: str
    reads: tuple[str, ...]
    guards: tuple[Guard, ...] = ()

    @property
    def condition(self) -> str:
        """All of it in C."""
        return in_c(self.guards, [self.text])


def in_c(guards: Sequence[Guard], texts: Sequence[str]) -> str:
    """Demands in C that have the same guards."""
    if len(texts) > 1:
        texts = [" && ".join(f"({each})" if " || " in each else each for each in texts)]
    sides = [*[each.text for each in guards], *texts]
    return " || ".join(f"({each})" if " && " in each and len(sides) > 1 else each for each in sides)


def demand_in(demand: Demand, text: str, failing: ContractInput) -> GuardedDemand:
    """The demand without guards, as the path ``failing`` shows what it reads."""
    reads: dict[str, None] = {}
    match demand:
        case NotNull(pointer):
            reads |= dict.fromkeys(failing.behind(pointer))
        case NumbersAllow(condition):
            reads |= dict.fromkeys(failing.behind_numbers(_symbols(condition)))
        case NotNullUnless(pointer, condition):
            reads |= dict.fromkeys((*failing.behind(pointer), *failing.behind_numbers(_symbols(condition))))
        case Apart(pointer, other):
            reads |= dict.fromkeys((*failing.behind(pointer), *failing.behind(other)))
        case LongText(pointer):
            reads |= dict.fromkeys((*failing.behind(pointer), pointer))
    return GuardedDemand(demand, text, tuple(reads))


class Guarding:
    """Finds guards, with which no path contradicts a demand that ended without a fault. Raises SolverGaveUp."""

    def __init__(self, ask: CaseQuestions, *, is_narrow: bool) -> None:
        self._ask = ask
        self._is_narrow = is_narrow

    def guarded(
        self,
        bare: GuardedDemand,
        failing: ContractInput,
        through: Sequence[ContractInput],
        elsewhere: Sequence[ContractInput],
    ) -> GuardedDemand | None:
        """The demand with as few guards as the paths ``through`` show to be needed. They do not hold on the path
        ``failing``, nor on those that fail ``elsewhere``. None if there are none, or too many for a reader.
        """
        broken = [each for each in through if self.is_broken(bare, each)]
        if broken and (len(bare.reads) > _MOST_READS or _is_of_list(bare, failing, through)):
            return None
        chosen, others = list[Guard](), list(self._guards(failing) if broken else ())
        others = [
            guard
            for guard in others
            if not any(self.may_hold([replace(bare, guards=(guard,))], each, each.state.path) for each in elsewhere)
        ]
        while broken:
            left = {
                each: [one for one in broken if self.is_broken(replace(bare, guards=(each,)), one)] for each in others
            }
            best = min(others, key=lambda each: (len(left[each]), len(each.reads), len(each.text)), default=None)
            if best is None or len(left[best]) == len(broken) or len(chosen) == _MOST:
                return None
            others.remove(best)
            chosen.append(best)
            broken = left[best]
        chosen.sort(key=lambda each: (isinstance(each, NumberGuard), len(each.reads)))
        found = replace(bare, guards=tuple(chosen))
        return None if any(self.is_broken(found, each) for each in through) else found

    def _guards(self, failing: ContractInput) -> Iterator[Guard]:
        """What does not hold on a failing path, in C."""
        for pointer, address in failing.pointers.items():
            if pointer != NAMELESS and names_places(pointer) and len(failing.behind(pointer)) < _MOST_READS:
                yield NullGuard(pointer, address != 0, failing.behind(pointer))
        numbers = numbers_of(failing.state)
        tests = (part for each in failing.state.path.constraints() for part in conjuncts(each))
        tried = [each for each in dict.fromkeys(tests) if each.symbols and each.symbols <= numbers.keys()]
        for each in tried[:_MOST_TESTS]:
            text, reads = excluding([each], numbers, is_narrow=self._is_narrow), failing.behind_numbers(each.symbols)
            if text and len(text) <= _LONGEST and len(reads) <= _MOST_READS:
                yield NumberGuard(build.negate(each), text, reads)

    def is_broken(self, demand: GuardedDemand, through: ContractInput) -> bool:
        """Whether an input of a path that ended without a fault breaks a demand, or a pointer is null there through
        which it reads. What the path did not read may be anything.
        """
        leading, left = set[str](), through.state.path
        for each in demand.guards:
            if _is_null_in(each.reads, through, leading):
                return True
            match each:
                case NullGuard(pointer, is_null):
                    address = through.pointers.get(pointer)
                    if address is not None and (address == 0) == is_null:
                        return False
                    leading |= {pointer} if is_null else set()
                case NumberGuard(condition):
                    longer = self._ask.under(left, build.negate(condition))
                    if longer is None:
                        return False
                    left = longer
        if _is_null_in(demand.reads, through, leading):
            return True
        return self._breaks(demand.demand, through, left, leading)

    def _breaks(self, demand: Demand, through: ContractInput, path: PathCondition, leading: set[str]) -> bool:
        match demand:
            case NotNull(pointer):
                return _may_be_null(pointer, through, leading)
            case NumbersAllow(condition):
                return self._may_break(path, condition, through)
            case NotNullUnless(pointer, condition):
                return _may_be_null(pointer, through, leading) and self._may_break(path, condition, through)
            case Apart(pointer, other):
                return pointer not in through.pointers or _meet(pointer, other, through)
            case LongText(pointer, least):
                text = through.text(f"strlen({pointer})")
                return text is None or self._may_end_before(path, text, least, through)

    def _may_break(self, path: PathCondition, condition: Value, through: ContractInput) -> bool:
        lengths = [through.text(each.name) for each in _symbols(condition)]
        if not through.is_apart or any(each is not None and isinstance(each.length, int) for each in lengths):
            return False  # its numbers may have other names
        return self._ask.under(path, build.negate(condition)) is not None

    def _may_end_before(self, path: PathCondition, text: LazyObject, least: int, through: ContractInput) -> bool:
        """Whether a text may have fewer than ``least`` characters."""
        if isinstance(text.length, Term):
            return self._ask.under(path, build.ule(text.length, least, 64)) is not None
        ends = through.state.lazy.possible_ends(text)
        known = max(ends, default=text.length - 1) + 1
        return known < least or any(
            self._ask.under(path, build.eq(character, 0, 8)) is not None
            for position, character in ends.items()
            if position < least
        )

    def may_hold(self, demands: Iterable[GuardedDemand], state: ContractInput, path: PathCondition | None) -> bool:
        """Whether an input of a path keeps all demands."""
        for each in demands:
            sides = [_side(guard, state) for guard in each.guards]
            path = self._ask.under(path, build.disjunction([*sides, *_bare_sides(each.demand, state)]))
        return path is not None

    def shows(self, demand: GuardedDemand, demands: Iterable[GuardedDemand], through: ContractInput) -> bool:
        """Whether a path has read what a demand is about, and an input of it keeps that and the other demands."""
        match demand.demand:
            case NotNull(pointer) | Apart(pointer):
                is_read = pointer in through.pointers
            case NumbersAllow(condition):
                is_read = through.has_read(_symbols(condition))
            case NotNullUnless(pointer, condition):
                is_read = pointer in through.pointers and through.has_read(_symbols(condition))
            case LongText(pointer):
                is_read = through.text(f"strlen({pointer})") is not None
        all_ = [replace(each, guards=()) if each is demand else each for each in demands]
        return is_read and self.may_hold(all_, through, through.state.path)


def _is_of_list(demand: GuardedDemand, failing: ContractInput, through: Iterable[ContractInput]) -> bool:
    """Whether a demand is about an element of a list, from which paths go on to the next one."""
    match demand.demand:
        case NotNull(pointer) | Apart(pointer) | LongText(pointer):
            members = failing.members((pointer,), ())
        case NumbersAllow(condition):
            members = failing.members((), _symbols(condition))
        case NotNullUnless(pointer, condition):
            members = failing.members((pointer,), _symbols(condition))
    return failing.goes_on(demand.reads) or any(each.goes_on_from(members) for each in (failing, *through))


def _symbols(condition: Value) -> frozenset[Term]:
    return condition.symbols if isinstance(condition, Term) else frozenset()


def _is_null_in(pointers: Iterable[str], through: ContractInput, leading: set[str]) -> bool:
    """Whether one of the pointers through which C reads may be null."""
    return any(_may_be_null(each, through, leading) for each in pointers)


def _may_be_null(pointer: str, through: ContractInput, leading: set[str]) -> bool:
    """Whether a pointer is null on a path, or was not read there and is not among those known to lead somewhere."""
    return through.pointers.get(pointer, 0) == 0 and pointer not in leading


def _meet(pointer: str, other: str, through: ContractInput) -> bool:
    """Whether two pointers lead to the same place."""
    known: Mapping[str, int] = through.pointers
    return known.get(other, 0) != 0 and known[pointer] == known.get(other)


def _side(guard: Guard, state: ContractInput) -> Value:
    match guard:
        case NullGuard(pointer, is_null):
            address = state.pointers.get(pointer)
            return 1 if address is None or (address == 0) == is_null else 0
        case NumberGuard(condition):
            return condition


def _bare_sides(demand: Demand, state: ContractInput) -> tuple[Value, ...]:
    """The conditions of which one has to hold for a demand."""
    match demand:
        case NotNull(pointer):
            return (_may_lead(pointer, state),)
        case NumbersAllow(condition):
            return (condition,)
        case NotNullUnless(pointer, condition):
            return (_may_lead(pointer, state), condition)
        case Apart(pointer, other):
            return (int(pointer not in state.pointers or not _meet(pointer, other, state)),)
        case LongText(pointer, least):
            return (_reaches(state.text(f"strlen({pointer})"), least, state),)


def _reaches(text: LazyObject | None, least: int, state: ContractInput) -> Value:
    """Whether a text may have ``least`` characters, as far as a path has read it."""
    if text is None:
        return 1
    if isinstance(text.length, Term):
        return build.ult(least, text.length, 64)
    ends = state.state.lazy.possible_ends(text)
    return build.conjunction([build.ne(character, 0, 8) for at, character in ends.items() if at < least])


def _may_lead(pointer: str, state: ContractInput) -> int:
    """Whether a pointer may lead somewhere on a path."""
    return int(state.pointers.get(pointer) != 0)
