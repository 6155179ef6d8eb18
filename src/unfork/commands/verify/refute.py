"""Refutes the negation of formulas: quantifiers become instances at the cells that a query reads.

A formula that is not refuted may still hold: a few rounds find only some instances.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product
from typing import NamedTuple, Protocol

from unfork.engine.meaning.formula import All, Formula, Ground, QuantifiedFormula, Some, Universal, Values
from unfork.engine.state.unbounded import CellsOfSymbols, UniversalFact, UnknownCell, linear
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.linear import Linear
from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import symbol

ROUNDS = 3
"""How often instances give rise to further instances."""
INSTANCES = 400
"""The most instances of all claims in one query."""
MOST_CONDITIONS = 6_000
"""The most conditions of a query."""
ENDS = 16
"""The most instances of a claim at the ends of its ranges."""
OFFSET_BITS = 64
_ORDERS = ("slt", "sle", "ult")
_FALSE = Unsat()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A cell that a claim reads: ``contents`` at ``factor`` times a variable plus ``rest``, plus ``others`` times one
    variable each, as in a matrix. The factors differ.
    """

    cell: UnknownCell
    variable: int
    factor: int
    rest: Linear
    others: tuple[int, ...]


class _Shape(NamedTuple):
    """The cells that a claim reads, what its variables equal, its divisors, the ends of ranges, and cells at fixed
    places.
    """

    patterns: list[_Pattern]
    own: list[list[Value]]
    divisors: set[int]
    ends: list[list[Value]]
    fixed: list[UnknownCell]


class LogicValues(Protocol):
    """Facts about logic functions whose applications are symbols (lemmas.py)."""

    def depends_on(self, application: Term) -> Iterable[Term]:
        """The symbols in its arguments."""

    def arguments(self, applications: Iterable[Term]) -> Iterable[UnknownCell]:
        """The integer arguments, as if each were the offset of a cell that is read."""

    def congruence(self, applications: Iterable[Term]) -> Iterable[Value]:
        """That applications to equal arguments are equal."""

    def facts(self, applications: Iterable[Term]) -> Iterable[tuple[Hashable, Formula]]:
        """Facts about applications, each with a unique name."""


class NoLogic:
    """Null object."""

    def depends_on(self, application: Term) -> Iterable[Term]:
        return ()

    def arguments(self, applications: Iterable[Term]) -> Iterable[UnknownCell]:
        return ()

    def congruence(self, applications: Iterable[Term]) -> Iterable[Value]:
        return ()

    def facts(self, applications: Iterable[Term]) -> Iterable[tuple[Hashable, Formula]]:
        return ()


@dataclass(slots=True)
class _Query:
    """A conjunction under construction."""

    conditions: dict[Term, None] = field(default_factory=dict)
    claims: list[Universal] = field(default_factory=list)
    witnesses: list[Term] = field(default_factory=list)
    seen: set[tuple[int, Values]] = field(default_factory=set)
    facts: set[Hashable] = field(default_factory=set)
    is_false: bool = False

    def may_hold(self) -> bool:
        return not self.is_false

    def add(self, condition: Value) -> None:
        if isinstance(condition, Term):
            self.conditions[condition] = None
        elif not condition:
            self.is_false = True


NO_LOGIC = NoLogic()


class Refuter:
    """Decides whether a formula contradicts a path. ``fresh`` numbers witnesses."""

    def __init__(
        self, cells: CellsOfSymbols, solver: Solver, fresh: Callable[[], int], logic: LogicValues = NO_LOGIC
    ) -> None:
        self._cells = cells
        self._logic = logic
        self._solver = solver
        self._fresh = fresh
        self.operators = 0
        """Operators in queries about formulas."""
        self.asked: Sequence[Term] = ()
        """The last query about a formula; empty if the solver had none."""
        self.operators_of_vacuity = 0
        """Operators in queries about paths alone."""
        self._patterns: dict[Universal, _Shape] = {}

    def plain(self) -> Refuter:
        """A refuter whose refutations rest on no definition: it knows only that logic functions are functions."""
        return Refuter(self._cells, self._solver, self._fresh)

    def check(
        self, path: PathCondition, claims: Sequence[UniversalFact], formula: Formula, timeout: float = FOREVER
    ) -> Answer:
        """Unsat if no values of the path make the formula true. A Sat may be wrong if there are quantifiers."""
        query = _query_of(path, claims)
        self._assume(query, 1, formula)
        answer, size = self._answer(query, timeout)
        self.asked = self._whole(query) if query.may_hold() and not isinstance(answer, Unsat) else ()
        self.operators += size
        return answer

    def is_contradiction(self, path: PathCondition, claims: Sequence[UniversalFact], timeout: float = FOREVER) -> bool:
        """Whether a path cannot be, by claims at the cells that it reads and at the ends of their ranges."""
        query = _query_of(path, claims)
        for number, claim in enumerate(list(query.claims)):
            ends = self._pattern(claim).ends
            for values in islice(product(*ends), ENDS):
                query.seen.add((number, values))
                self._assume(query, 1, claim.at(values))
        answer, size = self._answer(query, timeout)
        self.operators_of_vacuity += size
        return isinstance(answer, Unsat)

    def _answer(self, query: _Query, timeout: float) -> tuple[Answer, int]:
        """The answer, and the operators that the solver received."""
        answer: Answer = _FALSE
        size = 0
        for turn in range(ROUNDS):
            is_more = query.may_hold() and (self._instantiate(query, divides=turn > 0) or turn == 0)
            if not query.may_hold():
                return _FALSE, size
            whole = self._whole(query)
            size += _size(whole)
            if len(whole) > MOST_CONDITIONS:
                too_many = Unknown(f"more than {MOST_CONDITIONS} instances and comparisons of cells")
                return answer if turn else too_many, size
            answer = self._solver.check(whole, timeout)
            if not isinstance(answer, Sat) or not is_more:
                break  # with more instances, what was too hard gets harder
        return answer, size

    # --- formulas

    def _assume(self, query: _Query, guard: Value, formula: Formula) -> None:
        waiting: list[tuple[Value, Formula]] = [(guard, formula)]
        while waiting:
            guard, formula = waiting.pop()
            match formula:
                case Ground(value):
                    query.add(build.either(build.negate(guard), value))
                case All(formulas):
                    waiting += [(guard, each) for each in formulas]
                case QuantifiedFormula(exists=True, widths=widths, body=body):
                    witnesses = [self._symbol("witness", width) for width in widths]
                    query.witnesses += witnesses
                    waiting.append((guard, body(tuple(witnesses))))
                case QuantifiedFormula(exists=False, widths=widths, body=body):
                    query.claims.append(Universal(widths, body, guard))
                case Some(formulas):
                    alternatives: list[Value] = [build.negate(guard)]
                    for each in _flat(formulas):
                        if isinstance(each, Ground):
                            alternatives.append(each.value)
                        else:
                            chosen = self._symbol("case", 1)
                            alternatives.append(chosen)
                            waiting.append((chosen, each))
                    query.add(build.disjunction(alternatives))

    def _symbol(self, prefix: str, width: int) -> Term:
        return symbol(f"{prefix}#{self._fresh()}", width)

    # --- instances

    def _instantiate(self, query: _Query, *, divides: bool) -> bool:
        """Add instances of claims at cells that a query reads, or at what it ``divides`` by; whether any is new."""
        before = len(query.seen) + len(query.facts)
        for name, fact in self._logic.facts(self._reached(query.conditions)):
            if name not in query.facts and len(query.facts) < INSTANCES:
                query.facts.add(name)
                self._assume(query, 1, fact)
        reached = self._reached(query.conditions)
        reads = [*self._reads(reached), *self._logic.arguments(reached)]
        self._at_reads(query, reads, divides=divides)
        if len(query.seen) + len(query.facts) == before:
            # What the query does not read, claims may read at fixed places, whatever their variables are.
            self._at_reads(
                query, [cell for each in query.claims for cell in self._pattern(each).fixed], divides=divides
            )
        return len(query.seen) + len(query.facts) > before

    def _at_reads(self, query: _Query, reads: Sequence[UnknownCell], *, divides: bool) -> None:
        for number, claim in enumerate(list(query.claims)):
            for values in self._candidates(query, claim, reads, divides=divides):
                if len(query.seen) >= INSTANCES:
                    return
                if (number, values) not in query.seen:
                    query.seen.add((number, values))
                    self._assume(query, 1, claim.at(values))

    def _candidates(
        self, query: _Query, claim: Universal, reads: Sequence[UnknownCell], *, divides: bool
    ) -> Iterator[Values]:
        """The values of a claim's variables for which it is about these cells."""
        patterns, own, divisors, _, _ = self._pattern(claim)
        choices: list[dict[Value, None]] = [dict.fromkeys(values) for values in own]
        for pattern in patterns:
            for cell in reads:
                if cell.contents is pattern.cell.contents and cell.size == pattern.cell.size:
                    value = _solved(pattern, cell.offset, claim.widths[pattern.variable])
                    if value is not None:
                        choices[pattern.variable][value] = None
        with_pattern = {pattern.variable for pattern in patterns if not pattern.others}
        for variable, width in enumerate(claim.widths):
            if variable not in with_pattern:
                choices[variable].update((each, None) for each in query.witnesses if each.width == width)
            if divides and variable in divisors:
                choices[variable].update((_resized(each, width), None) for each in _divisors(query.conditions))
        return islice(product(*choices), INSTANCES)

    def _pattern(self, claim: Universal) -> _Shape:
        known = self._patterns.get(claim)
        if known is None:
            variables = [self._symbol("variable", width) for width in claim.widths]
            inner: dict[Term, None] = {}
            conditions = list(_ground(claim.at(tuple(variables)), inner))
            patterns: list[_Pattern] = []
            fixed: list[UnknownCell] = []
            reached = self._reached(conditions)
            for cell in (*self._reads(reached), *self._logic.arguments(reached)):
                patterns += _patterns(cell, variables, inner)
                if not isinstance(cell.offset, Term) or cell.offset.symbols.isdisjoint((*variables, *inner)):
                    fixed.append(cell)
            own = [list(_beside(conditions, variable, ("eq",))) for variable in variables]
            dividing = {_core(each) for each in _divisors(conditions)}
            divisors = {number for number, variable in enumerate(variables) if variable in dividing}
            ends = [list(_ends(conditions, variable)) for variable in variables]
            known = self._patterns[claim] = _Shape(patterns, own, divisors, ends, fixed)
        return known

    def _reached(self, conditions: Iterable[Term]) -> list[Term]:
        """The symbols of conditions, and of their cells' offsets and logic functions' arguments."""
        reached: dict[Term, None] = {}
        waiting = [each for condition in conditions for each in ordered(condition)]
        while waiting:
            each = waiting.pop()
            if each not in reached:
                reached[each] = None
                cell = self._cells.of.get(each)
                if cell is None:
                    waiting += self._logic.depends_on(each)
                elif isinstance(cell.offset, Term):
                    waiting += ordered(cell.offset)
        return list(reached)

    def _reads(self, reached: Iterable[Term]) -> list[UnknownCell]:
        return [cell for each in reached if (cell := self._cells.of.get(each)) is not None]

    def _whole(self, query: _Query) -> list[Term]:
        """The query, with equality of cells at equal offsets."""
        conditions = dict(query.conditions)
        reached = self._reached(query.conditions)
        for condition in self._logic.congruence(reached):
            if isinstance(condition, Term):
                conditions[condition] = None
        groups: dict[tuple[int, int], list[UnknownCell]] = {}
        for cell in self._reads(reached):
            groups.setdefault((id(cell.contents), cell.size), []).append(cell)
        for cells in groups.values():
            for a, b in combinations(cells, 2):
                differ = build.ne(a.offset, b.offset, OFFSET_BITS)
                left, right = a.contents.cell(a.offset, a.size), b.contents.cell(b.offset, b.size)
                condition = build.either(differ, build.eq(left, right, 8 * a.size))
                if isinstance(condition, Term):
                    conditions[condition] = None
        return list(conditions)


def _query_of(path: PathCondition, claims: Sequence[UniversalFact]) -> _Query:
    query = _Query(dict.fromkeys(path.constraints()))
    query.claims += [claim for claim in claims if isinstance(claim, Universal)]
    return query


def _size(conditions: Iterable[Term]) -> int:
    """The operators of conditions, shared ones once."""
    return sum(1 for term in postorder(tuple(conditions)) if term.args)


def ordered(term: Term) -> list[Term]:
    """The symbols of a term by name."""
    return sorted(term.symbols, key=lambda each: each.name)


def _flat(formulas: Iterable[Formula]) -> Iterator[Formula]:
    waiting = list(formulas)[::-1]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, Some):
            waiting += reversed(formula.formulas)
        else:
            yield formula


def _ground(formula: Formula, inner: dict[Term, None]) -> Iterator[Term]:
    """The conditions in a formula. Adds variables of inner quantifiers to ``inner``."""
    waiting = [formula]
    while waiting:
        formula = waiting.pop()
        match formula:
            case Ground(value):
                if isinstance(value, Term):
                    yield value
            case All(formulas) | Some(formulas):
                waiting += formulas
            case QuantifiedFormula(_, widths, body):
                variables = [symbol(f"inner#{len(inner) + number}", width) for number, width in enumerate(widths)]
                inner |= dict.fromkeys(variables)
                waiting.append(body(tuple(variables)))


# --- patterns --------------------------------------------------------------------------------------------------------


def _patterns(cell: UnknownCell, variables: Sequence[Term], inner: Iterable[Term]) -> Iterator[_Pattern]:
    """How a cell's offset depends on variables, if each is in one plain addend."""
    if not isinstance(cell.offset, Term):
        return
    rest = linear(cell.offset)
    occurring = [each for each in (*variables, *inner) if each in cell.offset.symbols]
    factors: dict[Term, int] = {}
    for variable in occurring:
        addends = [addend for addend in rest.factors if variable in addend.symbols]
        if len(addends) != 1 or _core(addends[0]) is not variable:
            return
        factors[variable] = rest.factors.pop(addends[0])
    if len({abs(factor) for factor in factors.values()}) == len(factors):
        for number, variable in enumerate(variables):
            if variable in factors:
                others = tuple([factor for each, factor in factors.items() if each is not variable])
                yield _Pattern(cell, number, factors[variable], rest, others)


def _core(term: Term) -> Term:
    while term.op in ("sext", "zext") or (term.op == "extract" and term.offset == 0):
        term = term.args[0]
    return term


def _divisors(conditions: Iterable[Term]) -> dict[Term, None]:
    seen: set[Term] = set()
    divisors: dict[Term, None] = {}
    waiting = list(conditions)
    while waiting:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += term.args
            if term.op in ("sdiv", "srem", "udiv", "urem") and term.args[1].op != "const":
                divisors[term.args[1]] = None
    return divisors


def _resized(term: Term, width: int) -> Value:
    if term.width < width:
        return build.sext(term, term.width, width)
    return build.trunc(term, term.width, width) if term.width > width else term


def _solved(pattern: _Pattern, offset: Value, width: int) -> Value | None:
    """The variable's value for which a claim reads the cell at ``offset``, if there is a plain one."""
    total = Linear()
    if isinstance(offset, int):
        total.constant = offset - (offset >> OFFSET_BITS - 1 << OFFSET_BITS)
    else:
        total = linear(offset)
    factors = dict(total.factors)
    for addend, factor in pattern.rest.factors.items():
        factors[addend] = factors.get(addend, 0) - factor
    constant = total.constant - pattern.rest.constant
    if pattern.others:
        constant, factors = _row(constant, factors, pattern)
    return _quotient(constant, factors, pattern.factor, width)


def _row(constant: int, factors: dict[Term, int], pattern: _Pattern) -> tuple[int, dict[Term, int]]:
    """The part of an offset that belongs to a pattern's variable: larger factors first."""
    own = abs(pattern.factor)
    larger = sorted([abs(each) for each in pattern.others if abs(each) > own], reverse=True)
    factors = {addend: factor for addend, factor in factors.items() if all(factor % each for each in larger)}
    for each in larger:
        constant %= each
    if len(larger) < len(pattern.others):
        factors = {addend: factor for addend, factor in factors.items() if not factor % own}
        constant -= constant % own
    return constant, factors


def _quotient(constant: int, factors: dict[Term, int], divisor: int, width: int) -> Value | None:
    """A 64-bit sum, divided exactly, in ``width`` bits."""
    if constant % divisor or any(factor % divisor for factor in factors.values()):
        return None
    mask = (1 << OFFSET_BITS) - 1
    result: Value = constant // divisor & mask
    for addend, factor in factors.items():
        result = build.add(result, build.mul(addend, factor // divisor & mask, OFFSET_BITS), OFFSET_BITS)
    if width > OFFSET_BITS:
        return build.sext(result, OFFSET_BITS, width)
    return build.trunc(result, OFFSET_BITS, width) if width < OFFSET_BITS else result


def _ends(conditions: Sequence[Term], variable: Term) -> dict[Value, None]:
    """The ends of a variable's ranges, and their neighbours."""
    width, ends = variable.width, dict[Value, None]()
    for end in _beside(conditions, variable, _ORDERS):
        for each in (end, build.add(end, 1, width), build.sub(end, 1, width)):
            ends[each] = None
    return ends


def _beside(conditions: Sequence[Term], variable: Term, operations: Sequence[str]) -> Iterator[Value]:
    seen: set[Term] = set()
    waiting = list(conditions)
    while waiting:
        term = waiting.pop()
        if term in seen or variable not in term.symbols:
            continue
        seen.add(term)
        waiting += term.args
        if term.op not in operations:
            continue
        for side, other in (term.args, term.args[::-1]):
            if _core(side) is variable and variable not in other.symbols:
                yield _resized(other, variable.width)
