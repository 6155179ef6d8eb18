"""Queries as SMT-LIB 2 text (--dump-smt), linear in the number of distinct terms, floats exact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unfork.logic.solve.encode import MODES, TO_FLOAT, Encoder
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.terms.term import Term

_BOOL = "Bool"
_CONDITIONS = frozenset(
    "true false not and or xor => = bvult bvslt"
    " fp.eq fp.lt fp.leq fp.gt fp.geq fp.isNaN fp.isInfinite fp.isNegative".split()
)
_INDEXED = {"to_fp_bits": "to_fp", "to_fp_signed": "to_fp"}
_INLINE = 60
_PREFIX = "unfork!"
_STATUS = {Sat: "sat", Unsat: "unsat", Unknown: "unknown"}


class _Expression:
    """A piece of text with its sort: ``width`` bits where that is not 0."""

    __slots__ = ("sort", "text", "width")

    def __init__(self, text: str, sort: str, width: int = 0) -> None:
        self.text = text
        self.sort = f"(_ BitVec {width})" if width else sort
        self.width = width


class _Script:
    """The dialect of SMT-LIB: short expressions stand where they are used, longer ones are defined once and named."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[tuple[str, int], str] = {}
        self._taken: set[str] = set()
        self._count = 0

    def apply(self, operator: str, args: Sequence[_Expression], indices: Sequence[int] = ()) -> _Expression:
        if not args:
            return _Expression(operator, "RoundingMode" if operator in MODES else _BOOL)
        head = _INDEXED.get(operator, operator)
        if indices:
            head = f"(_ {head} {' '.join(map(str, indices))})"
        text = f"({head} {' '.join([a.text for a in args])})"
        expression = _with_sort(operator, args, indices, text)
        return expression if len(text) <= _INLINE else self._define(expression)

    def bits(self, value: int, width: int) -> _Expression:
        return _Expression(f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}", "", width)

    def variable(self, name: str, width: int) -> _Expression:
        """The variable of a symbol, declared on first use."""
        known = self._names.get((name, width))
        if known is None:
            plain = "".join("_" if c in "|\\" or not c.isprintable() else c for c in name)
            known = plain
            while known in self._taken or known.startswith(_PREFIX):
                self._count += 1
                known = f"{plain}'{self._count}"
            self._taken.add(known)
            self._names[name, width] = known
            self.lines.append(f"(declare-const |{known}| (_ BitVec {width}))")
        return _Expression(f"|{known}|", "", width)

    def fresh(self, width: int) -> _Expression:
        name = self._name()
        self.lines.append(f"(declare-const {name} (_ BitVec {width}))")
        return _Expression(name, "", width)

    def _define(self, expression: _Expression) -> _Expression:
        name = self._name()
        self.lines.append(f"(define-fun {name} () {expression.sort} {expression.text})")
        return _Expression(name, expression.sort, expression.width)

    def _name(self) -> str:
        self._count += 1
        return f"{_PREFIX}{self._count}"


def _with_sort(operator: str, args: Sequence[_Expression], indices: Sequence[int], text: str) -> _Expression:
    if operator in _CONDITIONS:
        return _Expression(text, _BOOL)
    if operator in TO_FLOAT:
        return _Expression(text, f"(_ FloatingPoint {indices[0]} {indices[1]})")
    if operator == "extract":
        return _Expression(text, "", indices[0] - indices[1] + 1)
    if operator == "zero_extend" or operator == "sign_extend":
        return _Expression(text, "", args[0].width + indices[0])
    if operator == "concat":
        return _Expression(text, "", args[0].width + args[1].width)
    if operator == "fp.to_sbv" or operator == "fp.to_ubv":
        return _Expression(text, "", indices[0])
    return _Expression(text, args[-1].sort, args[-1].width)


def query_text(constraints: Sequence[Term], status: str = "unknown") -> str:
    """A script that asks whether the constraints can hold together; ``status`` is the known answer."""
    script = _Script()
    encoder: Encoder[_Expression] = Encoder(script)
    for constraint in constraints:
        condition = encoder.condition(constraint)
        script.lines.extend(f"(assert {definition.text})" for definition in encoder.definitions(constraint))
        script.lines.append(f"(assert {condition.text})")
    logic = "QF_BVFP" if any(map(encoder.has_floats, constraints)) else "QF_BV"
    head = ["(set-info :smt-lib-version 2.6)", f"(set-logic {logic})", f"(set-info :status {status})"]
    return "\n".join([*head, *script.lines, "(check-sat)", "(exit)", ""])


class DumpingSolver:
    """A solver that also writes each query, with its answer, to a numbered file of a directory.

    Raises OSError where a file cannot be written.
    """

    def __init__(self, solver: Solver, directory: Path) -> None:
        self._solver = solver
        self._directory = directory
        self._count = 0

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        answer = self._solver.check(constraints, timeout)
        self._count += 1
        path = self._directory / f"{self._count:06d}.smt2"
        path.write_text(query_text(constraints, _STATUS[type(answer)]), encoding="utf-8")
        return answer

    def forget(self) -> None:
        self._solver.forget()

    def close(self) -> None:
        self._solver.close()
