"""Terms in the language of a solver: SMT-LIB's operators, with conditions as booleans and floats as floats.

Floats keep the NaN rule of fp_format: solvers and logic/terms/fp.py agree bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from unfork.logic.terms import fp
from unfork.logic.terms.division import digit
from unfork.logic.terms.fp_format import FORMATS, FloatFormat
from unfork.logic.terms.term import Term, postorder

Node = TypeVar("Node")


class Dialect(Protocol[Node]):
    """How one solver writes expressions, so that one translation serves all solvers."""

    def apply(self, operator: str, args: Sequence[Node], indices: Sequence[int] = ()) -> Node:
        """An SMT-LIB operator by name; the rounding modes (RNE ...) are operators without operands."""

    def bits(self, value: int, width: int) -> Node:
        """A bit-vector constant."""

    def variable(self, name: str, width: int) -> Node:
        """The bit-vector variable of a symbol; one node per name and width."""

    def fresh(self, width: int) -> Node:
        """A bit-vector variable that occurs nowhere else."""


MODES = ("RNE", "RNA", "RTN", "RTP", "RTZ")
"""SMT-LIB's rounding modes."""
TO_FLOAT = frozenset(("to_fp_bits", "to_fp", "to_fp_signed", "to_fp_unsigned"))
"""SMT-LIB's operators that give a float of the format in their indices, distinguished by their operands."""
PREDICATES = {"fp.eq": "fp.eq", "fp.lt": "fp.lt", "fp.le": "fp.leq", "fp.isnan": "fp.isNaN"}
TO_INTEGER = {"fp.to_signed": "fp.to_sbv", "fp.to_unsigned": "fp.to_ubv"}
_ROUNDED = frozenset(("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt"))
_INTEGRAL = {
    "fp.floor": "RTN",
    "fp.ceil": "RTP",
    "fp.trunc": "RTZ",
    "fp.rint": "RNE",
    "fp.roundeven": "RNE",
    "fp.round": "RNA",
}
_CONVERSIONS = {"fp.convert": "to_fp", "fp.from_signed": "to_fp_signed", "fp.from_unsigned": "to_fp_unsigned"}
ARITHMETIC = frozenset((*_ROUNDED, *_INTEGRAL, *_CONVERSIONS, "fp.rem", "fp.min", "fp.max"))
"""The operators whose result is a float."""
RESULTS = ARITHMETIC | frozenset(TO_INTEGER)


def result_format(term: Term) -> str:
    """The format of the result of one of ARITHMETIC."""
    parameter = term.parameter
    return parameter[1] if isinstance(parameter, tuple) else str(parameter)


def operand_format(term: Term) -> str | None:
    """The format of the operands; None if they are integers."""
    if term.op in ("fp.from_signed", "fp.from_unsigned"):
        return None
    return term.parameter[0] if isinstance(term.parameter, tuple) else str(term.parameter)


def under_sign(term: Term, name: str) -> Term | None:
    """The float whose negation or absolute value ``term``, an xor or an and, is."""
    sign = FORMATS[name].sign
    for mask, operand in (term.args, term.args[::-1]):
        if mask.op == "const" and operand.op in ARITHMETIC and result_format(operand) == name:
            return operand if mask.value == (sign if term.op == "xor" else sign - 1) else None
    return None


def shape(name: str) -> tuple[int, int]:
    """SMT-LIB's two numbers of a format: exponent bits, and significand bits with the leading one."""
    fmt = FORMATS[name]
    return fmt.exponent_bits, fmt.precision


def from_bits(dialect: Dialect[Node], name: str, bits: Node) -> Node:
    """The float of a pattern."""
    fmt = FORMATS[name]
    if not fmt.explicit:
        return dialect.apply("to_fp_bits", [bits], shape(name))
    take, top = fmt.fraction_bits, fmt.width - 1
    exponent = dialect.apply("extract", [bits], (top - 1, take))
    leading = dialect.apply("=", [dialect.apply("extract", [bits], (take - 1, take - 1)), dialect.bits(1, 1)])
    none = dialect.apply("=", [exponent, dialect.bits(0, fmt.exponent_bits)])
    least = dialect.bits(1, fmt.exponent_bits)
    pseudo_denormal = dialect.apply("and", [none, leading])
    parts = [
        dialect.apply("extract", [bits], (top, top)),
        dialect.apply("ite", [pseudo_denormal, least, exponent]),
        dialect.apply("extract", [bits], (take - 2, 0)),
    ]
    number = dialect.apply("to_fp_bits", [_concat(dialect, parts)], shape(name))
    valid = dialect.apply("or", [none, leading])
    nan = dialect.apply("to_fp_bits", [dialect.bits(_plain_nan(fmt), fmt.width - 1)], shape(name))
    return dialect.apply("ite", [valid, number, nan])


def to_bits(dialect: Dialect[Node], name: str, number: Node) -> tuple[Node, list[Node]]:
    """Fresh bits for the pattern of a result, and the conditions that define them; any NaN is the default one."""
    fmt = FORMATS[name]
    width = fmt.width - fmt.explicit
    bits = dialect.fresh(width)
    nan = dialect.bits(_plain_nan(fmt), width)
    definition = [
        dialect.apply("=", [dialect.apply("to_fp_bits", [bits], shape(name)), number]),
        dialect.apply("=>", [dialect.apply("fp.isNaN", [number]), dialect.apply("=", [bits, nan])]),
    ]
    if not fmt.explicit:
        return bits, definition
    exponent = dialect.apply("extract", [bits], (width - 2, fmt.precision - 1))
    none = dialect.apply("=", [exponent, dialect.bits(0, fmt.exponent_bits)])
    leading = dialect.apply("ite", [none, dialect.bits(0, 1), dialect.bits(1, 1)])
    parts = [
        dialect.apply("extract", [bits], (width - 1, fmt.precision - 1)),
        leading,
        dialect.apply("extract", [bits], (fmt.precision - 2, 0)),
    ]
    return _concat(dialect, parts), definition


def arithmetic(dialect: Dialect[Node], term: Term, args: Sequence[Node]) -> Node:
    """The result of one of ARITHMETIC, from floats (from integers where operand_format is None)."""
    op = term.op
    if op in _INTEGRAL:
        return dialect.apply("fp.roundToIntegral", [dialect.apply(_INTEGRAL[op], ()), *args])
    nearest = dialect.apply("RNE", ())
    if op in _ROUNDED:
        return dialect.apply(op, [nearest, *args])
    if op in _CONVERSIONS:
        return dialect.apply(_CONVERSIONS[op], [nearest, *args], shape(result_format(term)))
    if op == "fp.rem":
        return _remainder(dialect, result_format(term), *args)
    return _extremum(dialect, op, *args)


def to_integer(dialect: Dialect[Node], op: str, name: str, width: int, number: Node) -> Node:
    """The float rounded toward zero; only the top bit is set for a NaN and out of range."""
    signed = op == "fp.to_signed"
    fmt = FORMATS[name]
    size = width - 1 if signed else width

    def number_of(value: int) -> Node:
        pattern = fp.from_int(value & (1 << width + 2) - 1, width + 2, True, name)
        return from_bits(dialect, name, dialect.bits(pattern, fmt.width))

    below = dialect.apply("fp.lt", [number, number_of(1 << size)])
    if not signed:
        above = dialect.apply("fp.gt", [number, number_of(-1)])
    elif width <= fmt.precision:
        above = dialect.apply("fp.gt", [number, number_of(-(1 << size) - 1)])
    else:  # nothing lies between -2**size - 1 and -2**size
        above = dialect.apply("fp.geq", [number, number_of(-(1 << size))])
    finite = dialect.apply("not", [dialect.apply("fp.isInfinite", [number])])
    fits = dialect.apply("and", [dialect.apply("and", [below, above]), finite])
    whole = dialect.apply(TO_INTEGER[op], [dialect.apply("RTZ", ()), number], (width,))
    return dialect.apply("ite", [fits, whole, dialect.bits(1 << width - 1, width)])


def _remainder(dialect: Dialect[Node], name: str, a: Node, b: Node) -> Node:
    """C's fmod from IEEE's remainder, which rounds the quotient to nearest: both are exact, and at most |b| apart."""
    apply = dialect.apply
    size = apply("fp.abs", [b])
    rest = apply("fp.rem", [apply("fp.abs", [a]), size])
    wrapped = apply("fp.add", [apply("RNE", ()), rest, size])
    zero = from_bits(dialect, name, dialect.bits(0, FORMATS[name].width))
    positive = apply("fp.abs", [apply("ite", [apply("fp.lt", [rest, zero]), wrapped, rest])])
    return apply("ite", [apply("fp.isNegative", [a]), apply("fp.neg", [positive]), positive])


def _extremum(dialect: Dialect[Node], op: str, a: Node, b: Node) -> Node:
    """C's fmin or fmax: a NaN loses, and -0 is below +0."""
    apply = dialect.apply
    lesser = apply("fp.lt", [a, b] if op == "fp.min" else [b, a])
    signs = apply("fp.isNegative", [a if op == "fp.min" else b])
    first = apply("or", [lesser, apply("and", [apply("fp.eq", [a, b]), signs])])
    return apply("ite", [apply("fp.isNaN", [a]), b, apply("ite", [apply("or", [first, apply("fp.isNaN", [b])]), a, b])])


def _concat(dialect: Dialect[Node], parts: Sequence[Node]) -> Node:
    result = parts[0]
    for part in parts[1:]:
        result = dialect.apply("concat", [result, part])
    return result


def _plain_nan(fmt: FloatFormat) -> int:
    """The default NaN without a stored leading bit."""
    width = fmt.width - fmt.explicit
    top = (1 << fmt.exponent_bits) - 1
    return 1 << width - 1 | top << fmt.precision - 1 | 1 << fmt.precision - 2


# The forms in which a term can be translated; another form is a float of the format it names.
BITS: Final = "bits"
BOOL: Final = "bool"

_COMPARISONS = {"eq": "=", "ult": "bvult", "slt": "bvslt"}
_CONNECTIVES = {"not": "not", "and": "and", "or": "or", "xor": "xor", "ite": "ite", "eq": "="}
_VECTORS = {
    **{op: "bv" + op for op in ("not", "neg", "and", "or", "xor", "add", "mul", "udiv", "urem", "sdiv", "srem")},
    **{op: "bv" + op for op in ("shl", "lshr", "ashr")},
    "ite": "ite",
    "concat": "concat",
}
_FLOAT_OPS = RESULTS | frozenset(PREDICATES)
Need = tuple[Term, str]


class _Missing(Exception):
    """Operands that must be translated first."""

    def __init__(self, needs: list[Need]) -> None:
        self.needs = needs


class Encoder(Generic[Node]):
    """Translates terms, each once per form.

    The bits of a floating operation are a fresh bit-vector, since solvers have no function from floats to bits;
    ``definitions`` gives the conditions to assert for it.
    """

    def __init__(self, dialect: Dialect[Node]) -> None:
        self._dialect = dialect
        self._one = dialect.bits(1, 1)
        self._zero = dialect.bits(0, 1)
        self._nodes: dict[Need, Node] = {}
        self._floating: set[Term] = set()
        self._defined: dict[Term, list[Node]] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def condition(self, term: Term) -> Node:
        """A term of 1 bit as a boolean."""
        node = self._nodes.get((term, BOOL))
        return self._translate(term, BOOL) if node is None else node

    def vector(self, term: Term) -> Node:
        """A term as a bit-vector."""
        node = self._nodes.get((term, BITS))
        return self._translate(term, BITS) if node is None else node

    def has_floats(self, term: Term) -> bool:
        """Whether a translated term has a floating operation in it."""
        return term in self._floating

    def definitions(self, term: Term) -> list[Node]:
        """The conditions to assert beside a translated ``term``, or beside any term that mentions it."""
        if term not in self._floating:
            return []
        defined = self._defined
        return [node for part in postorder((term,)) if part in defined for node in defined[part]]

    def _translate(self, root: Term, form: str) -> Node:
        nodes, floating = self._nodes, self._floating
        stack = [(root, form)]
        while stack:
            need = stack[-1]
            if need in nodes:
                stack.pop()
                continue
            term, wanted = need
            try:
                if wanted is BITS:
                    nodes[need] = self._bits(term)
                else:
                    nodes[need] = self._bool(term) if wanted is BOOL else self._float(term, wanted)
            except _Missing as missing:
                stack.extend(missing.needs)
                continue
            stack.pop()
            if term.op in _FLOAT_OPS or (floating and any(a in floating for a in term.args)):
                floating.add(term)
        return nodes[root, form]

    def _operands(self, needs: Sequence[Need]) -> list[Node]:
        """The translated operands; raises _Missing for those that must come first."""
        nodes = self._nodes
        for need in needs:
            if need not in nodes:
                raise _Missing([need for need in needs if need not in nodes])
        return [nodes[need] for need in needs]

    def _bool(self, term: Term) -> Node:
        op, args = term.op, term.args
        if op == "const":
            return self._dialect.apply("true" if term.value else "false", ())
        if op in _CONNECTIVES and args[-1].width == 1:
            return self._dialect.apply(_CONNECTIVES[op], self._operands([(a, BOOL) for a in args]))
        if op in _COMPARISONS:
            return self._dialect.apply(_COMPARISONS[op], self._operands([(a, BITS) for a in args]))
        if op in PREDICATES:
            return self._dialect.apply(PREDICATES[op], self._operands([(a, str(term.parameter)) for a in args]))
        return self._dialect.apply("=", [*self._operands([(term, BITS)]), self._one])

    def _bits(self, term: Term) -> Node:
        op, args, dialect = term.op, term.args, self._dialect
        if op == "const":
            return dialect.bits(term.value, term.width)
        if op == "symbol":
            return dialect.variable(term.name, term.width)
        if op in _COMPARISONS or op in PREDICATES or (op in _CONNECTIVES and term.width == 1):
            return dialect.apply("ite", [*self._operands([(term, BOOL)]), self._one, self._zero])
        if op in RESULTS:
            return self._float_bits(term)
        if op == "urem" and isinstance(other := digit(term), Term) and other is not term:
            return self._operands([(other, BITS)])[0]
        if op == "ite":
            operands = self._operands([(args[0], BOOL), (args[1], BITS), (args[2], BITS)])
        else:
            operands = self._operands([(a, BITS) for a in args])
        if op == "extract":
            return dialect.apply("extract", operands, (term.offset + term.width - 1, term.offset))
        if op == "zext" or op == "sext":
            name = "zero_extend" if op == "zext" else "sign_extend"
            return dialect.apply(name, operands, (term.width - args[0].width,))
        return dialect.apply(_VECTORS[op], operands)

    # --- floats ---

    def _float_bits(self, term: Term) -> Node:
        """The bits of a floating operation, or the integer of a conversion to one."""
        if term.op in TO_INTEGER:
            operands = self._operands([(term.args[0], str(term.parameter))])
            return to_integer(self._dialect, term.op, str(term.parameter), term.width, operands[0])
        name = result_format(term)
        operands = self._operands([(term, name)])
        bits, self._defined[term] = to_bits(self._dialect, name, operands[0])
        return bits

    def _float(self, term: Term, name: str) -> Node:
        op = term.op
        if op == "ite":
            condition, *branches = term.args
            operands = self._operands([(condition, BOOL), *[(branch, name) for branch in branches]])
            return self._dialect.apply("ite", operands)
        if op == "xor" or op == "and":
            operand = under_sign(term, name)
            if operand is not None:
                sign = "fp.neg" if op == "xor" else "fp.abs"
                return self._dialect.apply(sign, self._operands([(operand, name)]))
        if op not in ARITHMETIC or result_format(term) != name:
            return from_bits(self._dialect, name, *self._operands([(term, BITS)]))
        form = operand_format(term) or BITS
        return arithmetic(self._dialect, term, self._operands([(a, form) for a in term.args]))
