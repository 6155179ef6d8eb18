"""Facts about predicates and logic functions that are not expanded: definitions, lemmas and axioms.

A lemma is proved, directly or by induction on an integer, and then used. Without a proof it is assumed and reported, as
axioms are; so is a recursion that may not end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from unfork.commands.verify.obligations import Obligations, Subject, falls
from unfork.commands.verify.refute import Refuter, ordered
from unfork.engine.meaning import formula, unbounded_integers
from unfork.engine.meaning.applications import ARGUMENT_BITS, NUMBER_BITS, Applied, Definitions, as_type
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.expression_meaning import CPointer, Meaning, MemoryLocation, Typed, Where
from unfork.engine.meaning.formula import Formula, Ground
from unfork.engine.state.memory import FIRST_ARGUMENT, MemoryObject, address_of
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import UNBOUNDED, CellsOfSymbols, UnknownCell, UnknownContents
from unfork.logic.solve.solver import Solver
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.c.contracts import Clause, Lemma, LogicDefinition
from unfork.program.c.expressions import (
    Application,
    BinaryExpression,
    BoundVariable,
    Conditional,
    Expression,
    Name,
    NumberLiteral,
    QuantifiedExpression,
    TypeName,
    UnaryExpression,
    names_in,
    nodes,
    parts,
)
from unfork.program.llvm.c_types import VOID, Scalar

MOST_BINDINGS = 60
"""The most instances of a lemma in a query."""
SECONDS = 10.0
"""Seconds for each way to prove a lemma."""
FIRST_OBJECT = FIRST_ARGUMENT + 64
"""The number of the first object that a lemma's pointers lead to."""
HALF = 1 << 32
"""The element that a pointer leads to: as many come before as after."""


@dataclass(frozen=True, slots=True)
class _Binding:
    """The values of a lemma's variables and labels, and the applications that they come from."""

    values: Mapping[str, Typed]
    states: Mapping[str, Where]
    of: tuple[Term, ...]


class LemmaFacts:
    """Facts of definitions and of ``lemmas``, to which others are added. ``base`` is any state."""

    def __init__(self, meaning: Meaning, definitions: Definitions) -> None:
        self._meaning = meaning
        self._definitions = definitions
        self.lemmas: list[Lemma] = []
        self.base: Where | None = None
        self._markers: dict[int, UnknownContents] = {}
        self._defined: dict[Term, Formula | None] = {}

    # --- as Logic says

    def depends_on(self, application: Term) -> Iterable[Term]:
        applied = self._definitions.applications.get(application)
        arguments = () if applied is None else applied.arguments
        return [each for value in arguments if isinstance(value, Term) for each in ordered(value)]

    def arguments(self, applications: Iterable[Term]) -> Iterator[UnknownCell]:
        for _, applied in self._known(applications):
            definition = applied.definition
            marker = self._markers.setdefault(id(definition), UnknownContents(definition.name, 1, CellsOfSymbols()))
            for position, (value, parameter) in enumerate(zip(applied.arguments, definition.parameters, strict=True)):
                if not isinstance(parameter.type, TypeName):
                    width = value.width if isinstance(value, Term) else 64
                    yield UnknownCell(marker, build.trunc(value, max(width, 64), 64), position)

    def congruence(self, applications: Iterable[Term]) -> Iterator[Value]:
        groups: dict[int, list[tuple[Term, Applied]]] = {}
        for term, applied in self._known(applications):
            groups.setdefault(id(applied.definition), []).append((term, applied))
        for group in groups.values():
            for (term, mine), (other, theirs) in combinations(group, 2):
                if _may_be_one(mine, theirs):
                    pairs = zip(mine.arguments, theirs.arguments, mine.definition.parameters, strict=True)
                    same = [build.eq(a, b, _bits(parameter)) for a, b, parameter in pairs]
                    yield build.either(build.negate(build.conjunction(same)), build.eq(term, other, term.width))

    def facts(self, applications: Iterable[Term]) -> Iterator[tuple[Hashable, Formula]]:
        known = list(self._known(applications))
        for term, applied in known:
            if term not in self._defined:
                self._defined[term] = self._definition(term, applied)
            said = self._defined[term]
            if said is not None:
                yield term, said
        for lemma in self.lemmas:
            variables, body = _universal(lemma.clause.expression)
            for binding in self._bindings(lemma, variables, body, known):
                values = tuple([binding.values[variable.name] for variable in variables])
                with suppress(NoMeaning):
                    said = self.said(lemma.clause, binding.values, binding.states)
                    is_meant = Ground(1) if lemma.is_axiom else _is_proved_of(values)
                    yield (id(lemma), values, binding.of), formula.implied(is_meant, said)

    def _known(self, symbols: Iterable[Term]) -> Iterator[tuple[Term, Applied]]:
        applications = self._definitions.applications
        return ((each, applications[each]) for each in symbols if each in applications)

    # --- what is said

    def _definition(self, term: Term, applied: Applied) -> Formula | None:
        definition = applied.definition
        if definition.body is None:
            return None
        try:
            value = self._definitions.expanded(self._meaning, definition, applied.where)
        except NoMeaning:
            return None
        if isinstance(value, CValue):
            kind = definition.result
            assert not isinstance(kind, TypeName)
            mine = CValue(term, replace(value.type, width=term.width, signed=kind is None or kind.signed))
            return Ground(
                unbounded_integers.compared("==", unbounded_integers.number(mine), unbounded_integers.number(value))
            )
        return None if isinstance(value, CPointer | MemoryLocation) else formula.equivalent(Ground(term), value)

    def said(self, clause: Clause, values: Mapping[str, Typed], states: Mapping[str, Where]) -> Formula:
        """A lemma for given values and states. Raises NoMeaning."""
        assert self.base is not None
        _, body = _universal(clause.expression)
        where = next(iter(states.values()), self.base)
        return self._meaning.formula(body, replace(where, earlier=states, bound=values))

    # --- instances of lemmas

    def _bindings(
        self,
        lemma: Lemma,
        variables: Sequence[BoundVariable],
        body: Expression,
        known: Sequence[tuple[Term, Applied]],
    ) -> list[_Binding]:
        """The bindings for which a lemma is about known applications."""
        named = {variable.name: variable for variable in variables}
        bindings = [_Binding({}, {}, ())]
        for trigger in nodes(body):
            if not isinstance(trigger, Application):
                continue
            extended = []
            for binding in bindings:
                ways = [
                    way
                    for term, applied in known
                    if applied.definition.name == trigger.name
                    and len(applied.arguments) == len(trigger.arguments)
                    and (way := _extended(binding, trigger, term, applied, lemma, named)) is not binding
                ]
                extended += ways or [binding]
            bindings = extended[:MOST_BINDINGS]
        return [
            each for each in bindings if each.values.keys() == named.keys() and each.states.keys() == set(lemma.labels)
        ]


def _extended(
    binding: _Binding,
    trigger: Application,
    term: Term,
    applied: Applied,
    lemma: Lemma,
    named: Mapping[str, BoundVariable],
) -> _Binding:
    """The binding that makes a lemma's own application stand for ``term``; the same if there is none."""
    values, states = dict(binding.values), dict(binding.states)
    for argument, parameter in zip(trigger.arguments, applied.definition.parameters, strict=True):
        value = applied.where.bound[parameter.name]
        match argument:
            case BinaryExpression("+" | "-" as op, Name(name), NumberLiteral() as number) if isinstance(value, CValue):
                less = "-" if op == "+" else "+"
                value = unbounded_integers.binary(
                    less, unbounded_integers.number(value), unbounded_integers.number(CValue(number.value, number.type))
                )
            case Name(name):
                pass
            case _:
                continue
        if name in named and name not in values:
            with suppress(NoMeaning):
                values[name] = as_type(named[name].type, value, name)
            if isinstance(value, CValue) and value.type.width > NUMBER_BITS:
                values.pop(name, None)
    wheres = [applied.where.earlier[label] for label in applied.definition.labels] or [applied.where]
    for label, where in zip(trigger.labels or lemma.labels[:1], wheres, strict=False):
        if label in lemma.labels and label not in states:
            states[label] = replace(where, bound={}, earlier={})
    if len(values) == len(binding.values) and len(states) == len(binding.states):
        return binding
    return _Binding(values, states, (*binding.of, term))


def _is_proved_of(values: Iterable[Typed]) -> Formula:
    """Integers have 64 bits, like an index of an array: lemmas are proved for those."""
    low, high = (unbounded_integers.constant(sign * (1 << unbounded_integers.WORD_BITS - 1)) for sign in (-1, 1))
    return Ground(
        build.conjunction(
            [
                build.both(
                    unbounded_integers.compared("<=", low, number), unbounded_integers.compared("<", number, high)
                )
                for value in values
                if isinstance(value, CValue)
                and (number := unbounded_integers.number(value)).type.width > unbounded_integers.WORD_BITS
            ]
        )
    )


def _universal(expression: Expression) -> tuple[list[BoundVariable], Expression]:
    variables: list[BoundVariable] = []
    while isinstance(expression, QuantifiedExpression) and expression.kind == "forall":
        variables += expression.variables
        expression = expression.body
    return variables, expression


def _may_be_one(mine: Applied, other: Applied) -> bool:
    common = mine.memory.keys() & other.memory.keys()
    return all(a is b for each in common for a, b in zip(mine.memory[each], other.memory[each], strict=True))


def _bits(parameter: BoundVariable) -> int:
    return 64 if isinstance(parameter.type, TypeName) else ARGUMENT_BITS


# --- proofs


def refuter(cells: CellsOfSymbols, solver: Solver, fresh: Callable[[], int], facts: LemmaFacts) -> Refuter:
    """A refuter that uses facts."""
    return Refuter(cells, solver, fresh, facts)


class Establishing:
    """Proves lemmas, and that recursions end. It adds them to ``facts``, others to ``assumed``."""

    def __init__(
        self,
        meaning: Meaning,
        definitions: Definitions,
        lemmas: Sequence[Lemma],
        facts: LemmaFacts,
        cells: CellsOfSymbols,
    ) -> None:
        self._meaning = meaning
        self._definitions = definitions
        self._lemmas = lemmas
        self._facts = facts
        self._cells = cells
        self._assumed: dict[str, None] = {}

    @property
    def assumed(self) -> list[str]:
        """The assumptions, one line each."""
        return [*self._assumed, *self._definitions.assumed]

    def establish(self, state: State, obligations: Obligations) -> None:
        """Prove what a state of the program helps to prove."""
        self._facts.base = Where(state, self._definitions.names, True)
        for definition in self._definitions.all:
            if self._definitions.is_recursive(definition) and not self._ends(definition, state, obligations):
                where = f"{definition.file}:{definition.line}"
                self._assumed[f"the recursion of {definition.name} ({where}) ends: it is not proved"] = None
        for lemma in self._lemmas:
            clause = lemma.clause
            if lemma.is_axiom:
                self._assumed[f"the axiom {lemma.name} ({clause.file}:{clause.line})"] = None
            elif not self._is_proved(lemma, state, obligations):
                self._assumed[f"the lemma {lemma.name} ({clause.file}:{clause.line}): it is not proved"] = None
            self._facts.lemmas.append(lemma)

    def _is_proved(self, lemma: Lemma, state: State, obligations: Obligations) -> bool:
        variables, body = _universal(lemma.clause.expression)
        if len(lemma.labels) > 1 and not self._is_about_arguments(lemma, variables):
            return False
        if self._definitions.compares_pointers(body, variables):
            return False
        subject = Subject("lemma", lemma.clause.file, lemma.clause.line, f"{lemma.name}: {lemma.clause.text}")
        try:
            values, states = self._any(variables, lemma.labels, state, unbounded_integers.WORD_BITS)
            return obligations.prove_in_a_way(subject, self._ways(variables, lemma.clause, values, states), SECONDS)
        except NoMeaning:
            return False

    def _ways(
        self,
        variables: Sequence[BoundVariable],
        clause: Clause,
        values: Mapping[str, Typed],
        states: Mapping[str, Where],
    ) -> Iterator[Formula]:
        """Formulas of which one must be refuted: the negated lemma, or that with the lemma for one number less."""
        wrong = formula.negated(self._facts.said(clause, values, states))
        yield wrong
        numbers = {each.name: value for each in variables if isinstance(value := values[each.name], CValue)}
        for variable in variables:
            number = values[variable.name]
            if variable.type is not None or not isinstance(number, CValue):
                continue
            before = {**values, variable.name: unbounded_integers.binary("-", number, unbounded_integers.constant(1))}
            hypothesis = formula.implied(_is_proved_of(before.values()), self._facts.said(clause, before, states))
            for first in (
                unbounded_integers.constant(0),
                *[each for name, each in numbers.items() if name != variable.name],
            ):
                is_later = Ground(unbounded_integers.compared(">", number, unbounded_integers.number(first)))
                yield formula.both([formula.implied(is_later, hypothesis), wrong])

    def _is_about_arguments(self, lemma: Lemma, variables: Sequence[BoundVariable]) -> bool:
        """Whether a lemma reads only its pointers' targets: nothing else may differ between states."""
        bound = {variable.name for variable in variables}
        for node in nodes(lemma.clause.expression):
            if isinstance(node, QuantifiedExpression):
                bound |= {variable.name for variable in node.variables}
            if isinstance(node, Application):
                named = [each for each in self._definitions.all if each.name == node.name]
                if not all(map(self._definitions.is_shallow, named)):
                    return False
        return names_in(lemma.clause.expression) <= bound

    def _any(
        self, variables: Sequence[BoundVariable], labels: Sequence[str], state: State, bits: int
    ) -> tuple[dict[str, Typed], dict[str, Where]]:
        """Any values (integers of some bits), and states with any contents at the pointers. Raises NoMeaning.

        Each pointer has an object of its own, which is the most general case since none are compared.
        """
        expression_states = {label: state.fork() for label in labels or ("",)}
        values: dict[str, Typed] = {}
        for position, variable in enumerate(variables):
            if not isinstance(variable.type, TypeName):
                values[variable.name] = self._definitions.any_number(variable, bits)
                continue
            pointed = TypeName(variable.type.words, variable.type.stars - 1)
            target = self._meaning.named(pointed, Where(state, self._definitions.names, True))
            if not isinstance(target, Scalar) and target != VOID:
                raise NoMeaning(f"a lemma about a pointer to {target.name}")
            size, number = max(target.size, 1), FIRST_OBJECT + position
            for each in expression_states.values():
                each.memory.add(number, MemoryObject(bytearray(), 2 * HALF * size, UNBOUNDED, variable.name))
                contents = {**each.proof.contents, number: self._cells.unknown(variable.name, size)}
                each.proof = replace(each.proof, contents=contents)
            values[variable.name] = CPointer(address_of(number, HALF * size), target)
        names = self._definitions.names
        return values, {label: Where(each, names, True) for label, each in expression_states.items()}

    # --- recursion

    def _ends(self, definition: LogicDefinition, state: State, obligations: Obligations) -> bool:
        """Whether a parameter, or a difference of two, falls in each step of a recursion."""
        assert definition.body is not None
        subject = Subject("decreases", definition.file, definition.line, f"the recursion of {definition.name}")
        try:
            values, states = self._any(definition.parameters, definition.labels, state, NUMBER_BITS)
            where = replace(next(iter(states.values())), earlier=states, bound=values)
            if self._definitions.compares_pointers(definition.body, definition.parameters):
                return False
            calls = list(_calls(definition, definition.body))
            return obligations.prove_in_a_way(subject, self._falling(definition, calls, where), SECONDS)
        except NoMeaning:
            return False

    def _falling(
        self, definition: LogicDefinition, calls: Sequence[tuple[Application, Sequence[Expression]]], where: Where
    ) -> Iterator[Formula]:
        """For each measure, that it does not decrease."""
        numbers = [at for at, each in enumerate(definition.parameters) if not isinstance(each.type, TypeName)]
        own = [where.bound[each.name] for each in definition.parameters]
        steps = []
        for call, guards in calls:
            if any(_applies(each, definition) for each in (*guards, *call.arguments)):
                raise NoMeaning("a recursion in what a recursion depends on")
            condition = formula.both([self._meaning.formula(guard, where) for guard in guards])
            steps.append((condition, [self._meaning.value(each, where) for each in call.arguments]))
        for measure in (*[(each, None) for each in numbers], *permutations(numbers, 2)):
            falling = [
                formula.implied(condition, falls(_measured(own, *measure), _measured(given, *measure)))
                for condition, given in steps
            ]
            yield formula.negated(formula.both(falling))


def _measured(given: Sequence[Typed], at: int, less: int | None) -> CValue:
    number = _integer(given[at])
    return number if less is None else unbounded_integers.binary("-", number, _integer(given[less]))


def _integer(value: Typed) -> CValue:
    if not isinstance(value, CValue):
        raise NoMeaning("a pointer where a number should be")
    return unbounded_integers.number(value)


def _applies(expression: Expression, definition: LogicDefinition) -> bool:
    return any(isinstance(each, Application) and each.name == definition.name for each in nodes(expression))


def _calls(definition: LogicDefinition, body: Expression) -> Iterator[tuple[Application, Sequence[Expression]]]:
    """Where a definition applies itself, each with the condition there. Raises NoMeaning in a quantifier."""
    waiting: list[tuple[Expression, tuple[Expression, ...]]] = [(body, ())]
    while waiting:
        node, guards = waiting.pop()
        match node:
            case Conditional(question, then, otherwise):
                waiting += [
                    (question, guards),
                    (then, (*guards, question)),
                    (otherwise, (*guards, UnaryExpression("!", question))),
                ]
                continue
            case BinaryExpression("&&" | "==>", left, right):
                waiting += [(left, guards), (right, (*guards, left))]
                continue
            case BinaryExpression("||", left, right):
                waiting += [(left, guards), (right, (*guards, UnaryExpression("!", left)))]
                continue
            case QuantifiedExpression():
                if _applies(node, definition):
                    raise NoMeaning("a recursion in a quantifier")
            case Application(name, _, arguments):
                if name == definition.name and len(arguments) == len(definition.parameters):
                    yield node, guards
        waiting += [(each, guards) for each in parts(node)]
