"""Predicates and logic functions of ACSL: the meaning of an application.

Definitions that do not apply themselves are expanded. An application of a recursive one, or of one that only axioms
describe, is a symbol; commands/verify/lemmas.py has the facts about it. The symbol of an integer is wide enough for
every value if the recursion only adds; otherwise a stated assumption says that values fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.engine.meaning import unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning, convert
from unfork.engine.meaning.expression_meaning import CPointer, Meaning, Names, NotGround, Typed, Where
from unfork.engine.meaning.formula import Formula, Ground
from unfork.engine.meaning.pointers import strays, targets
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.contracts import LogicDefinition, is_pointer
from unfork.program.c.expressions import (
    AddressOf,
    Application,
    At,
    BinaryExpression,
    BoundVariable,
    CastExpression,
    Conditional,
    Deref,
    Expression,
    Fresh,
    Index,
    Integral,
    MemberExpression,
    Name,
    Null,
    NumberLiteral,
    OfPointer,
    QuantifiedExpression,
    SameObject,
    Separated,
    TypeCast,
    TypeName,
    UnaryExpression,
    Valid,
    ValidBytes,
    integer_type,
    mapped,
    names_in,
    nodes,
    substituted,
)
from unfork.program.llvm.c_types import VOID, Scalar

NUMBER_BITS = 72
"""Bits of an integer in a lemma: those of a quantified integer, and a few steps of a recursion."""
ARGUMENT_BITS = 76
"""Bits of an integer argument of a symbol."""
WIDE_BITS = 128
"""Bits of a function's values, which are assumed to fit."""
MOST_NESTED = 40
"""The deepest nesting of expansions."""
_OF_POINTERS = (Valid, ValidBytes, Separated, Fresh, OfPointer, SameObject, TypeCast, Null, AddressOf)
"""Expressions that use more of a pointer than its target, or make one."""
DEEPEST = 24
"""The deepest recursion to expand, with known integer arguments."""


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """An application that is a symbol. ``where`` is that of the definition's body.

    ``memory`` is what it may depend on, by label and number of the object: equal objects have equal contents.
    """

    definition: LogicDefinition
    where: Where
    arguments: tuple[Value, ...]
    memory: Mapping[tuple[str, int], tuple[object, object]]


class Definitions:
    """The definitions of a program. ``names`` are its variables with static storage; ``fresh`` numbers symbols."""

    def __init__(self, definitions: Sequence[LogicDefinition], names: Names, fresh: Callable[[], int]) -> None:
        self.all = definitions
        self.names = names
        self._fresh = fresh
        self.applications: dict[Term, Applied] = {}
        self.assumed: dict[str, None] = {}
        """Assumptions about values."""
        self._symbols: dict[Hashable, Term] = {}
        self._expansions: dict[Hashable, Formula | Typed] = {}
        self._widths: dict[int, int] = {}
        self._probed: LogicDefinition | None = None
        self._depth = 0
        self._around = 0

    def applied(self, meaning: Meaning, application: Application, where: Where) -> Formula | Typed:
        """The meaning of an application: a formula for a predicate, else a value. Raises NoMeaning."""
        definition, inner = self._entered(meaning, application, where)
        if definition is self._probed:
            return self._as_said(definition, 0)
        if definition.body is None:
            return self._as_said(definition, self._symbol(meaning, definition, inner))
        if not self.is_recursive(definition):
            return self._nested(meaning, definition, inner)
        numbers = [value.value for value in inner.bound.values() if isinstance(value, CValue)]
        if self._depth < DEEPEST and all(isinstance(value, int) for value in numbers):
            key = self._key(definition, inner)
            if key not in self._expansions:
                self._depth += 1
                try:
                    self._expansions[key] = self.expanded(meaning, definition, inner)
                finally:
                    self._depth -= 1
            return self._expansions[key]
        return self._as_said(definition, self._symbol(meaning, definition, inner))

    def _nested(self, meaning: Meaning, definition: LogicDefinition, inner: Where) -> Formula | Typed:
        """An expansion within others: definitions of one name that apply each other would never end."""
        self._around += 1
        try:
            if self._around > MOST_NESTED:
                raise NoMeaning(f"{definition.name}: definitions that apply each other")
            return self.expanded(meaning, definition, inner)
        finally:
            self._around -= 1

    def expanded(self, meaning: Meaning, definition: LogicDefinition, inner: Where) -> Formula | Typed:
        """A definition's body with values for its parameters."""
        assert definition.body is not None
        try:
            if definition.is_predicate:
                return meaning.formula(definition.body, inner)
            value = meaning.value(definition.body, inner)
        except NotGround:  # the quantifier is not part of the expression around the application
            raise NoMeaning(f"{definition.name}: a quantifier where a number should be") from None
        return as_type(definition.result, value, f"the value of {definition.name}")

    # --- arguments and states

    def _entered(self, meaning: Meaning, application: Application, where: Where) -> tuple[LogicDefinition, Where]:
        values = [meaning.value(each, where) for each in application.arguments]
        definition = self._resolved(application.name, values)
        bound = {
            parameter.name: as_type(parameter.type, value, f"the argument {parameter.name} of {definition.name}")
            for parameter, value in zip(definition.parameters, values, strict=True)
        }
        formals, labels = definition.labels, application.labels
        if len(labels) != len(formals) and not (len(formals) <= 1 and not labels):
            raise NoMeaning(f"{definition.name} with {len(labels)} labels instead of {len(formals)}")
        around = [meaning.back(where, label) for label in labels] or [where] * max(len(formals), 1)
        states = [Where(each.state, self.names, True) for each in around]
        return definition, replace(states[0], earlier=dict(zip(formals, states, strict=False)), bound=bound)

    def _resolved(self, name: str, values: Sequence[Typed]) -> LogicDefinition:
        kinds = [isinstance(value, CPointer) for value in values]
        for each in self.all:
            if each.name == name and [is_pointer(parameter) for parameter in each.parameters] == kinds:
                if each.problem:
                    raise NoMeaning(each.problem)
                return each
        raise NoMeaning(f"no definition of {name} takes these arguments")

    # --- symbols

    def _as_said(self, definition: LogicDefinition, value: Value) -> Formula | Typed:
        """A symbol, or 0, in the type that the definition states."""
        if definition.is_predicate:
            return Ground(value)
        kind = definition.result
        if isinstance(kind, TypeName):
            raise NoMeaning(f"{definition.name}: a recursive or axiomatic function whose value is a pointer")
        width = value.width if isinstance(value, Term) else 1
        return CValue(value, Integral(width, True) if kind is None else kind)

    def _symbol(self, meaning: Meaning, definition: LogicDefinition, inner: Where) -> Term:
        key = self._key(definition, inner)
        known = self._symbols.get(key)
        if known is None:
            width = self._width(meaning, definition, inner)
            known = self._symbols[key] = symbol(f"{definition.name}#{self._fresh()}", width)
            arguments = self._arguments(definition, inner)
            self.applications[known] = Applied(definition, inner, arguments, self._memory(definition, inner))
        return known

    def _key(self, definition: LogicDefinition, inner: Where) -> Hashable:
        memory = self._memory(definition, inner)
        held = frozenset((where, id(item), id(contents)) for where, (item, contents) in memory.items())
        return id(definition), self._arguments(definition, inner), held

    @staticmethod
    def _arguments(definition: LogicDefinition, inner: Where) -> tuple[Value, ...]:
        values: list[Value] = []
        for parameter in definition.parameters:
            value = inner.bound[parameter.name]
            if isinstance(value, CPointer):
                values.append(value.value)
            elif isinstance(value, CValue):
                number = unbounded_integers.number(value)
                if number.type.width > ARGUMENT_BITS:
                    raise NoMeaning(f"an argument of {definition.name} of more than {ARGUMENT_BITS} bits")
                values.append(unbounded_integers.widened(number, ARGUMENT_BITS))
        return tuple(values)

    def _memory(self, definition: LogicDefinition, inner: Where) -> dict[tuple[str, int], tuple[object, object]]:
        """What an application may depend on: the targets of its arguments, or all memory, as the body says."""
        states = {"": inner.state, **{label: each.state for label, each in inner.earlier.items()}}
        held: dict[tuple[str, int], tuple[object, object]] = {}
        for label, state in states.items():
            numbers = set(state.memory.objects.held)
            pointers = [value.value for value in inner.bound.values() if isinstance(value, CPointer)]
            if self.is_shallow(definition) and all(strays(pointer) == 0 for pointer in pointers):
                numbers &= {number for pointer in pointers for _, number, _ in targets(pointer)}
            for number in numbers:
                held[label, number] = state.memory.objects.get(number), state.proof.contents.get(number)
        return held

    def is_shallow(self, definition: LogicDefinition) -> bool:
        """Whether a body reads only the targets of its pointer parameters, and no pointers in these."""
        waiting, seen = [definition], {id(definition)}
        for each in waiting:
            if each.body is None or not _reads_parameters_only(each):
                return False
            for node in nodes(each.body):
                if isinstance(node, Application):
                    others = [other for other in self.all if other.name == node.name]
                    if not others:
                        return False
                    others = [other for other in others if id(other) not in seen]
                    seen |= set(map(id, others))
                    waiting += others
        return True

    def shown(self, expression: Expression) -> Expression:
        """An expression with predicates about validity replaced by their bodies."""
        changed = mapped(expression, self.shown)
        if not isinstance(changed, Application) or changed.labels not in ((), ("Here",)):
            return changed
        count = len(changed.arguments)
        ways = [each for each in self.all if each.name == changed.name and len(each.parameters) == count]
        body = ways[0].body if len(ways) == 1 and not self.is_recursive(ways[0]) else None
        if body is None:
            return changed
        body = self.shown(body)
        if not any(isinstance(each, Valid) for each in nodes(body)):
            return changed
        names = [parameter.name for parameter in ways[0].parameters]
        return substituted(body, dict(zip(names, changed.arguments, strict=True)))

    def is_recursive(self, definition: LogicDefinition) -> bool:
        """Whether a definition may apply itself: another one of its name certainly takes other arguments."""
        return definition.body is not None and any(
            isinstance(node, Application) and self._may_be(node, definition) for node in nodes(definition.body)
        )

    def _may_be(self, application: Application, definition: LogicDefinition) -> bool:
        if application.name != definition.name or len(application.arguments) != len(definition.parameters):
            return False
        pointers = _pointers(definition.parameters)
        numbers = frozenset([each.name for each in definition.parameters]) - pointers
        return not any(
            self._is_pointer(argument, pointers)
            if not is_pointer(parameter)
            else isinstance(argument, NumberLiteral) or (isinstance(argument, Name) and argument.name in numbers)
            for argument, parameter in zip(application.arguments, definition.parameters, strict=True)
        )

    def compares_pointers(self, body: Expression, variables: Sequence[BoundVariable]) -> bool:
        """Whether a statement, or a definition that it uses, uses more of pointers than their targets."""
        waiting, seen = [(body, _pointers(variables))], set[int]()
        for expression, pointers in waiting:
            for node in nodes(expression):
                if isinstance(node, _OF_POINTERS):
                    return True
                if any(self._is_pointer(each, pointers) for each in _asked(node)):
                    return True
                name = node.name if isinstance(node, Application) else ""
                for each in self.all:
                    if each.name == name and each.body is not None and id(each) not in seen:
                        seen.add(id(each))
                        waiting.append((each.body, _pointers(each.parameters)))
        return False

    def _is_pointer(self, expression: Expression, pointers: frozenset[str]) -> bool:
        match expression:
            case Name(name):
                return name in pointers
            case BinaryExpression("+" | "-", left, right):
                return self._is_pointer(left, pointers) or self._is_pointer(right, pointers)
            case At(inner, _):
                return self._is_pointer(inner, pointers)
            case Application(name):
                return any(each.name == name and isinstance(each.result, TypeName) for each in self.all)
        return False

    def _width(self, meaning: Meaning, definition: LogicDefinition, inner: Where) -> int:
        """The bits of the symbol for a definition's values."""
        known = self._widths.get(id(definition))
        if known is None:
            known = self._widths[id(definition)] = self._width_of_integers(meaning, definition, inner)
        return known

    def _width_of_integers(self, meaning: Meaning, definition: LogicDefinition, inner: Where) -> int:
        if definition.is_predicate:
            return 1
        if definition.result is not None:
            return definition.result.width if isinstance(definition.result, Integral) else 64
        body = definition.body
        if body is None or not _only_adds(body, definition.name) or self.compares_pointers(body, definition.parameters):
            where = f"{definition.file}:{definition.line}"
            self.assumed[f"the values of {definition.name} ({where}) fit in {WIDE_BITS} bits"] = None
            return WIDE_BITS
        # Look at the body with unknown numbers for its parameters, and 0 where it applies itself.
        around, self._probed = self._probed, definition
        try:
            value = self.expanded(meaning, definition, replace(inner, bound=self._unknowns(definition, inner.bound)))
        finally:
            self._probed = around
        assert isinstance(value, CValue)
        # At most 2 ** (ARGUMENT_BITS + 1) steps, each of which adds a number as wide as the body. Arguments may be
        # wider than those assumed here, by the 4 bits in NUMBER_BITS.
        width = unbounded_integers.number(value).type.width
        return width + width // 16 + ARGUMENT_BITS + 3

    def _unknowns(self, definition: LogicDefinition, given: Mapping[str, Typed]) -> dict[str, Typed]:
        """Unknown numbers for the parameters that are numbers; pointers are as ``given``."""
        return {
            each.name: given[each.name] if is_pointer(each) else self.any_number(each, NUMBER_BITS)
            for each in definition.parameters
        }

    def any_number(self, variable: BoundVariable, bits: int) -> CValue:
        """A symbol for a variable that is a number; a mathematical one has ``bits`` bits."""
        kind = variable.type if isinstance(variable.type, Integral) else Integral(bits, True)
        return CValue(symbol(f"{variable.name}#{self._fresh()}", kind.width), kind)


def as_type(kind: Integral | TypeName | None, value: Typed, what: str) -> Typed:
    """A value converted to a type. Raises NoMeaning, naming ``what``, where the type does not have it."""
    match kind:
        case TypeName(words, stars):
            if not isinstance(value, CPointer):
                raise NoMeaning(f"{what} is no pointer")
            whole = integer_type(words)
            target = value.target
            if value.value != 0 and stars == 1 and whole is not None:
                size = max(whole.width // 8, 1)
                signed = isinstance(target, Scalar) and target.encoding.startswith("signed")
                if not isinstance(target, Scalar) or target.size != size or signed != whole.signed:
                    raise NoMeaning(f"{what} points to {target.name} instead of {words}")
            return value if value.value != 0 else CPointer(0, VOID)
        case Integral():
            if not isinstance(value, CValue) or not _fits(value, kind):
                raise NoMeaning(f"{what} may not fit in {kind.width} bits: write a cast")
            return CValue(convert(value, kind), kind)
    if not isinstance(value, CValue):
        raise NoMeaning(f"{what} is no integer")
    return unbounded_integers.number(value)


def _fits(value: CValue, kind: Integral) -> bool:
    own = value.type
    if isinstance(value.value, int):
        number = unbounded_integers.value_of(unbounded_integers.number(value))
        low = -(1 << kind.width - 1) if kind.signed else 0
        return low <= number < 1 << kind.width - kind.signed
    if own.signed == kind.signed:
        return own.width <= kind.width
    return not own.signed and own.width < kind.width


def _reads_parameters_only(definition: LogicDefinition) -> bool:
    assert definition.body is not None
    bound = {parameter.name for parameter in definition.parameters}
    for node in nodes(definition.body):
        if isinstance(node, QuantifiedExpression):
            bound |= {variable.name for variable in node.variables}
        base: Expression | None = None
        match node:
            case Deref(pointer):
                base = pointer
            case Index(pointer, _):
                base = pointer
            case MemberExpression(record, _, arrow) if arrow:
                base = record
        if base is not None and not all(isinstance(each, Name | BinaryExpression) for each in _pointer_nodes(base)):
            return False
    return names_in(definition.body) <= bound


def _pointer_nodes(pointer: Expression) -> list[Expression]:
    """The parts of the pointer in an expression; what is added to it is an integer."""
    found = [pointer]
    while isinstance(found[-1], BinaryExpression) and found[-1].op in ("+", "-"):
        found.append(found[-1].left)
    return found


def _only_adds(body: Expression, name: str) -> bool:
    """Whether a recursion's value is that of at most one recursive application, plus or minus something."""
    if not _applies(body, name):
        return True
    match body:
        case Application(arguments=arguments):
            return not any(_applies(each, name) for each in arguments)
        case Conditional(question, then, otherwise):
            return not _applies(question, name) and _only_adds(then, name) and _only_adds(otherwise, name)
        case BinaryExpression("+" | "-", left, right):
            if _applies(left, name) and _applies(right, name):
                return False
            return _only_adds(left, name) and _only_adds(right, name)
    return False


def _applies(expression: Expression, name: str) -> bool:
    return any(isinstance(each, Application) and each.name == name for each in nodes(expression))


def _pointers(variables: Sequence[BoundVariable]) -> frozenset[str]:
    return frozenset([each.name for each in variables if isinstance(each.type, TypeName)])


def _asked(node: Expression) -> tuple[Expression, ...]:
    """The operands of an expression that makes a value other than a pointer from pointers, or chooses one."""
    match node:
        case BinaryExpression("+", _, _):
            return ()
        case BinaryExpression("-", _, right):
            return (right,)
        case BinaryExpression(_, left, right):
            return left, right
        case UnaryExpression(_, operand) | CastExpression(_, operand):
            return (operand,)
        case Conditional(question, then, otherwise):
            return question, then, otherwise
    return ()
