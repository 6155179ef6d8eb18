"""Values that a program only compares and chooses among, by their rank: a few bits in place of many.

Sorting, searching and minima depend only on the order of their inputs. A query about inputs that no operation
computes with has an answer with values from any set in which every order of them occurs (the small-model property of
order logic; Pnueli, Rodeh, Strichman and Siegel 1999). So ten ints need four bits each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from unfork.logic.solve.path import Components, connected
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.boolean import interval
from unfork.logic.terms.build import rebuild
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term, Value, postorder, sort_terms
from unfork.logic.terms.term_table import symbol

RANK = "\0rank"
"""The end of a rank's name; names in programs have no zero byte."""
_COMPARISONS = frozenset(("eq", "ult", "slt"))
_CONNECTIVES = frozenset(("not", "and", "xor", "ite", "eq"))
_VALUES = 4_096
"""A class that would need more values stays as it is."""
_KNOWN = 200_000
_PLANS = 16


@dataclass(frozen=True, slots=True)
class _Group:
    """Values that one condition compares with each other or chooses among.

    ``atoms`` are their symbols and choices among constants, ``signs`` the orders (signed or not) in which it
    compares.
    """

    atoms: frozenset[Term]
    signs: frozenset[str]
    constants: frozenset[int]
    has_choice: bool


@dataclass(frozen=True, slots=True)
class _Summary:
    """The groups of a condition, and the symbols that it computes with."""

    groups: tuple[_Group, ...]
    computed: frozenset[Term]
    has_choice: bool


@dataclass(frozen=True, slots=True)
class _Class:
    """The values that stand for all others of a class, ascending: a value's rank is its index."""

    values: tuple[int, ...]
    width: int
    """Bits of a rank."""
    ranks: dict[int, int] = field(compare=False)
    """The rank of each value."""


_Classes: TypeAlias = frozenset[tuple[frozenset[Term], _Class]]
"""Classes with their atoms."""


class Ranked:
    """A solver that passes a query on in ranks where it compares and chooses but does not compute.

    It is exact. Queries without a choice stay as they are: solvers are quick with plain comparisons of inputs.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._chosen: dict[Term, bool] = {}
        """Whether a condition compares or chooses inputs through a choice."""
        self._summaries: dict[Term, _Summary] = {}
        self._plans: dict[_Classes, _Plan] = {}

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The next solver's answer, with values in place of ranks."""
        if not any(self._may_pay(constraint) for constraint in constraints):
            return self._solver.check(constraints, timeout)
        classes = _classes([self._summary(constraint) for constraint in constraints])
        if not classes:
            return self._solver.check(constraints, timeout)
        return self._of_ranks(self._plan(classes), constraints, timeout)

    def _may_pay(self, constraint: Term) -> bool:
        """Whether an input is a branch of a choice or compared with one: otherwise no class has ranks.

        This looks at new terms only; a summary walks over the whole condition.
        """
        known = self._chosen
        if constraint not in known:
            if len(known) > _KNOWN:
                known.clear()
            for term in postorder((constraint,), known):
                known[term] = _chooses_inputs(term) or (_is_read_through(term) and any(known[a] for a in term.args))
        return known[constraint]

    def _summary(self, constraint: Term) -> _Summary:
        known = self._summaries
        summary = known.get(constraint)
        if summary is None:
            if len(known) > _KNOWN:
                known.clear()
            summary = known[constraint] = _Reading(constraint).summary()
        return summary

    def _plan(self, classes: _Classes) -> _Plan:
        plans = self._plans
        plan = plans.pop(classes, None) or _Plan(classes)
        if len(plans) >= _PLANS:
            del plans[next(iter(plans))]
        plans[classes] = plan
        return plan

    def _of_ranks(self, plan: _Plan, constraints: Sequence[Term], timeout: float) -> Answer:
        asked: list[Term] = []
        for constraint in constraints:
            condition = plan.condition(constraint)
            if isinstance(condition, Term):
                asked.append(condition)
            elif not condition:
                return Unsat()
        answer = self._solver.check(asked, timeout)
        if isinstance(answer, Sat):
            symbols = frozenset().union(*[constraint.symbols for constraint in constraints])
            return Sat(Model({variable: plan.value(variable, answer.model) for variable in sort_terms(symbols)}))
        return Unsat() if isinstance(answer, Unsat) else answer

    def forget(self) -> None:
        self._chosen.clear()
        self._summaries.clear()
        self._plans.clear()
        self._solver.forget()

    def close(self) -> None:
        self._solver.close()


# --- what a condition compares ---


def _chooses_inputs(term: Term) -> bool:
    """Whether a term is a choice with an input as a branch, or compares a choice with an input."""
    if term.op == "ite":
        return term.width > 1 and any(branch.op == "symbol" for branch in term.args[1:])
    return term.op in _COMPARISONS and {operand.op for operand in term.args} == {"ite", "symbol"}


def _is_read_through(term: Term) -> bool:
    """Whether a summary may read below this term, which does not compute."""
    if term.width == 1:
        return True
    return term.op == "ite" or (term.op == "add" and term.args[1].op == "const")


class _Reading:
    """One walk over a condition: which of its values it compares, and which it computes with."""

    def __init__(self, condition: Term) -> None:
        self._components = Components()
        self._constants: dict[Term, set[int]] = {}
        self._signs: dict[Term, set[str]] = {}
        self._chosen: set[Term] = set()
        self._computed: set[Term] = set()
        seen: set[Term] = set()
        pending = [condition]
        while pending:
            term = pending.pop()
            if term not in seen:
                seen.add(term)
                pending += self._condition(term) if term.width == 1 else self._value(term)

    def _condition(self, term: Term) -> Sequence[Term]:
        """Read a condition; returns the terms to read next."""
        op, args = term.op, term.args
        if op in _CONNECTIVES and args[-1].width == 1:
            return args
        if op in ("symbol", "const"):
            return ()
        literal = interval(term)
        if literal is not None and literal[0].width > 1:
            value, first, last = literal
            self._constants.setdefault(value, set()).update((first, last))
            self._components.root(value)
            return (value,)
        if op in _COMPARISONS:
            self._join(*args)
            if op != "eq":
                self._signs.setdefault(args[0], set()).add(op)
            return args
        self._computed |= term.symbols
        return ()

    def _value(self, term: Term) -> Sequence[Term]:
        op = term.op
        if op in ("symbol", "const"):
            return ()
        if op != "ite":
            self._computed |= term.symbols
            self._computed.add(term)
            return ()
        condition, a, b = term.args
        self._join(term, a)
        self._join(term, b)
        self._chosen.add(term)
        return condition, a, b

    def _join(self, a: Term, b: Term) -> None:
        if a.op == "const" or b.op == "const":  # a constant connects nothing
            value, number = (b, a) if a.op == "const" else (a, b)
            self._constants.setdefault(value, set()).add(number.value)
            self._components.root(value)
        else:
            self._components.join(a, b)

    def summary(self) -> _Summary:
        """The groups found."""
        classes: dict[Term, list[Term]] = {}
        for term in list(self._components.above):
            classes.setdefault(self._components.root(term), []).append(term)
        groups = []
        computed = set(self._computed)
        for members in classes.values():
            atoms = [member for member in members if member.op == "symbol" or member.alternatives]
            if not computed.isdisjoint(members):
                computed.update(atoms)
            signs = frozenset().union(*[self._signs.get(member, ()) for member in members])
            constants = frozenset().union(*[self._constants.get(member, ()) for member in members])
            has_choice = not self._chosen.isdisjoint(members)
            groups.append(_Group(frozenset(atoms), signs, constants, has_choice))
        return _Summary(tuple(groups), frozenset(computed), any(group.has_choice for group in groups))


def _classes(summaries: Sequence[_Summary]) -> _Classes:
    """The classes of values, in conditions of these summaries, that ranks may replace."""
    if not any(summary.has_choice for summary in summaries):
        return frozenset()
    computed = frozenset().union(*[summary.computed for summary in summaries])
    groups = [group for summary in summaries for group in summary.groups if group.atoms]
    classes = set()
    for together in connected(groups, lambda group: group.atoms):
        atoms = frozenset().union(*[group.atoms for group in together])
        kind = _class(together, atoms) if computed.isdisjoint(atoms) else None
        if kind is not None:
            classes.add((atoms, kind))
    return frozenset(classes)


def _class(groups: Sequence[_Group], atoms: frozenset[Term]) -> _Class | None:
    """The class for the values of ``groups``, which are compared with each other; None where ranks do not pay."""
    signs = frozenset().union(*[group.signs for group in groups])
    constants = frozenset().union(*[group.constants for group in groups])
    symbols = sum(1 for atom in atoms if atom.op == "symbol")
    if not symbols or len(signs) > 1 or not any(group.has_choice for group in groups):
        return None
    if (symbols + 1) * (len(constants) + 1) > _VALUES:
        return None
    bits = next(iter(atoms)).width
    values = _representatives(constants, symbols, bits, "slt" in signs)
    width = (len(values) - 1).bit_length()
    if 2 * width > bits or width < 2:
        return None
    return _Class(values, width, {value: rank for rank, value in enumerate(values)})


def _representatives(constants: Iterable[int], count: int, bits: int, is_signed: bool) -> tuple[int, ...]:
    """The constants, and between two of them as many values as there are symbols; a power of two in all.

    Ascending, signed or not.
    """
    half = 1 << bits - 1 if is_signed else 0
    cuts = sorted(value ^ half for value in constants)
    gaps = [(low + 1, high) for low, high in zip([-1, *cuts], [*cuts, 1 << bits], strict=True)]
    sizes = [min(count, high - low) for low, high in gaps]
    total = len(cuts) + sum(sizes)
    missing = (1 << max(2, (total - 1).bit_length())) - total
    for i, (low, high) in enumerate(gaps):
        more = min(missing, high - low - sizes[i])
        sizes[i] += more
        missing -= more
    values: list[int] = []
    for (low, high), size in zip(gaps, sizes, strict=True):
        start = min(max(low, half), high - size)  # near zero
        values += range(start, start + size)
        if high < 1 << bits:
            values.append(high)
    return tuple([value ^ half for value in values])


# --- conditions about ranks ---


class _Plan:
    """Which values become ranks, and the resulting conditions."""

    def __init__(self, classes: _Classes) -> None:
        self._of_term: dict[Term, _Class] = {atom: kind for atoms, kind in classes for atom in atoms}
        """The class of each atom, and of values met."""
        self._ranks = {
            atom: symbol(atom.name + RANK, kind.width) for atom, kind in self._of_term.items() if atom.op == "symbol"
        }
        self._known: dict[Term, Value] = {}

    def value(self, variable: Term, model: Model) -> int:
        """The value of a symbol under a model of ranks."""
        rank = self._ranks.get(variable)
        if rank is None:
            return model.values.get(variable, 0)
        return self._of_term[variable].values[model.values.get(rank, 0)]

    def condition(self, condition: Term) -> Value:
        """A condition with ranks for values."""
        known = self._known
        ranked = known.get(condition)
        if ranked is not None:
            return ranked
        for term in postorder((condition,), known):
            known[term] = self._term(term)
        return known[condition]

    def _term(self, term: Term) -> Value:
        op, args, known = term.op, term.args, self._known
        if op == "const":
            return term.value
        if op == "symbol":
            return self._ranks.get(term, term)
        if term.width > 1:
            if op != "ite":
                return term  # no rank below it, or part of a comparison with constants
            kind = self._kind(term)
            if kind is None:
                return rebuild(term, [known[operand] for operand in args])
            self._of_term[term] = kind
            return build.ite(known[args[0]], self._rank_of(args[1], kind), self._rank_of(args[2], kind), kind.width)
        literal = interval(term) if op != "not" else None
        if literal is not None:
            kind = self._of_term.get(literal[0])
            if kind is not None:
                return _between(known[literal[0]], kind, literal[1], literal[2])
        if op in _COMPARISONS and args[0].width > 1:
            kind = self._of_term.get(args[0]) or self._of_term.get(args[1])
            if kind is not None:
                operands = [self._rank_of(operand, kind) for operand in args]
                return (build.eq if op == "eq" else build.ult)(operands[0], operands[1], kind.width)
        return rebuild(term, [known[operand] for operand in args]) if args else term

    def _kind(self, choice: Term) -> _Class | None:
        """The class of a choice, which is that of its branches."""
        of_term = self._of_term
        return of_term.get(choice) or of_term.get(choice.args[1]) or of_term.get(choice.args[2])

    def _rank_of(self, value: Term, kind: _Class) -> Value:
        return kind.ranks[value.value] if value.op == "const" else self._known[value]


def _between(value: Value, kind: _Class, first: int, last: int) -> Value:
    """Whether a rank lies in an interval modulo the width of the values."""
    low, high = kind.ranks[first], kind.ranks[last]
    above, below = build.uge(value, low, kind.width), build.ule(value, high, kind.width)
    return build.both(above, below) if low <= high else build.either(above, below)
