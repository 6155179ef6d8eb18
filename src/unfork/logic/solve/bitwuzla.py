"""The Bitwuzla solver: a few incremental contexts, each at a path prefix, over one store of expressions."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from operator import ge, length_hint, or_
from time import monotonic

import bitwuzla
from bitwuzla import Kind, Option, Options, Result, TermManager

from unfork.logic.solve.encode import MODES, TO_FLOAT, Encoder
from unfork.logic.solve.solver import FOREVER, NO_LIMIT, Answer, Effort, Sat, Unknown, Unsat
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term

_KINDS: dict[str, Kind] = {
    **{op: getattr(Kind, op.upper()) for op in ("not", "and", "or", "xor", "ite")},
    "=>": Kind.IMPLIES,
    "=": Kind.EQUAL,
    **{"bv" + op: getattr(Kind, "BV_" + op.upper()) for op in ("ult", "slt", "not", "neg", "and", "or", "xor", "add")},
    **{"bv" + op: getattr(Kind, "BV_" + op.upper()) for op in ("mul", "udiv", "urem", "sdiv", "srem", "shl", "ashr")},
    "bvlshr": Kind.BV_SHR,
    **{op: getattr(Kind, "BV_" + op.upper()) for op in ("concat", "extract", "zero_extend", "sign_extend")},
    **{"fp." + op: getattr(Kind, "FP_" + op.upper()) for op in ("abs", "neg", "add", "sub", "mul", "div", "fma")},
    **{"fp." + op: getattr(Kind, "FP_" + op.upper()) for op in ("sqrt", "rem", "lt", "leq", "gt", "geq")},
    "fp.roundToIntegral": Kind.FP_RTI,
    "fp.eq": Kind.FP_EQUAL,
    "fp.isNaN": Kind.FP_IS_NAN,
    "fp.isInfinite": Kind.FP_IS_INF,
    "fp.isNegative": Kind.FP_IS_NEG,
    "to_fp_bits": Kind.FP_TO_FP_FROM_BV,
    "to_fp": Kind.FP_TO_FP_FROM_FP,
    "to_fp_signed": Kind.FP_TO_FP_FROM_SBV,
    "to_fp_unsigned": Kind.FP_TO_FP_FROM_UBV,
    "fp.to_sbv": Kind.FP_TO_SBV,
    "fp.to_ubv": Kind.FP_TO_UBV,
}
# Bitwuzla is built without its experimental formats, but refuses them only when a sort is made, not in conversions, and
# warns that they are wrong in places. So unfork refuses the others: x86_fp80 and bfloat.
_SHAPES = frozenset(((5, 11), (8, 24), (11, 53), (15, 113)))
_CONTEXTS = 8
_CHECKS_PER_CONTEXT = 5_000
# A context is stale once it has met this many constraints, and this many times those that it holds: popped constraints
# stay in its SAT solver and slow it (docs/decisions/logic.md).
_MET = 100
_MET_PER_HELD = 2
_EXPRESSIONS = 300_000
_ENDLESS = 1 << 40
SHARE = 5_000
"""Calls of the terminator in a check: a seventh of a second on hard queries, up to a second on large ones."""


class _RefusedFormat(Exception):
    """A floating-point format that Bitwuzla does not support."""


class _Expressions:
    """The dialect of Bitwuzla."""

    def __init__(self, manager: TermManager) -> None:
        self._manager = manager
        self._make = manager.mk_term
        self._leaves = {
            "true": manager.mk_true(),
            "false": manager.mk_false(),
            **{name: manager.mk_rm_value(getattr(bitwuzla.RoundingMode, name)) for name in MODES},
        }
        self._variables: dict[tuple[str, int], bitwuzla.Term] = {}

    def apply(self, operator: str, args: Sequence[bitwuzla.Term], indices: Sequence[int] = ()) -> bitwuzla.Term:
        if not args:
            return self._leaves[operator]
        if operator in TO_FLOAT and indices not in _SHAPES:
            raise _RefusedFormat(f"no floats of {indices} bits")
        return self._make(_KINDS[operator], args, list(indices)) if indices else self._make(_KINDS[operator], args)

    def bits(self, value: int, width: int) -> bitwuzla.Term:
        return self._manager.mk_bv_value(self._manager.mk_bv_sort(width), value)

    def variable(self, name: str, width: int) -> bitwuzla.Term:
        variable = self._variables.get((name, width))
        if variable is None:
            shown = name.encode("unicode_escape").decode("ascii")
            variable = self._variables[name, width] = self._manager.mk_const(self._manager.mk_bv_sort(width), shown)
        return variable

    def fresh(self, width: int) -> bitwuzla.Term:
        return self._manager.mk_const(self._manager.mk_bv_sort(width))


class _Prefix:
    """One incremental context and the constraints that it holds, one level each."""

    __slots__ = ("checks", "levels", "met", "solver")

    def __init__(self, manager: TermManager, *, simplify: bool) -> None:
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        if not simplify:
            options.set(Option.PREPROCESS, False)
            options.set(Option.REWRITE_LEVEL, 0)
        self.solver = bitwuzla.Bitwuzla(manager, options)
        self.levels: list[Term] = []
        self.met: set[Term] = set()
        self.checks = 0

    def is_stale(self) -> bool:
        """Whether a new context would be faster by now."""
        return len(self.met) > _MET + _MET_PER_HELD * len(self.levels) or self.checks > _CHECKS_PER_CONTEXT

    def common_length(self, constraints: Sequence[Term]) -> int:
        """How many leading constraints it shares with a query."""
        count = 0
        for mine, theirs in zip(self.levels, constraints, strict=False):
            if mine is not theirs:
                break
            count += 1
        return count


class BitwuzlaSolver:
    """Bitwuzla in this process.

    A query goes to the context that shares the longest prefix with it. Contexts retire by number of checks and size;
    with too many, the least recently used goes. ``ticks`` limits the work of a check (NO_LIMIT: none), so that a run
    can be repeated. A tick of a large formula takes long, so the search ends after ``timeout``, too. With NO_LIMIT
    another process watches this one and kills it (logic/solve/solver_worker.py). Without ``simplify`` (0 or 1)
    formulas go straight to the SAT solver, which is best except for hard arithmetic (docs/decisions/logic.md).
    """

    def __init__(self, ticks: int = SHARE, simplify: int = 1, effort: Effort | None = None) -> None:
        self._ticks = _ENDLESS if ticks == NO_LIMIT else ticks
        self.effort = Effort() if effort is None else effort
        self._simplify = bool(simplify)
        self._manager = TermManager()
        # Bitwuzla's terms do not keep their manager alive, and crash when they are freed after it, as garbage
        # collection and exit may do. So the manager is never freed; without its terms it holds little.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._manager))
        self.forget()

    def forget(self) -> None:
        self._contexts: list[_Prefix] = []
        self._expressions = _Expressions(self._manager)
        self._encoder: Encoder[bitwuzla.Term] = Encoder(self._expressions)

    def close(self) -> None: ...

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        end = FOREVER if self._ticks == _ENDLESS else monotonic() + timeout
        if len(self._encoder) > _EXPRESSIONS:
            self.forget()
        context = self._context(constraints)
        try:
            solver = context.solver
            self._assert(context, constraints)
            result = self._result(solver, end)
        except (bitwuzla.BitwuzlaException, _RefusedFormat) as error:
            self._contexts.remove(context)
            return Unknown(f"bitwuzla: {error}")
        context.checks += 1
        if context.is_stale():
            self._contexts.remove(context)
        if result == Result.SAT:
            return Sat(self._model(solver, constraints))
        if result == Result.UNSAT:
            return Unsat()
        return Unknown(
            "the solver gave up after its share of work" if monotonic() < end else f"no answer in {timeout:g} s"
        )

    def _result(self, solver: bitwuzla.Bitwuzla, end: float) -> Result:
        """The result of a check that does its share of the work and ends at ``end``.

        The terminator runs no Python, so that no signal handler runs in it (docs/decisions/logic.md).
        """
        left = repeat(False, self._ticks)
        terminator: Iterator[bool] = chain(left, repeat(True))
        if end < FOREVER:
            terminator = map(or_, terminator, map(ge, iter(monotonic, None), repeat(end)))
        solver.configure_terminator(terminator.__next__)
        result = solver.check_sat()
        self.effort.ticks += self._ticks - length_hint(left)
        return result

    def _context(self, constraints: Sequence[Term]) -> _Prefix:
        """The context for the query, moved to the end of the list (most recently used)."""
        contexts = self._contexts
        best, most = None, 0
        for context in reversed(contexts):
            shared = context.common_length(constraints)
            if shared > most:
                best, most = context, shared
        if best is None:
            if len(contexts) >= _CONTEXTS:
                del contexts[0]
            best = _Prefix(self._manager, simplify=self._simplify)
        elif contexts[-1] is best:
            return best
        else:
            contexts.remove(best)
        contexts.append(best)
        return best

    def _assert(self, context: _Prefix, constraints: Sequence[Term]) -> None:
        levels, solver, encoder = context.levels, context.solver, self._encoder
        shared = context.common_length(constraints)
        if shared < len(levels):
            solver.pop(len(levels) - shared)
            del levels[shared:]
        for constraint in constraints[shared:]:
            node = encoder.condition(constraint)
            solver.push()
            levels.append(constraint)
            context.met.add(constraint)
            solver.assert_formula(node)
            for definition in encoder.definitions(constraint):
                solver.assert_formula(definition)

    def _model(self, solver: bitwuzla.Bitwuzla, constraints: Sequence[Term]) -> Model:
        symbols = frozenset().union(*[constraint.symbols for constraint in constraints])
        vector = self._encoder.vector
        return Model({s: int(solver.get_value(vector(s)).value(16), 16) for s in symbols})
