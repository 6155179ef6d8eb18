"""Decides queries about single bytes without a solver, such as the tests that programs make of characters.

A condition on one byte is the set of values for which it holds, as the bits of an int. A conjunction of clauses over
such sets is decided by narrowing the bytes' sets and trying alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from unfork.logic.solve.recent import Recent
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unsat
from unfork.logic.solve.trial import Trial
from unfork.logic.terms.boolean import conjuncts, interval
from unfork.logic.terms.build import rebuild
from unfork.logic.terms.choice import plain
from unfork.logic.terms.columns import Columns
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term

WIDEST = 8
"""Widest symbol, in bits, whose values are tried."""
_PARTS = 1_000
"""Conjuncts to distinguish."""
_KNOWN = 40_000
"""Conditions to remember."""
_SYMBOLS = 256
"""Symbols with columns of values."""
_REMEMBERED = 32
"""Terms whose columns are kept for a symbol."""
_REMEMBERED_LATEST = 1_024
"""The same for the latest symbol: a loop over it makes each term from the one before."""


class ByteSets:
    """The sets of the latest conditions."""

    def __init__(self) -> None:
        self._sets: Recent[Term, int] = Recent(_KNOWN)
        self._columns: Recent[Term, Columns] = Recent(_SYMBOLS)
        self._latest: Columns | None = None

    def of(self, condition: Term, symbol: Term) -> int:
        """The values of its only symbol for which the condition holds."""
        sets = self._sets
        waiting = [condition]
        while waiting:
            term = waiting[-1]
            known = sets.get(term)
            if known is not None:
                waiting.pop()
                continue
            op = term.op
            parts = conjuncts(term, _PARTS) if op == "and" else term.args if op == "not" else ()
            of_parts = [values for part in parts if (values := sets.get(part)) is not None]
            if len(of_parts) < len(parts):
                waiting += [part for part in parts if sets.get(part) is None]
                continue
            values = everything(symbol) if parts else self._try_values(term, symbol)
            for of_part in of_parts:
                values &= of_part
            sets[term] = known = everything(symbol) ^ values if op == "not" else values
        assert known is not None
        return known

    def _try_values(self, condition: Term, symbol: Term) -> int:
        count = 1 << symbol.width
        between = interval(condition)
        if between is not None and between[0] is symbol:
            first, span = between[1], between[2] - between[1] & count - 1
            values = (1 << span + 1) - 1 << first
            return (values | values >> count) & everything(symbol)
        columns = self._columns.get(symbol)
        if columns is None:
            columns = self._columns[symbol] = Columns(symbol)
        result = 0
        for value, holds in enumerate(columns.of(condition)):
            result |= holds << value
        if columns is not self._latest:
            if self._latest is not None and len(self._latest) > _REMEMBERED:
                self._latest.forget()
            self._latest = columns
        if len(columns) > _REMEMBERED_LATEST:
            columns.forget()
        return result


def everything(symbol: Term) -> int:
    """The set of all values of a symbol."""
    return (1 << (1 << symbol.width)) - 1


def least(values: int) -> int:
    """The least value in a set."""
    return (values & -values).bit_length() - 1


Clause: TypeAlias = tuple[tuple[Term, int], ...]
"""Alternatives: one of the symbols, each of which occurs once, has a value in its set."""

_CLAUSES = 32
"""The solver gets a condition with more clauses."""
_NESTED = 16
"""The depth of nested conditions to take apart."""
_COMPARISONS = frozenset(("eq", "ult", "slt"))
_TRIALS = 500


class Domains:
    """A solver that decides queries about single bytes itself, and hands on the others.

    It is exact: a constraint is about single bytes only if each of its parts, between conjunctions and negations, is
    about one symbol of up to 8 bits, or compares choices between such.
    """

    def __init__(self, solver: Solver, is_hard: Callable[[Sequence[Term]], bool], trial: Trial) -> None:
        """``is_hard`` says whether a solver may take long over a query: then ``trial`` tries its inputs, if few."""
        self._solver = solver
        self._is_hard = is_hard
        self._trial = trial
        self._forget()

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The answer by narrowing, or that of the next solver.

        If some constraints are about more than single bytes, the others may still contradict each other.
        """
        if not constraints:
            return Sat(Model({}))
        clauses: list[Clause] = []
        most = _TRIALS
        for constraint in constraints:
            more = self._clauses_of(constraint)
            if more is None:
                most = 0
            else:
                clauses += more
        search = _Search(most)
        narrowed: dict[Term, int] = {}
        sets = search.solve(narrowed, clauses)
        if sets is None and search.trials <= most:
            return Unsat()
        if sets is None or most == 0:
            answer = self._trial.answer(constraints, narrowed) if self._is_hard(constraints) else None
            return self._solver.check(constraints, timeout) if answer is None else answer
        symbols = frozenset().union(*[constraint.symbols for constraint in constraints])
        return Sat(Model({symbol: least(sets.get(symbol, 1)) for symbol in symbols}))

    def _clauses_of(self, constraint: Term) -> Sequence[Clause] | None:
        known = self._clauses.get(constraint)
        if known is None:
            known = self._clauses[constraint] = (self._of(constraint, True, _NESTED),)
        return known[0]

    def forget(self) -> None:
        self._forget()
        self._solver.forget()

    def _forget(self) -> None:
        self._clauses: Recent[Term, tuple[list[Clause] | None]] = Recent(_KNOWN)
        self._sets = ByteSets()

    def close(self) -> None:
        self._solver.close()

    def _of(self, condition: Term, holds: bool, nested: int) -> list[Clause] | None:
        """The clauses of a condition, or of its negation; None if it is not about single bytes.

        ``nested`` limits the depth of conditions to look into.
        """
        while condition.op == "not":
            condition, holds = condition.args[0], not holds
        if len(condition.symbols) == 1:
            (symbol,) = condition.symbols
            if symbol.width > WIDEST:
                return None
            values = self._sets.of(condition, symbol)
            return [((symbol, values if holds else everything(symbol) ^ values),)]
        if condition.op in _COMPARISONS:
            return self._of_choice(condition, holds, nested - 1) if nested else None
        if condition.op != "and" or not nested:
            return None
        gathered: list[Clause] = [] if holds else [()]
        for part in conjuncts(condition, _PARTS):
            clauses = self._of(part, holds, nested - 1)
            if clauses is None:
                return None
            gathered = gathered + clauses if holds else [_either(a, b) for a in gathered for b in clauses]
            if len(gathered) > _CLAUSES:
                return None
        return gathered

    def _of_choice(self, comparison: Term, holds: bool, nested: int) -> list[Clause] | None:
        """A comparison of ``ite c a b``: where c holds that of a, else that of b."""
        first, second = comparison.args
        choice, fixed = (first, plain(second)) if first.op == "ite" else (second, plain(first))
        if choice.op != "ite" or any(symbol.width > WIDEST for symbol in comparison.symbols):
            return None
        gathered: list[Clause] = []
        for side, result in ((False, choice.args[1]), (True, choice.args[2])):
            other = self._of(choice.args[0], side, nested)
            if other is None:
                return None  # first of all: choices nest, and few of them are about single bytes
            operands = (plain(result), fixed) if choice is first else (fixed, plain(result))
            compared = rebuild(comparison, operands)
            if isinstance(compared, Term):
                clauses = self._of(compared, holds, nested)
            else:
                clauses = [] if bool(compared) == holds else [()]
            if clauses is None:
                return None
            gathered += [_either(a, b) for a in other for b in clauses]
            if len(gathered) > _CLAUSES:
                return None
        return gathered


def _either(a: Clause, b: Clause) -> Clause:
    sets = dict(a)
    for symbol, values in b:
        sets[symbol] = sets.get(symbol, 0) | values
    return tuple(sets.items())


def narrow(sets: dict[Term, int], clauses: list[Clause]) -> list[Clause] | None:
    """Narrow ``sets`` by clauses with one alternative left. Returns clauses with several; None if one has none."""
    narrowed = True
    while narrowed:
        narrowed = False
        still_open: list[Clause] = []
        for clause in clauses:
            left: list[tuple[Term, int]] = []
            for symbol, values in clause:
                now = sets.get(symbol)
                if now is None:
                    now = everything(symbol)
                common = now & values
                if common == now:
                    break  # the clause holds for all values
                if common:
                    left.append((symbol, common))
            else:
                if not left:
                    return None
                if len(left) == 1:
                    sets[left[0][0]] = left[0][1]
                    narrowed = True
                else:
                    still_open.append(tuple(left))
        clauses = still_open
    return clauses


class _Search:
    """One search for values. Gives up (None) after ``most`` ``trials`` of alternatives."""

    __slots__ = ("_most", "trials")

    def __init__(self, most: int) -> None:
        self._most = most
        self.trials = 0

    def solve(self, sets: dict[Term, int], clauses: list[Clause]) -> dict[Term, int] | None:
        """``sets`` narrowed so that any values in them satisfy the clauses; None if there are none."""
        waiting = [(sets, clauses)]
        while waiting:
            sets, clauses = waiting.pop()
            left = narrow(sets, clauses)
            if left is None:
                continue
            if not left:
                return sets
            self.trials += 1
            if self.trials > self._most:
                return None
            symbol, values = min(left, key=len)[0]
            waiting.append(({**sets, symbol: sets.get(symbol, everything(symbol)) & ~values}, left))
            waiting.append(({**sets, symbol: values}, left))
        return None
