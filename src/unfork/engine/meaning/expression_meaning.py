"""The meaning of a contract's expression in a state: a formula, a number, a pointer or a memory location."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Protocol, TypeAlias

from unfork.engine.meaning import c_values, formula, pointed_objects, unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning, ValueArithmetic, as_index, as_integral, convert, truth
from unfork.engine.meaning.formula import Formula, Ground, Values
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.expressions import (
    INT,
    LONG,
    UNSIGNED_LONG,
    AddressOf,
    Application,
    At,
    BinaryExpression,
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
    RangeExpression,
    ResultExpression,
    SameObject,
    Separated,
    SizeOf,
    TypeCast,
    TypeName,
    UnaryExpression,
    Valid,
    ValidBytes,
    operands,
    with_part,
)
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import VOID, Array, CType, Pointer, RecordType, Scalar, array_of

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
UNSPECIFIED = "unspecified#"
"""Prefix of the names of unknown values."""


@dataclass(frozen=True, slots=True)
class CPointer:
    """A pointer: ``value`` (64 bits), and its target type."""

    value: Value
    target: CType


@dataclass(frozen=True, slots=True)
class MemoryLocation:
    """A memory location."""

    address: Value
    type: CType
    state: State | None = None
    """The state whose memory is meant, if not the current one."""


class NotGround(NoMeaning):
    """A quantifier decides a part of an expression that should be a number."""

    def __init__(self, part: Expression, condition: Formula) -> None:
        super().__init__("a quantifier where a number should be")
        self.part, self.condition = part, condition


Typed: TypeAlias = CValue | CPointer | MemoryLocation
Names: TypeAlias = Callable[[str], Typed | None]
"""The value of a variable; None for an unknown name."""


@dataclass(frozen=True, slots=True)
class Where:
    """The context of an expression: the state, and the values of names in it.

    ``earlier`` are the states of labels. ``bound`` are variables of quantifiers, and parameters of definitions.
    """

    state: State
    names: Names
    is_mathematical: bool
    earlier: Mapping[str, Where] = field(default_factory=dict)
    result: Typed | None = None
    bound: Mapping[str, Typed] = field(default_factory=dict)
    fresh: tuple[Fresh, ...] = ()
    """What a callee requires to be fresh, at a call that must ensure it: its proof keeps these apart."""

    @property
    def numbers(self) -> ValueArithmetic:
        """The arithmetic in this context."""
        return unbounded_integers if self.is_mathematical else c_values


class LogicMeaning(Protocol):
    """The meaning of applications of predicates and logic functions; see engine/meaning/applications.py."""

    def applied(self, meaning: Meaning, application: Application, where: Where) -> Formula | Typed: ...


class Meaning:
    """Reads expressions. ``fresh`` numbers the values of unknown memory locations."""

    def __init__(self, types: CTypes, fresh: Callable[[], int], logic: LogicMeaning | None = None) -> None:
        self._types = types
        self._fresh = fresh
        self._logic = logic

    # --- truth

    def formula(self, expression: Expression, where: Where) -> Formula:
        """Whether an expression is true. Raises NoMeaning."""
        match expression:
            case BinaryExpression("&&" | "||"):
                said = [self.formula(each, where) for each in operands(expression)]
                return formula.both(said) if expression.op == "&&" else formula.either(said)
            case BinaryExpression("==>", left, right):
                return formula.implied(self.formula(left, where), self.formula(right, where))
            case BinaryExpression("<==>", left, right):
                return formula.equivalent(self.formula(left, where), self.formula(right, where))
            case BinaryExpression("^^", left, right):
                return formula.equivalent(self.formula(left, where), formula.negated(self.formula(right, where)))
            case UnaryExpression("!", operand):
                return formula.negated(self.formula(operand, where))
            case Conditional(question, then, otherwise):
                asked = self.formula(question, where)
                if isinstance(asked, Ground) and isinstance(asked.value, int):
                    return self.formula(then if asked.value else otherwise, where)
                first = formula.implied(asked, self.formula(then, where))
                return formula.both([first, formula.either([asked, self.formula(otherwise, where)])])
            case QuantifiedExpression():
                return self._quantified(expression, where)
            case Valid(ranges, writes):
                regions = [self.region(each, where) for each in ranges]
                inside = [pointed_objects.is_inside(where.state, each, self._doubt, writes=writes) for each in regions]
                return Ground(build.conjunction(inside))
            case ValidBytes(pointer, size, writes):
                return Ground(self._has_bytes(pointer, size, where, writes=writes))
            case Separated(ranges):
                return Ground(pointed_objects.are_separated([self.region(each, where) for each in ranges], self._doubt))
            case Fresh():
                return Ground(self._is_fresh(expression, where))
            case At(inner, label):
                return self.formula(inner, self.back(where, label))
            case Application():
                meant = self._applied(expression, where)
                return Ground(self._truth(meant)) if isinstance(meant, CValue | CPointer | MemoryLocation) else meant
        try:
            return Ground(self._condition(expression, where))
        except NotGround as found:
            yes, no = [
                self.formula(with_part(expression, found.part, NumberLiteral(bit, INT)), where) for bit in (1, 0)
            ]
            return formula.both([formula.implied(found.condition, yes), formula.either([found.condition, no])])

    def _condition(self, expression: Expression, where: Where) -> Value:
        match expression:
            case SameObject(left, right):
                pointers = self._pointer(left, where).value, self._pointer(right, where).value
                return pointed_objects.are_in_one(*pointers, self._doubt)
            case BinaryExpression(op, left, right) if op in _COMPARISONS:
                return self._compared(op, self.value(left, where), self.value(right, where), where)
        return self._truth(self.value(expression, where))

    def _quantified(self, expression: QuantifiedExpression, where: Where) -> Formula:
        kinds = []
        for variable in expression.variables:
            if isinstance(variable.type, TypeName):
                raise NoMeaning(f"a quantifier over the pointer {variable.name}")
            kinds.append(variable.type or Integral(unbounded_integers.VARIABLE_BITS, True))
        names = [variable.name for variable in expression.variables]

        def body(values: Values) -> Formula:
            given = {name: CValue(value, kind) for name, value, kind in zip(names, values, kinds, strict=True)}
            inner = {label: replace(each, bound={**each.bound, **given}) for label, each in where.earlier.items()}
            return self.formula(expression.body, replace(where, bound={**where.bound, **given}, earlier=inner))

        return formula.QuantifiedFormula(expression.kind == "exists", tuple([kind.width for kind in kinds]), body)

    @staticmethod
    def _truth(value: Typed) -> Value:
        match value:
            case CValue():
                return truth(value)
            case CPointer(pointer, _):
                return build.ne(pointer, 0, 64)
        raise NoMeaning("a struct or an array where a condition should be")

    def _compared(self, op: str, left: Typed, right: Typed, where: Where) -> Value:
        if isinstance(left, CPointer) or isinstance(right, CPointer):
            a, b = self._as_address(left), self._as_address(right)
            if op in ("==", "!="):
                return build.eq(a, b, 64) if op == "==" else build.ne(a, b, 64)
            order = {"<": build.ult, "<=": build.ule, ">": build.ugt, ">=": build.uge}
            return order[op](a, b, 64)
        if not (isinstance(left, CValue) and isinstance(right, CValue)):
            raise NoMeaning("structs are compared")
        return where.numbers.compared(op, where.numbers.number(left), where.numbers.number(right))

    @staticmethod
    def _as_address(value: Typed) -> Value:
        if isinstance(value, CPointer):
            return value.value
        if isinstance(value, CValue) and value.value == 0:
            return 0
        raise NoMeaning("a pointer is compared with a number")

    # --- values

    def value(self, expression: Expression, where: Where) -> Typed:
        """The value of an expression: reads locations; an array becomes a pointer to its first element."""
        return self._read(self.typed(expression, where), where)

    def typed(self, expression: Expression, where: Where) -> Typed:
        """The meaning of an expression. Raises NoMeaning."""
        match expression:
            case NumberLiteral(value, kind):
                return CValue(value, kind)
            case Name(name):
                known = where.bound.get(name) or where.names(name)
                if known is None:
                    raise NoMeaning(f"no variable is called {name!r} here, or it has no value")
                return known
            case Null():
                return CPointer(0, VOID)
            case ResultExpression():
                if where.result is None:
                    raise NoMeaning("a result is asked for where there is none")
                return where.result
            case At(inner, label):
                return self._earlier(inner, self.back(where, label))
            case OfPointer(what, pointer):
                address, unknown = self._pointer(pointer, where).value, self._unspecified(64)
                of = (
                    pointed_objects.offset(address, unknown)
                    if what == "offset"
                    else pointed_objects.size(address, where.state, unknown)
                )
                return CValue(of, UNSIGNED_LONG)
            case Application():
                meant = self._applied(expression, where)
                return meant if isinstance(meant, CValue | CPointer | MemoryLocation) else self._flag(expression, meant)
            case Deref() | Index() | MemberExpression() | AddressOf():
                return self._located(expression, where)
            case CastExpression() | TypeCast() | SizeOf():
                return self._converted(expression, where)
            case UnaryExpression(op, operand) if op != "!":
                return where.numbers.unary(op, where.numbers.number(self._number(self.value(operand, where))))
            case Conditional(question, then, otherwise):
                asked = self._ground(question, where)
                if isinstance(asked, int) and where.is_mathematical:  # in C, the other operand contributes to the type
                    return self.value(then if asked else otherwise, where)
                return self._chosen(asked, then, otherwise, where)
            case BinaryExpression(op, left, right) if op not in ("&&", "||", "==>", "<==>", "^^", *_COMPARISONS):
                return self._arithmetic(op, self.value(left, where), self.value(right, where), where)
        return self._flag(expression, self.formula(expression, where))

    def _earlier(self, expression: Expression, where: Where) -> Typed:
        """An expression in an earlier state. Later reads of structs and arrays see that state, too."""
        known = self.typed(expression, where)
        if isinstance(known, MemoryLocation) and isinstance(known.type, Array | RecordType):
            return replace(known, state=known.state or where.state)
        return self._read(known, where)

    @staticmethod
    def _flag(expression: Expression, condition: Formula) -> CValue:
        if not isinstance(condition, Ground):
            raise NotGround(expression, condition)
        return CValue(build.zext(condition.value, 1, INT.width), INT)

    def _applied(self, application: Application, where: Where) -> Formula | Typed:
        if self._logic is None:
            raise NoMeaning(f"{application.name}: a predicate or logic function where none are known")
        return self._logic.applied(self, application, where)

    def _located(self, expression: Deref | Index | MemberExpression | AddressOf, where: Where) -> Typed:
        match expression:
            case Deref(pointer):
                return self._target(self.value(pointer, where), 0)
            case Index(base, index):
                whole, at = self.typed(base, where), self._index(index, where)
                if isinstance(whole, MemoryLocation) and isinstance(whole.type, Array) and whole.state is not None:
                    first = CPointer(whole.address, whole.type.element)
                    return replace(self._target(first, at), state=whole.state)
                return self._target(self._read(whole, where), at)
            case MemberExpression(record, name, arrow):
                return self._member(record, name, arrow, where)
            case AddressOf(operand):
                located = self.typed(operand, where)
                if not isinstance(located, MemoryLocation) or located.state is not None:
                    raise NoMeaning("the address of what is no place")
                return CPointer(located.address, located.type)

    def _converted(self, expression: CastExpression | TypeCast | SizeOf, where: Where) -> Typed:
        match expression:
            case CastExpression(kind, operand):
                value = self.value(operand, where)
                if isinstance(value, CPointer):
                    value = CValue(value.value, UNSIGNED_LONG)
                return CValue(convert(self._number(value), kind), kind)
            case TypeCast(named, operand):
                return self._cast(named, self.value(operand, where), where)
            case SizeOf(of):
                return CValue(self._size(of, where), UNSIGNED_LONG)

    def _ground(self, expression: Expression, where: Where) -> Value:
        condition = self.formula(expression, where)
        if not isinstance(condition, Ground):
            raise NotGround(expression, condition)
        return condition.value

    def _chosen(self, question: Value, then: Expression, otherwise: Expression, where: Where) -> Typed:
        first, second = self.value(then, where), self.value(otherwise, where)
        if isinstance(first, CPointer) or isinstance(second, CPointer):
            target = first.target if isinstance(first, CPointer) else VOID
            return CPointer(build.ite(question, self._as_address(first), self._as_address(second), 64), target)
        numbers = where.numbers
        a, b, kind = numbers.in_common(numbers.number(self._number(first)), numbers.number(self._number(second)))
        return CValue(build.ite(question, a, b, kind.width), kind)

    def _arithmetic(self, op: str, left: Typed, right: Typed, where: Where) -> Typed:
        if isinstance(right, CPointer) and op == "+":
            left, right = right, left
        if isinstance(left, CPointer) and isinstance(right, CPointer) and op == "-":
            size = max(left.target.size, 1)
            return CValue(build.sdiv(build.sub(left.value, right.value, 64), size, 64), LONG)
        if isinstance(left, CPointer) and op in ("+", "-"):
            index = as_index(self._number(right))
            if op == "-":
                index = build.neg(index, 64)
            return CPointer(_moved(left, index), left.target)
        numbers = where.numbers
        return numbers.binary(op, numbers.number(self._number(left)), numbers.number(self._number(right)))

    @staticmethod
    def _number(value: Typed) -> CValue:
        if isinstance(value, CValue):
            return value
        raise NoMeaning("a pointer or a struct where a number should be")

    def _integer(self, expression: Expression, where: Where) -> CValue:
        return unbounded_integers.number(self._number(self.value(expression, where)))

    def _index(self, expression: Expression, where: Where) -> Value:
        return as_index(self._number(self.value(expression, where)))

    def _pointer(self, expression: Expression, where: Where) -> CPointer:
        value = self.value(expression, where)
        if not isinstance(value, CPointer):
            raise NoMeaning("a number where a pointer should be")
        return value

    @staticmethod
    def back(where: Where, label: str) -> Where:
        """The context at a label. Raises NoMeaning."""
        if label in ("Here", "Post", "LoopCurrent") and label not in where.earlier:
            return where
        earlier = where.earlier.get(label)
        if earlier is None:
            raise NoMeaning(f"\\at(..., {label}) where there is no such state")
        return replace(earlier, bound={**earlier.bound, **where.bound}, earlier=where.earlier)

    # --- types

    def _cast(self, kind: TypeName, value: Typed, where: Where) -> Typed:
        if kind == TypeName("integer", 0):
            return unbounded_integers.number(self._number(value))
        if kind.target is not None and (
            isinstance(value, CPointer) or (isinstance(value, CValue) and value.value == 0)
        ):
            return CPointer(value.value, self.named(kind.target, where))
        named = self.named(kind, where)
        if isinstance(named, Pointer) and isinstance(value, CPointer):
            return CPointer(value.value, self._types.target(named))
        number = as_integral(named)
        if number is None:
            raise NoMeaning(f"a conversion to {kind.words}")
        value = CValue(value.value, UNSIGNED_LONG) if isinstance(value, CPointer) else self._number(value)
        return CValue(convert(value, number), number)

    def named(self, kind: TypeName, where: Where) -> CType:
        """The type of a name. Raises NoMeaning for an unknown one."""
        if kind.target is not None:
            return self._types.pointer_to(self.named(kind.target, where))
        known = VOID if kind.words == "void" else self._types.of_name(kind.words)
        if known is None:
            raise NoMeaning(f"the type {kind.words}, which is not known, or not the same everywhere")
        for _ in range(kind.stars):
            known = self._types.pointer_to(known)
        for dimension in reversed(kind.dimensions):
            count = self._integer(dimension, where)
            if not isinstance(count.value, int) or unbounded_integers.value_of(count) < 0:
                raise NoMeaning(f"an array of {known.name} whose size is not constant")
            known = array_of(known, unbounded_integers.value_of(count))
        return known

    def _size(self, of: TypeName | Expression, where: Where) -> int:
        if isinstance(of, TypeName):
            known_type = self.named(of, where)
            if not known_type.size:
                raise NoMeaning(f"sizeof({known_type.name})")
            return known_type.size
        known = self.typed(of, where)
        if isinstance(known, MemoryLocation):
            return known.type.size
        return 8 if isinstance(known, CPointer) else max(known.type.width // 8, 1)

    def _member(self, record: Expression, name: str, arrow: bool, where: Where) -> MemoryLocation:
        known = self._target(self.value(record, where), 0) if arrow else self.typed(record, where)
        if not isinstance(known, MemoryLocation) or not isinstance(known.type, RecordType):
            raise NoMeaning(f"the member {name} of what is no struct")
        for member in self._types.fields(known.type):
            if member.name == name and not member.is_bits:
                return MemoryLocation(build.add(known.address, member.offset, 64), member.type, known.state)
        raise NoMeaning(f"{known.type.name} has no member {name} (bit-fields are not supported)")

    @staticmethod
    def _target(pointer: Typed, index: Value) -> MemoryLocation:
        if not isinstance(pointer, CPointer) or pointer.target.size == 0:
            raise NoMeaning("what is no pointer to a known type is followed")
        return MemoryLocation(_moved(pointer, index), pointer.target)

    # --- memory

    def _read(self, known: Typed, where: Where) -> Typed:
        if not isinstance(known, MemoryLocation):
            return known
        if known.state is not None:
            where = replace(where, state=known.state)
        match known.type:
            case Array(element=element):
                if known.state is not None:
                    raise NoMeaning("an array of an earlier state where a pointer should be")
                return CPointer(known.address, element)
            case Pointer() as kind:
                if where.state.memory.is_narrow:
                    raise NoMeaning("a pointer in memory, where it has 32 bits")
                return CPointer(self._loaded(known.address, 8, where), self._types.target(kind))
            case Scalar(_, size):
                number = as_integral(known.type)
                if number is None:
                    raise NoMeaning(f"a number of type {known.type.name}")
                return CValue(self._loaded(known.address, size, where), Integral(8 * size, number.signed))
        return known

    def _loaded(self, address: Value, size: int, where: Where) -> Value:
        return pointed_objects.contents(where.state, address, size, self._unspecified)

    def _unspecified(self, width: int) -> Value:
        return symbol(f"{UNSPECIFIED}{self._fresh()}", width)

    # --- validity

    def region(self, part: RangeExpression, where: Where) -> tuple[Value, CValue, CValue]:
        """The address of a range, and the integers of bytes from there at which it begins and ends."""
        pointer = self._pointer(part.pointer, where)
        size = unbounded_integers.constant(max(pointer.target.size, 1))
        low, high = self._integer(part.low, where), self._integer(part.high, where)
        begin = unbounded_integers.binary("*", low, size)
        end = unbounded_integers.binary("*", unbounded_integers.binary("+", high, unbounded_integers.constant(1)), size)
        return pointer.value, begin, end

    def _has_bytes(self, pointer: Expression, size: Expression, where: Where, *, writes: bool) -> Value:
        """Whether ``size`` bytes from a pointer on lie in a live object."""
        return pointed_objects.is_inside(where.state, self._bytes(pointer, size, where), self._doubt, writes=writes)

    def _bytes(self, pointer: Expression, size: Expression, where: Where) -> pointed_objects.Region:
        return self._pointer(pointer, where).value, unbounded_integers.constant(0), self._integer(size, where)

    def _is_fresh(self, fresh: Fresh, where: Where) -> Value:
        """Whether the bytes lie in a live object, and, for a call, whether they are apart from everything else."""
        has_bytes = self._has_bytes(fresh.pointer, fresh.size, where, writes=True)
        if not any(each is fresh for each in where.fresh):
            return has_bytes
        before = takewhile(lambda each: each is not fresh, where.fresh)
        mine, *others = [self._bytes(each.pointer, each.size, where) for each in (fresh, *before)]
        apart = [pointed_objects.are_separated([mine, other], self._doubt) for other in others]
        return build.conjunction([has_bytes, *apart, build.negate(pointed_objects.is_variable(mine[0], where.state))])

    def _doubt(self, unknown: Value) -> Value:
        """An unknown truth value where ``unknown`` (1 bit) holds: it is never proved, and nothing follows from it."""
        return build.both(unknown, self._unspecified(1))


def _moved(pointer: CPointer, index: Value) -> Value:
    return build.add(pointer.value, build.mul(index, max(pointer.target.size, 1), 64), 64)
