"""The Z3 solver: one context, a fresh solver per query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from z3 import z3core

from unfork.logic.solve.encode import MODES, Encoder
from unfork.logic.solve.solver import FOREVER, NO_LIMIT, Answer, Effort, Sat, Unknown, Unsat
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term

# Functions of one, two or three operands, by SMT-LIB's name of the operator.
_PLAIN: dict[str, Callable[..., Any]] = {
    "not": z3core.Z3_mk_not,
    "xor": z3core.Z3_mk_xor,
    "=>": z3core.Z3_mk_implies,
    "ite": z3core.Z3_mk_ite,
    "=": z3core.Z3_mk_eq,
    "<=": z3core.Z3_mk_le,
    **{op: getattr(z3core, "Z3_mk_" + op) for op in ("bvult", "bvslt", "bvnot", "bvneg", "bvand")},
    **{op: getattr(z3core, "Z3_mk_" + op) for op in ("bvor", "bvxor", "bvadd", "bvmul", "bvudiv", "bvurem", "bvsdiv")},
    **{op: getattr(z3core, "Z3_mk_" + op) for op in ("bvsrem", "bvshl", "bvlshr", "bvashr", "concat")},
    **{"fp." + op: getattr(z3core, "Z3_mk_fpa_" + op) for op in ("abs", "neg", "add", "sub", "mul", "div", "fma")},
    **{"fp." + op: getattr(z3core, "Z3_mk_fpa_" + op) for op in ("sqrt", "rem", "eq", "lt", "leq", "gt", "geq")},
    "fp.roundToIntegral": z3core.Z3_mk_fpa_round_to_integral,
    "fp.isNaN": z3core.Z3_mk_fpa_is_nan,
    "fp.isInfinite": z3core.Z3_mk_fpa_is_infinite,
    "fp.isNegative": z3core.Z3_mk_fpa_is_negative,
}
_LEAVES: dict[str, Callable[..., Any]] = {
    "true": z3core.Z3_mk_true,
    "false": z3core.Z3_mk_false,
    **{mode: getattr(z3core, "Z3_mk_fpa_" + mode.lower()) for mode in MODES},
}
_SUMS: dict[str, Callable[..., Any]] = {"+": z3core.Z3_mk_add, "*": z3core.Z3_mk_mul}
_TO_FLOAT: dict[str, Callable[..., Any]] = {
    "to_fp_bits": z3core.Z3_mk_fpa_to_fp_bv,
    "to_fp": z3core.Z3_mk_fpa_to_fp_float,
    "to_fp_signed": z3core.Z3_mk_fpa_to_fp_signed,
    "to_fp_unsigned": z3core.Z3_mk_fpa_to_fp_unsigned,
}
_TACTICS = ("simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "simplify", "smt")
"""How integers are decided: without ``solve-eqs`` divisibility is out of reach, and Z3's own choice takes a second."""
_EXPRESSIONS = 100_000
_RESOURCES_PER_TICK = 80
"""Z3's resources per Bitwuzla tick (29 microseconds): 2,000,000 to 4,000,000 are a second's work."""


class _Expressions:
    """The dialect of Z3, through its C functions, since its Python operators take ten times as long."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._ref = self.context.ref()
        self._fresh = 0

    def _own(self, ast: Any) -> z3.ExprRef:
        return z3.ExprRef(ast, self.context)

    def apply(self, operator: str, args: Sequence[z3.ExprRef], indices: Sequence[int] = ()) -> z3.ExprRef:
        ref = self._ref
        if not args:
            return self._own(_LEAVES[operator](ref))
        asts = [a.as_ast() for a in args]
        plain = _PLAIN.get(operator)
        if plain is not None:
            return self._own(plain(ref, *asts))
        if operator == "and" or operator == "or":
            many = z3core.Z3_mk_and if operator == "and" else z3core.Z3_mk_or
            return self._own(many(ref, len(asts), (z3.Ast * len(asts))(*asts)))
        if operator == "extract":
            return self._own(z3core.Z3_mk_extract(ref, indices[0], indices[1], asts[0]))
        if operator == "zero_extend":
            return self._own(z3core.Z3_mk_zero_ext(ref, indices[0], asts[0]))
        if operator == "sign_extend":
            return self._own(z3core.Z3_mk_sign_ext(ref, indices[0], asts[0]))
        if operator == "fp.to_sbv":
            return self._own(z3core.Z3_mk_fpa_to_sbv(ref, *asts, indices[0]))
        if operator == "fp.to_ubv":
            return self._own(z3core.Z3_mk_fpa_to_ubv(ref, *asts, indices[0]))
        return self._own(_TO_FLOAT[operator](ref, *asts, z3.FPSort(indices[0], indices[1], self.context).ast))

    def bits(self, value: int, width: int) -> z3.ExprRef:
        return z3.BitVecVal(value, width, self.context)

    def variable(self, name: str, width: int) -> z3.ExprRef:
        """The variable of a symbol. Z3's names are plain text and end at a zero byte, which ours may contain."""
        plain = name.encode("unicode_escape").decode("ascii")
        return z3.BitVec(f"{plain}:{width}", width, self.context)

    def fresh(self, width: int) -> z3.ExprRef:
        """A variable that occurs nowhere else: the names of symbols end in a number."""
        self._fresh += 1
        return z3.BitVec(f"fresh {self._fresh}", width, self.context)


@dataclass(frozen=True, slots=True)
class IntegerValues:
    """The values of an integer query's variables, by number."""

    integers: dict[int, int]
    truths: dict[int, bool]


class Z3Integers:
    """The dialect of Z3's integers and truth values, and the solver that decides them."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._expressions = _Expressions()
        self._context = self._expressions.context
        self._unknowns: dict[int, z3.ExprRef] = {}
        self._truths: dict[int, z3.ExprRef] = {}

    def apply(self, operator: str, args: Sequence[z3.ExprRef]) -> z3.ExprRef:
        many = _SUMS.get(operator)
        if many is None:
            return self._expressions.apply(operator, args)
        asts = [a.as_ast() for a in args]
        return z3.ExprRef(many(self._context.ref(), len(asts), (z3.Ast * len(asts))(*asts)), self._context)

    def integer(self, value: int) -> z3.ExprRef:
        return z3.IntVal(value, self._context)

    def unknown(self, number: int) -> z3.ExprRef:
        return self._unknowns.setdefault(number, z3.Int(f"i{number}", self._context))

    def truth(self, number: int) -> z3.ExprRef:
        return self._truths.setdefault(number, z3.Bool(f"b{number}", self._context))

    def decide(self, conditions: Sequence[z3.ExprRef], timeout: float, steps: int) -> IntegerValues | Unsat | Unknown:
        tactics = [z3.Tactic(name, ctx=self._context) for name in _TACTICS]
        solver = z3.Then(*tactics, ctx=self._context).solver()
        try:
            model = _decide(solver, conditions, timeout, steps, self._effort)
        except z3.Z3Exception as error:
            return Unknown(f"z3: {error}")
        if not isinstance(model, z3.ModelRef):
            return model
        return IntegerValues(
            {number: model.eval(node, model_completion=True).as_long() for number, node in self._unknowns.items()},
            {number: z3.is_true(model.eval(node, model_completion=True)) for number, node in self._truths.items()},
        )


def _resources(solver: z3.Solver) -> int:
    """Resources, as Z3 counts, that all checks in the solver's context have used."""
    counts = solver.statistics()
    return int(counts.get_key_value("rlimit count")) if "rlimit count" in counts.keys() else 0  # noqa: SIM118  # no mapping


def _decide(
    solver: z3.Solver, conditions: Iterable[z3.ExprRef], timeout: float, steps: int, effort: Effort
) -> z3.ModelRef | Unsat | Unknown:
    """A model of the conditions, if they have one; raises Z3Exception. Adds the check's cost to ``effort``."""
    if steps != NO_LIMIT:
        solver.set("rlimit", steps)
    if timeout < 1e6:
        solver.set("timeout", max(1, int(timeout * 1000)))
    before = _resources(solver)
    solver.add(*[z3.BoolRef(node.as_ast(), solver.ctx) for node in conditions])
    result = solver.check()
    effort.ticks += max(_resources(solver) - before, 0) // _RESOURCES_PER_TICK
    if result == z3.sat:
        return solver.model()
    return Unsat() if result == z3.unsat else Unknown(f"z3: {solver.reason_unknown()}")


class Z3Solver:
    """Z3 in this process.

    ``steps`` limits the work of a check by Z3's count of resources, not by the clock, so that a run can be repeated
    (NO_LIMIT: none). Z3 gets ``timeout`` and mostly keeps it; it is certain only where a process watches this one
    (logic/solve/solver_worker.py).
    """

    def __init__(self, steps: int = NO_LIMIT, effort: Effort | None = None) -> None:
        self._steps = steps
        self.effort = Effort() if effort is None else effort
        self.forget()

    def forget(self) -> None:
        self._expressions = _Expressions()
        self._encoder: Encoder[z3.ExprRef] = Encoder(self._expressions)

    def close(self) -> None: ...

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        if len(self._encoder) > _EXPRESSIONS:
            self.forget()
        encoder = self._encoder
        try:
            nodes = [encoder.condition(constraint) for constraint in constraints]
            definitions = [node for constraint in constraints for node in encoder.definitions(constraint)]
            floats = any(map(encoder.has_floats, constraints))
            solver = z3.SolverFor("QF_FPBV" if floats else "QF_BV", ctx=self._expressions.context)
            model = _decide(solver, (*nodes, *definitions), timeout, self._steps, self.effort)
        except z3.Z3Exception as error:
            self.forget()
            return Unknown(f"z3: {error}")
        return Sat(self._model(model, constraints)) if isinstance(model, z3.ModelRef) else model

    def _model(self, model: z3.ModelRef, constraints: Sequence[Term]) -> Model:
        symbols: frozenset[Term] = frozenset().union(*[constraint.symbols for constraint in constraints])
        vector = self._encoder.vector
        return Model({s: model.eval(vector(s), model_completion=True).as_long() for s in symbols})
