"""Which solver decides the obligations of proofs? Seconds of each solver on each, and of all asked in turn.

The obligations are those of programs on arrays with invariants, and of arithmetic. Quantified hypotheses are
instantiated by hand, reads of an array are unknowns that are equal where their addresses are (Ackermann), indices are
32 bits wide, signed, and extended to 64 for addresses, and operations that a path went through did not overflow. Each
is asked in a process of its own. ``--asked FILE...`` takes what ``unfork verify`` proves of files instead, as far as
bit-vectors leave it to others: three queries of each file, drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from os import getpid
from pathlib import Path as File
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from unittest import mock

import z3

from unfork.commands.verify.verify import verify
from unfork.logic.solve.bitwuzla import SHARE, BitwuzlaSolver
from unfork.logic.solve.route import BITS, MOMENT, InTurns, Routed, proving, staggered
from unfork.logic.solve.smtlib import query_text
from unfork.logic.solve.solver import FOREVER, Answer, Effort, NoSolver, Sat, Solver, Unknown, Unsat
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.options.options import Options
from unfork.world.library.integer_intrinsics import add_signed, multiply_signed, subtract_signed

MEMORY = 2 << 30
INT = 32
LEAST, MOST = 1 << INT - 1, (1 << INT - 1) - 1


def int_(name: str) -> Value:
    """An unknown int."""
    return symbol(name, INT)


def le(a: Value, b: Value) -> Value:
    """Signed ``a <= b``."""
    return build.sle(a, b, INT)


def lt(a: Value, b: Value) -> Value:
    """Signed ``a < b``."""
    return build.slt(a, b, INT)


def eq(a: Value, b: Value) -> Value:
    """``a == b``."""
    return build.eq(a, b, INT)


def every(*conditions: Value) -> Value:
    """The conjunction."""
    return build.conjunction(conditions)


def implies(premise: Value, conclusion: Value) -> Value:
    """``premise ==> conclusion``."""
    return build.either(build.negate(premise), conclusion)


@dataclass
class Array:
    """An array of ints in cells of ``bits`` bits, 32 or 8: each cell that is read is an unknown of its own."""

    name: str
    bits: int = INT
    reads: list[tuple[Value, Term]] = field(default_factory=list)

    def __getitem__(self, index: Value) -> Value:
        address = build.add(symbol(f"&{self.name}", 64), build.mul(build.sext(index, INT, 64), INT // 8, 64), 64)
        if self.bits == INT:
            return self._cell(address)
        return build.concat_bytes([self._cell(build.add(address, i, 64)) for i in range(INT // 8)])

    def _cell(self, address: Value) -> Value:
        for known, cell in self.reads:
            if known == address:
                return cell
        cell = symbol(f"{self.name}[{len(self.reads)}]", self.bits)
        self.reads.append((address, cell))
        return cell

    def congruence(self) -> list[Value]:
        """Reads at one address are equal."""
        return [
            implies(build.eq(first, second, 64), build.eq(a, b, self.bits))
            for (first, a), (second, b) in combinations(self.reads, 2)
        ]


class Path:
    """What holds on the way to an obligation: conditions, and operations that did not overflow."""

    def __init__(self, *arrays: Array) -> None:
        self.arrays = arrays
        self.conditions: list[Value] = []

    def assume(self, *conditions: Value) -> None:
        """These hold."""
        self.conditions += conditions

    def _checked(self, compute: Callable[[Value, Value, int], tuple[Value, Value]], a: Value, b: Value) -> Value:
        result, overflow = compute(a, b, INT)
        self.assume(build.negate(overflow))
        return result

    def add(self, a: Value, b: Value) -> Value:
        """A sum that did not overflow."""
        return self._checked(add_signed, a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """A difference that did not overflow."""
        return self._checked(subtract_signed, a, b)

    def mul(self, a: Value, b: Value) -> Value:
        """A product that did not overflow."""
        return self._checked(multiply_signed, a, b)

    def refutes(self, goal: Value) -> list[Term]:
        """The query that is unsatisfiable if the goal holds on the path."""
        congruence = [condition for array in self.arrays for condition in array.congruence()]
        conditions = [*self.conditions, *congruence, build.negate(goal)]
        assert all(condition != 0 for condition in conditions)
        return [condition for condition in conditions if isinstance(condition, Term)]


@dataclass(frozen=True)
class Obligation:
    """A query, and whether it is refuted (the obligation holds) or has a model."""

    name: str
    query: list[Term]
    holds: bool


def sorted_between(a: Array, low: Value, high: Value, p: Value, q: Value) -> Value:
    """An instance of: a[low .. high) is sorted."""
    return implies(every(le(low, p), le(p, q), lt(q, high)), le(a[p], a[q]))


def arraycopy(correct: bool, bits: int = INT) -> list[Term]:
    """A copy of a sorted stretch is sorted."""
    a, b = Array("a", bits), Array("b", bits)
    source, target, length, n, p, q = map(int_, ("source", "target", "length", "n", "p", "q"))
    path = Path(a, b)
    path.assume(le(0, source), le(0, target), le(0, length), le(0, n))
    end, last = path.add(source, length), path.add(target, length)
    path.assume(le(end, n), le(last, n))
    path.assume(le(target, p), le(p, q), lt(q, last))
    places = []
    for place in (p, q):
        k = build.sub(place, target, INT)
        origin = build.add(source, k, INT)
        places.append(origin)
        # forall k: 0 <= k < length ==> b[target + k] == a[source + k]
        path.assume(implies(every(le(0, k), lt(k, length)), eq(b[build.add(target, k, INT)], a[origin])))
    high = end if correct else build.sub(end, 1, INT)
    path.assume(*[sorted_between(a, source, high, x, y) for x in places for y in places])
    return path.refutes(le(b[p], b[q]))


def arraycopy_bytes(correct: bool) -> list[Term]:
    """The same in a memory of bytes."""
    return arraycopy(correct, 8)


def gallop_left(correct: bool) -> list[Term]:
    """One step of the binary search of gallopLeft: a[base + last - 1] < key <= a[base + offset] is kept."""
    a = Array("a")
    base, last, offset, length, key, n, p = map(int_, ("base", "last", "offset", "length", "key", "n", "p"))
    path = Path(a)
    path.assume(le(0, base), lt(0, length), le(0, last), lt(last, offset), le(offset, length))
    end = path.add(base, length)
    path.assume(le(end, n))
    middle = path.add(last, build.ashr(path.sub(offset, last), 1, INT))
    place = path.add(base, middle)

    def below(p: Value, last: Value) -> Value:
        return implies(every(le(base, p), lt(p, build.add(base, last, INT))), lt(a[p], key))

    def above(p: Value, offset: Value) -> Value:
        return implies(every(le(build.add(base, offset, INT), p), lt(p, end)), le(key, a[p]))

    path.assume(below(p, last), above(p, offset), below(place, last), above(place, offset))
    path.assume(*[sorted_between(a, base, end, x, y) for x in (p, place) for y in (p, place)])
    less = lt(a[place], key)
    after = path.add(middle, 1) if correct else middle
    new_last = build.ite(less, after, last, INT)
    new_offset = build.ite(less, offset, middle, INT)
    decreases = lt(build.sub(new_offset, new_last, INT), build.sub(offset, last, INT))
    ordered = every(le(0, new_last), le(new_last, new_offset), le(new_offset, length))
    return path.refutes(every(below(p, new_last), above(p, new_offset), ordered, decreases))


def merge_low(correct: bool) -> list[Term]:
    """One step of mergeLo: what is merged is sorted and not above what is left, and no cell is lost."""
    a, t, after = Array("a"), Array("t"), Array("after")
    base, low, high, n = map(int_, ("base", "low", "high", "n"))
    first, second, target, length = map(int_, ("first", "second", "target", "length"))
    p, q, r, s = map(int_, ("p", "q", "r", "s"))
    path = Path(a, t, after)
    path.assume(le(0, base), le(base, low), le(low, high), le(high, n), le(0, first), le(first, length))
    path.assume(le(low, second), le(second, high), eq(length, path.sub(low, base)))
    path.assume(eq(target, path.add(path.add(base, first), path.sub(second, low))))
    path.assume(lt(first, length), lt(second, high))
    places = (p, q, r, second, build.add(second, 1, INT))
    cells = (s, first, build.add(first, 1, INT))
    path.assume(*[sorted_between(a, base, target, x, y) for x in (p, q) for y in (p, q)])
    path.assume(*[sorted_between(a, second, high, x, y) for x in places[2:] for y in places[2:] if x is not y])
    path.assume(*[sorted_between(t, 0, length, x, y) for x in cells for y in cells if x is not y])
    for x in (p, q):
        merged = every(le(base, x), lt(x, target))
        path.assume(*[implies(every(merged, le(first, y), lt(y, length)), le(a[x], t[y])) for y in cells])
        path.assume(*[implies(every(merged, le(second, y), lt(y, high)), le(a[x], a[y])) for y in places[2:]])
    right = lt(a[second], t[first]) if correct else lt(t[first], a[second])
    written = build.ite(right, a[second], t[first], INT)
    for x in (p, q, r):
        path.assume(eq(after[x], build.ite(eq(x, target), written, a[x], INT)))
    new_target = path.add(target, 1)
    new_first = build.ite(right, first, path.add(first, 1), INT)
    new_second = build.ite(right, path.add(second, 1), second, INT)
    goals = [sorted_between(after, base, new_target, p, q), le(new_target, new_second)]
    merged = every(le(base, p), lt(p, new_target))
    goals.append(implies(every(merged, le(new_first, s), lt(s, length)), le(after[p], t[s])))
    goals.append(implies(every(merged, le(new_second, r), lt(r, high)), le(after[p], after[r])))
    return path.refutes(every(*goals))


def insertion_shift(correct: bool, bits: int = INT) -> list[Term]:
    """One step of the shift of insertion sort: what is shifted is sorted and above the key."""
    a, after = Array("a", bits), Array("after", bits)
    i, j, n, key, p, q = map(int_, ("i", "j", "n", "key", "p", "q"))
    path = Path(a, after)
    path.assume(le(1, i), lt(i, n), le(0, j), lt(j, i))
    path.assume(lt(key, a[j]) if correct else le(key, a[j]))
    next_ = path.add(j, 1)
    places = (p, q, j, next_)

    def invariant(cells: Array, j: Value, p: Value, q: Value) -> list[Value]:
        hole = build.add(j, 1, INT)
        return [
            # sorted up to the hole and after it, and across
            implies(
                every(le(0, p), le(p, q), le(q, i), build.ne(p, hole, INT), build.ne(q, hole, INT)),
                le(cells[p], cells[q]),
            ),
            implies(every(lt(hole, p), le(p, i)), lt(key, cells[p])),
        ]

    for x in places:
        for y in places:
            path.assume(*invariant(a, j, x, y))
    for x in (p, q):
        path.assume(eq(after[x], build.ite(eq(x, next_), a[j], a[x], INT)))
    down = path.sub(j, 1)
    return path.refutes(every(*invariant(after, down, p, q), le(LEAST + 1, down)))


def insertion_bytes(correct: bool) -> list[Term]:
    """The same in a memory of bytes."""
    return insertion_shift(correct, 8)


def reverse_bounds(correct: bool) -> list[Term]:
    """i < j with sizes of 64 bits: both cells of a swap lie in the object, and the next i and j are in order."""
    i, j, n, size = (symbol(name, 64) for name in ("i", "j", "n", "size"))
    path = Path()
    path.assume(build.ule(n, (1 << 62) - 1 if correct else (1 << 63), 64), build.eq(size, build.mul(n, 4, 64), 64))
    path.assume(build.ult(i, j, 64), build.ult(j, n, 64))
    fits = [build.ule(build.add(build.mul(k, 4, 64), 4, 64), size, 64) for k in (i, j)]
    nearer = build.ule(build.add(i, 1, 64), build.add(build.sub(j, 1, 64), 1, 64), 64)
    return path.refutes(every(*fits, nearer))


def masked_index(correct: bool) -> list[Term]:
    """hash & (size - 1) is an index of a table, on a path that tested flags."""
    key, size, flags = map(int_, ("key", "size", "flags"))
    path = Path()
    path.assume(lt(0, size), eq(build.and_(flags, build.xor(flags, 0x5A5A5A5A, INT), INT), 0))
    hashed = build.xor(build.mul(key, 0x9E3779B1, INT), build.lshr(key, 15, INT), INT)
    index = build.and_(hashed, path.sub(size, 1) if correct else size, INT)
    return path.refutes(every(le(0, index), lt(index, size)))


def binary_search(correct: bool) -> list[Term]:
    """The middle lies between and the interval shrinks, with (low + high) / 2 only if that does not overflow."""
    low, high, n = map(int_, ("low", "high", "n"))
    path = Path()
    path.assume(le(0, low), lt(low, high), le(high, n))
    if correct:
        middle = path.add(low, build.sdiv(path.sub(high, low), 2, INT))
    else:
        middle = build.sdiv(build.add(low, high, INT), 2, INT)
    return path.refutes(every(le(low, middle), lt(middle, high)))


def matrix_index(correct: bool) -> list[Term]:
    """Row * columns + column lies in the matrix, as an offset of 64 bits."""
    rows, columns, i, j = map(int_, ("rows", "columns", "i", "j"))
    path = Path()
    path.assume(lt(0, rows), lt(0, columns), le(0, i), lt(i, rows), le(0, j))
    path.assume(lt(j, columns) if correct else le(j, columns))
    size = path.mul(rows, columns)
    index = path.add(path.mul(i, columns), j)
    offset = build.mul(build.sext(index, INT, 64), 4, 64)
    return path.refutes(build.ult(offset, build.mul(build.sext(size, INT, 64), 4, 64), 64))


def divides(d: Value, x: Value) -> Value:
    """``x % d == 0``."""
    return eq(build.srem(x, d, INT), 0)


def gcd_subtract(correct: bool) -> list[Term]:
    """A divisor of a and b divides a - b, and one of a - b and b divides a."""
    a, b, t = map(int_, ("a", "b", "t"))
    path = Path()
    path.assume(lt(0, b), lt(b, a), lt(0, t))
    c = path.sub(a, b)
    path.assume(divides(t, c), divides(t, b) if correct else divides(t, build.mul(b, 2, INT)))
    return path.refutes(divides(t, a))


def gcd_remainder(correct: bool) -> list[Term]:
    """A divisor of b and a % b divides a."""
    a, b, t = map(int_, ("a", "b", "t"))
    path = Path()
    path.assume(le(0, a), lt(0, b), lt(0, t))
    path.assume(divides(t, build.srem(a, b, INT)), divides(t, b) if correct else divides(b, t))
    return path.refutes(divides(t, a))


def gcd_back(correct: bool) -> list[Term]:
    """A divisor of a and b divides a % b."""
    a, b, t = map(int_, ("a", "b", "t"))
    path = Path()
    path.assume(le(0, a), lt(0, b), lt(0, t))
    path.assume(divides(t, a), divides(t, b) if correct else lt(t, b))
    return path.refutes(divides(t, build.srem(a, b, INT)))


def gcd_invariant(correct: bool) -> list[Term]:
    """A step of Euclid's algorithm keeps the common divisors, both ways."""
    first, second, a, b, t = map(int_, ("first", "second", "a", "b", "t"))
    path = Path()
    path.assume(le(0, a), lt(0, b), lt(0, t))
    common = every(divides(t, first), divides(t, second))
    path.assume(build.eq(common, every(divides(t, a), divides(t, b)), 1))
    rest = build.srem(a, b, INT) if correct else build.sdiv(a, b, INT)
    return path.refutes(build.eq(common, every(divides(t, b), divides(t, rest)), 1))


def gcd_result(correct: bool) -> list[Term]:
    """What Euclid's algorithm ends with divides both numbers, and no common divisor is greater."""
    first, second, a, b, t = map(int_, ("first", "second", "a", "b", "t"))
    path = Path()
    path.assume(lt(0, a), le(0, b), lt(0, t))
    path.assume(eq(b, 0) if correct else lt(b, a))
    for d in (a, t):
        common = every(divides(d, first), divides(d, second))
        path.assume(build.eq(common, every(divides(d, a), divides(d, b)), 1))
    greatest = implies(every(divides(t, first), divides(t, second)), le(t, a))
    return path.refutes(every(divides(a, first), divides(a, second), greatest))


def gcd_signed(correct: bool) -> list[Term]:
    """A divisor of a divides its absolute value."""
    a, t = map(int_, ("a", "t"))
    path = Path()
    path.assume(lt(LEAST, a), lt(0, t) if correct else le(0, t), divides(t, a))
    size = build.ite(lt(a, 0), build.neg(a, INT), a, INT)
    return path.refutes(divides(t, size) if correct else every(divides(t, size), lt(0, t)))


def prefix_sums(correct: bool) -> list[Term]:
    """A sum over 64 bits of at most 2**31 ints stays within i times the largest."""
    i, n, cell = map(int_, ("i", "n", "cell"))
    total = symbol("total", 64)
    path = Path()
    path.assume(le(0, i), lt(i, n))
    wide = build.sext(i, INT, 64)
    largest = 1 << 31

    def bounded(total: Value, count: Value) -> Value:
        limit = build.mul(count, largest, 64)
        return every(build.sle(total, limit, 64), build.sle(build.neg(limit, 64), total, 64))

    path.assume(bounded(total, wide))
    after = build.add(total, build.sext(cell, INT, 64), 64)
    count = build.add(wide, 1, 64) if correct else wide
    return path.refutes(bounded(after, count))


def lowest_bit(correct: bool) -> list[Term]:
    """x & (x - 1) is less than x where x is not 0, and 0 only for powers of two."""
    x, k = symbol("x", INT), symbol("k", INT)
    cleared = build.and_(x, build.sub(x, 1, INT), INT)
    path = Path()
    path.assume(build.ult(k, 32, INT), eq(x, build.shl(1, k, INT)))
    return path.refutes(eq(cleared, 0 if correct else x))


def population(correct: bool) -> list[Term]:
    """The steps of a population count give the sum of the bits."""
    x = symbol("x", INT)
    v: Value = build.sub(x, build.and_(build.lshr(x, 1, INT), 0x55555555, INT), INT)
    v = build.add(build.and_(v, 0x33333333, INT), build.and_(build.lshr(v, 2, INT), 0x33333333, INT), INT)
    v = build.and_(build.add(v, build.lshr(v, 4, INT), INT), 0x0F0F0F0F, INT)
    total: Value = 0
    for bit in range(32 if correct else 31):
        total = build.add(total, build.zext(build.extract(x, bit, 1), 1, INT), INT)
    return Path().refutes(eq(build.lshr(build.mul(v, 0x01010101, INT), 24, INT), total))


FAMILIES: tuple[Callable[[bool], list[Term]], ...] = (
    arraycopy,
    arraycopy_bytes,
    gallop_left,
    merge_low,
    insertion_shift,
    insertion_bytes,
    reverse_bounds,
    masked_index,
    binary_search,
    matrix_index,
    prefix_sums,
    gcd_subtract,
    gcd_remainder,
    gcd_back,
    gcd_invariant,
    gcd_result,
    gcd_signed,
    lowest_bit,
    population,
)


def obligations() -> list[Obligation]:
    """Every obligation, and a false variant of it."""
    return [
        Obligation(f"{make.__name__}{'' if correct else ', false'}", make(correct), correct)
        for make in FAMILIES
        for correct in (True, False)
    ]


QUERIES, SECONDS = 3, 25.0
"""So many queries of a file are asked again, whose proofs have so many seconds."""


def asked(files: Iterable[File]) -> Iterator[Obligation]:
    """What proofs of the files showed to hold, where bit-vectors did not do so in their first turn."""
    check = InTurns.check
    for file in files:
        with tempfile.TemporaryDirectory() as scratch:
            folder, numbers = File(scratch, "asked"), count()
            folder.mkdir()

            def noting(
                self: InTurns,
                constraints: Sequence[Term],
                timeout: float = FOREVER,
                folder: File = folder,
                numbers: Iterator[int] = numbers,
            ) -> Answer:
                answer = check(self, constraints, timeout)
                if isinstance(answer, Unsat) and self.decided_by != BITS:
                    target = (
                        folder / f"{getpid()}-{next(numbers):06d}"
                    )  # each function is proved in a process of its own
                    target.write_bytes(pickle.dumps(list(constraints)))
                return answer

            with mock.patch.object(InTurns, "check", noting):
                verify(str(file), Options(out=f"{scratch}/out", quiet=True, max_time=SECONDS), is_fresh=True)
            kept = [pickle.loads(each.read_bytes()) for each in sorted(folder.iterdir())]
        found = [Obligation(f"{file.stem} {number}", query, holds=True) for number, query in enumerate(kept)]
        yield from Random(1).sample(found, min(QUERIES, len(found)))


class TranslatedByZ3:
    """Z3 with its own translation of bit-vectors to integers. Models are not asked for."""

    def __init__(self, effort: Effort | None = None) -> None:
        z3.set_param("sat.smt", True)
        z3.set_param("smt.bv.solver", 2)
        self.effort = Effort() if effort is None else effort

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Unsat or Unknown."""
        solver = z3.SimpleSolver()
        solver.set("timeout", int(timeout * 1000))
        solver.from_string(query_text(constraints))
        return Unsat() if solver.check() == z3.unsat else Unknown("z3 does not refute it")

    def forget(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to let go of."""


SOLVERS: dict[str, tuple[str, tuple[int, ...]]] = {
    "bitwuzla": ("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (0, 1)),
    "z3": ("unfork.logic.solve.z3:Z3Solver", ()),
    "integers": ("unfork.logic.integers.integer_solver:IntegerSolver", ()),
}
OTHERS: dict[str, tuple[str, tuple[int, ...]]] = {"z3 translating": ("bench.proofs:TranslatedByZ3", ())}
"""Which nobody asks but who names them."""


IN_TURN = "in turn"


def in_turn() -> InTurns:
    """All of them, in the order that proofs ask them."""
    workers = {name: WorkerSolver(factory, numbers, MEMORY) for name, (factory, numbers) in SOLVERS.items()}
    silent = NoSolver()
    moment = Routed(BitwuzlaSolver(MOMENT), silent, silent)
    hard = staggered("bitwuzla", workers["bitwuzla"], "z3", workers["z3"])
    return proving(moment, workers["integers"], Routed(BitwuzlaSolver(SHARE, 0), hard, workers["z3"]))


def spent(solver: Solver, query: Sequence[Term], seconds: float) -> tuple[str, float]:
    """What a solver says, and the processor's seconds that it and its processes take to say so."""
    children, own = getrusage(RUSAGE_CHILDREN), time.process_time()
    answer = solver.check(query, seconds)
    solver.close()
    after = getrusage(RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime + time.process_time() - own
    if isinstance(answer, Sat):
        assert all(evaluate(constraint, answer.model) for constraint in query)
    return ("-" if isinstance(answer, Unknown) else type(answer).__name__.lower()), taken


def main() -> None:
    """A line for each obligation."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", help="obligations whose name has this")
    arguments.add_argument("--by", default=",".join([*SOLVERS, IN_TURN]), help="solvers")
    arguments.add_argument("--asked", nargs="+", type=File, metavar="FILE", help="C files, whose proofs ask")
    arguments.add_argument("--limit", type=float, default=20.0, help="seconds for a query")
    chosen = arguments.parse_args()
    names = chosen.by.split(",")
    print(f"{'obligation':26}", *[f"{name:>16}" for name in names])
    for obligation in obligations() if chosen.asked is None else asked(chosen.asked):
        if chosen.only not in obligation.name:
            continue
        words = []
        for name in names:
            solver = in_turn() if name == IN_TURN else WorkerSolver(*(SOLVERS | OTHERS)[name], MEMORY)
            answer, seconds = spent(solver, obligation.query, chosen.limit)
            wrong = answer == ("sat" if obligation.holds else "unsat")
            words.append(f"{'WRONG ' if wrong else ''}{answer:>7} {seconds:6.2f} s")
            if isinstance(solver, InTurns):
                words.append(solver.decided_by)
        print(f"{obligation.name:26}", *words, flush=True)


if __name__ == "__main__":
    main()
