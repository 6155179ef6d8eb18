"""A bounded search for a model before a solver is asked for long: known values are changed at random, in machine code.

Formulas about floats often have many models that solvers are slow to find (Liew, Cadar, Donaldson and Stinnett 2019).
A change stays if at least as many of the first constraints hold as before: those of the path come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CFUNCTYPE, Array, addressof, c_uint64, c_void_p

from unfork.logic.solve.solver import FOREVER, Answer, Effort, Sat, Solver
from unfork.logic.solve.term_code import RUN, NoTermCode, TermLines, cost
from unfork.logic.solve.trial import PER_TICK, START_TICKS, TERMS, Compile
from unfork.logic.terms import fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, constants_by_width, postorder, sort_terms

_WORK = 1 << 23
"""Work of a search, in additions: 3 ms. On `floats_symbolic` and three programs of `sampled`, 2**20 finds each of the
models that 2**28 finds.
"""
_TURN = 40
"""What a turn takes beside the terms, in additions."""
_FAILURES = 8
"""Failed searches per success before no more are made: a tenth of a second of work, whatever the run asks."""
_WORD = 64
_KNOWN = 100_000
_SMALL = range(-2, 11)
"""Whole numbers that are tried as floats."""
_LOOP = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal i64 @next(i64 %s) {{
  %a = shl i64 %s, 13
  %b = xor i64 %s, %a
  %c = lshr i64 %b, 7
  %d = xor i64 %b, %c
  %e = shl i64 %d, 17
  %f = xor i64 %d, %e
  ret i64 %f
}}
define internal i64 @change(ptr %y, ptr %pools, i64 %s) {{
  %s1 = call i64 @next(i64 %s)
  %s2 = call i64 @next(i64 %s1)
  %s3 = call i64 @next(i64 %s2)
  %one = urem i64 %s1, {count}
  %at = getelementptr i64, ptr %y, i64 %one
  %old = load i64, ptr %at
  %pool.at = getelementptr [2 x i64], ptr %pools, i64 %one
  %first = load i64, ptr %pool.at
  %size.at = getelementptr i64, ptr %pool.at, i64 1
  %size = load i64, ptr %size.at
  %pick = urem i64 %s2, %size
  %word = add i64 %first, %pick
  %word.at = getelementptr i64, ptr %y, i64 %word
  %constant = load i64, ptr %word.at
  %third = urem i64 %s3, 17
  %small = sub i64 %third, 8
  %kind = lshr i64 %s1, 61
  switch i64 %kind, label %near [ i64 0, label %any i64 1, label %bit i64 2, label %step i64 3, label %share
    i64 4, label %range i64 5, label %range ]
near:
  %v0 = add i64 %constant, %small
  br label %put
any:
  br label %put
bit:
  %place = and i64 %s3, 63
  %mask = shl i64 1, %place
  %v1 = xor i64 %old, %mask
  br label %put
step:
  %v2 = add i64 %old, %small
  br label %put
share:
  %other = urem i64 %s3, {count}
  %other.at = getelementptr i64, ptr %y, i64 %other
  %v3 = load i64, ptr %other.at
  br label %put
range:
  br label %put
put:
  %new = phi i64 [ %v0, %near ], [ %s2, %any ], [ %v1, %bit ], [ %v2, %step ], [ %v3, %share ], [ %constant, %range ]
  store i64 %new, ptr %at
  ret i64 %s3
}}
define i64 @{run}(ptr %x, i64 %turns) {{
  %y = getelementptr i64, ptr %x, i64 {count}
  %pools = getelementptr i64, ptr %y, i64 {count}
  %start = call i64 @holding(ptr %x)
  br label %turn
turn:
  %t = phi i64 [ 0, %0 ], [ %t1, %after ]
  %s = phi i64 [ {seed}, %0 ], [ %s2, %after ]
  %best = phi i64 [ %start, %0 ], [ %best1, %after ]
  %all = icmp eq i64 %best, {all}
  %last = icmp eq i64 %t, %turns
  %ends = or i1 %all, %last
  br i1 %ends, label %done, label %try
try:
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 {bytes}, i1 false)
  %s1 = call i64 @change(ptr %y, ptr %pools, i64 %s)
  %twice = icmp slt i64 %s1, 0
  br i1 %twice, label %again, label %look
again:
  %s3 = call i64 @change(ptr %y, ptr %pools, i64 %s1)
  br label %look
look:
  %s2 = phi i64 [ %s1, %try ], [ %s3, %again ]
  %now = call i64 @holding(ptr %y)
  %keeps = icmp uge i64 %now, %best
  br i1 %keeps, label %keep, label %after
keep:
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 {bytes}, i1 false)
  br label %after
after:
  %best1 = phi i64 [ %best, %look ], [ %now, %keep ]
  %t1 = add i64 %t, 1
  br label %turn
done:
  ret i64 %t
}}
"""
"""Words: the values of symbols; those that are tried; for each symbol the first constant for it and their number, as
counted from the values tried; the constants.
"""


class Searched:
    """A solver that is asked when a search finds no model.

    Law: a model is one by logic/terms/evaluate.py. A search starts at the latest values of the symbols in models found
    here; its length is work, not time.
    """

    def __init__(self, solver: Solver, compile: Compile, effort: Effort) -> None:
        self._solver = solver
        self._compile = compile
        self._effort = effort
        self._known: dict[Term, int] = {}
        self._failures = 0
        """Failed searches, less those that successes pay for."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        model = self._found(constraints) if self._failures < _FAILURES else None
        answer = self._solver.check(constraints, timeout) if model is None else Sat(model)
        if isinstance(answer, Sat):
            if len(self._known) > _KNOWN:
                self._known.clear()
            self._known.update(answer.model.values)
        return answer

    def forget(self) -> None:
        self._known.clear()
        self._solver.forget()

    def close(self) -> None:
        self._solver.close()

    def _found(self, constraints: Sequence[Term]) -> Model | None:
        symbols = sort_terms(frozenset().union(*[constraint.symbols for constraint in constraints]))
        terms = postorder(constraints)
        if not symbols or len(terms) > TERMS or max([symbol.width for symbol in symbols]) > _WORD:
            return None
        try:
            text = _text(symbols, constraints, terms)
        except NoTermCode:
            return None
        code = self._compile(text, RUN)
        if code is None:
            return None
        words, turn_cost = self._words(symbols, terms), sum(map(cost, terms)) + _TURN
        turns = CFUNCTYPE(c_uint64, c_void_p, c_uint64)(code.address)(addressof(words), _WORK // turn_cost)
        self._effort.ticks += START_TICKS + len(terms) + turns * turn_cost // PER_TICK
        values = {s: word & (1 << s.width) - 1 for s, word in zip(symbols, words, strict=False)}
        trial = Model(values)
        if all(evaluate(constraint, trial) for constraint in constraints):
            self._failures = max(0, self._failures - _FAILURES)
            return Model(values)
        self._failures += 1
        return None

    def _words(self, symbols: Sequence[Term], terms: Sequence[Term]) -> Array[c_uint64]:
        """The words of the loop before it runs."""
        pools = {symbol.width: [0, 1] for symbol in symbols}
        for width, name in ((32, "float"), (64, "double")):
            if width in pools:
                pools[width] += [fp.from_int(number & 0xFF, 8, True, name) for number in _SMALL]
        constants = constants_by_width(terms)
        for width, pool in pools.items():
            pool += constants.get(width, ())
        firsts, at = {}, 3 * len(symbols)
        for width, pool in pools.items():
            firsts[width] = at
            at += len(pool)
        known = [self._known.get(symbol, 0) for symbol in symbols]
        ends = [word for symbol in symbols for word in (firsts[symbol.width], len(pools[symbol.width]))]
        words = [*known, *known, *ends, *[number for pool in pools.values() for number in pool]]
        return (c_uint64 * len(words))(*words)


def _text(symbols: Sequence[Term], constraints: Sequence[Term], terms: Sequence[Term]) -> str:
    """The function that counts the first constraints that hold, and the search. Raises NoTermCode."""
    out = TermLines()
    for number, symbol in enumerate(symbols):
        word = out.new(f"load i64, ptr {out.new(f'getelementptr i64, ptr %x, i64 {number}')}")
        out.define(symbol, out.resized(word, _WORD, symbol.width, "zext"))
    for term in terms:
        if not out.has(term):
            out.write(term)
    total, holds = "0", "true"
    for constraint in constraints:
        holds = out.new(f"and i1 {holds}, {out.operand(constraint)}")
        total = out.new(f"add i64 {total}, {out.new(f'zext i1 {holds} to i64')}")
    count, seed = len(symbols), constraints[-1].digest & (1 << 62) - 1 | 1
    loop = _LOOP.format(count=count, bytes=8 * count, all=len(constraints), seed=seed, run=RUN)
    return "\n".join(
        [*out.declared, "define internal i64 @holding(ptr %x) {", *out.lines, f"  ret i64 {total}", "}", loop]
    )
