"""Terms in the language of a solver: SMT-LIB's operators, with conditions as booleans and floats as floats inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic

from unfork.logic import encode_float
from unfork.logic.dialect import Dialect, Node
from unfork.logic.division import digit
from unfork.logic.term import Term, postorder

# A term is asked for in one of these forms, or as a float of the format that is named.
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
_FLOAT_OPS = encode_float.RESULTS | frozenset(encode_float.PREDICATES)
Need = tuple[Term, str]


class Encoder(Generic[Node]):
    """Translates terms, each once per form.

    A floating operation whose bits are asked for is a fresh bit-vector, since solvers have no function from floats to
    bits: ``definitions`` says what a condition needs asserted beside it for that.
    """

    def __init__(self, dialect: Dialect[Node]) -> None:
        self._dialect = dialect
        self._one = dialect.bits(1, 1)
        self._zero = dialect.bits(0, 1)
        self._nodes: dict[Need, Node] = {}
        self._floating: set[Term] = set()
        self._defined: dict[Term, list[Node]] = {}
        self._missing: list[Need] = []

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
        """Whether an already translated term has a floating operation in it."""
        return term in self._floating

    def definitions(self, term: Term) -> list[Node]:
        """What must be asserted beside an already translated ``term`` (or beside anything that mentions it)."""
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
            if wanted is BITS:
                node = self._bits(term)
            else:
                node = self._bool(term) if wanted is BOOL else self._float(term, wanted)
            if node is None:
                stack.extend(self._missing)
                continue
            stack.pop()
            nodes[need] = node
            if term.op in _FLOAT_OPS or (floating and any(a in floating for a in term.args)):
                floating.add(term)
        return nodes[root, form]

    def _operands(self, needs: Sequence[Need]) -> list[Node] | None:
        """The translated operands, or None after noting those that must come first."""
        nodes = self._nodes
        try:
            return [nodes[need] for need in needs]
        except KeyError:
            self._missing = [need for need in needs if need not in nodes]
            return None

    def _bool(self, term: Term) -> Node | None:
        op, args = term.op, term.args
        if op == "const":
            return self._dialect.apply("true" if term.value else "false", ())
        if op in _CONNECTIVES and args[-1].width == 1:
            operands = self._operands([(a, BOOL) for a in args])
            return None if operands is None else self._dialect.apply(_CONNECTIVES[op], operands)
        if op in _COMPARISONS:
            operands = self._operands([(a, BITS) for a in args])
            return None if operands is None else self._dialect.apply(_COMPARISONS[op], operands)
        if op in encode_float.PREDICATES:
            operands = self._operands([(a, str(term.parameter)) for a in args])
            return None if operands is None else self._dialect.apply(encode_float.PREDICATES[op], operands)
        operands = self._operands([(term, BITS)])
        return None if operands is None else self._dialect.apply("=", [operands[0], self._one])

    def _bits(self, term: Term) -> Node | None:
        op, args, dialect = term.op, term.args, self._dialect
        if op == "const":
            return dialect.bits(term.value, term.width)
        if op == "symbol":
            return dialect.variable(term.name, term.width)
        if op in _COMPARISONS or op in encode_float.PREDICATES or (op in _CONNECTIVES and term.width == 1):
            operands = self._operands([(term, BOOL)])
            return None if operands is None else dialect.apply("ite", [operands[0], self._one, self._zero])
        if op in encode_float.RESULTS:
            return self._float_bits(term)
        if op == "urem" and isinstance(other := digit(term), Term) and other is not term:
            operands = self._operands([(other, BITS)])
            return None if operands is None else operands[0]
        if op == "ite":
            operands = self._operands([(args[0], BOOL), (args[1], BITS), (args[2], BITS)])
        else:
            operands = self._operands([(a, BITS) for a in args])
        if operands is None:
            return None
        if op == "extract":
            return dialect.apply("extract", operands, (term.offset + term.width - 1, term.offset))
        if op == "zext" or op == "sext":
            name = "zero_extend" if op == "zext" else "sign_extend"
            return dialect.apply(name, operands, (term.width - args[0].width,))
        return dialect.apply(_VECTORS[op], operands)

    # --- floats: see encode_float ---

    def _float_bits(self, term: Term) -> Node | None:
        """The bits of a floating operation, or the integer of a conversion to one."""
        if term.op in encode_float.TO_INTEGER:
            operands = self._operands([(term.args[0], str(term.parameter))])
            if operands is None:
                return None
            return encode_float.to_integer(self._dialect, term.op, str(term.parameter), term.width, operands[0])
        name = encode_float.result_format(term)
        operands = self._operands([(term, name)])
        if operands is None:
            return None
        bits, self._defined[term] = encode_float.to_bits(self._dialect, name, operands[0])
        return bits

    def _float(self, term: Term, name: str) -> Node | None:
        op = term.op
        if op == "ite":
            operands = self._operands([(term.args[0], BOOL), (term.args[1], name), (term.args[2], name)])
            return None if operands is None else self._dialect.apply("ite", operands)
        if op == "xor" or op == "and":
            operand = encode_float.under_sign(term, name)
            if operand is not None:
                operands = self._operands([(operand, name)])
                sign = "fp.neg" if op == "xor" else "fp.abs"
                return None if operands is None else self._dialect.apply(sign, operands)
        if op not in encode_float.ARITHMETIC or encode_float.result_format(term) != name:
            operands = self._operands([(term, BITS)])
            return None if operands is None else encode_float.from_bits(self._dialect, name, operands[0])
        form = encode_float.operand_format(term)
        operands = self._operands([(a, form if form is not None else BITS) for a in term.args])
        return None if operands is None else encode_float.arithmetic(self._dialect, term, operands)
