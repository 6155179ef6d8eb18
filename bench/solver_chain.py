"""Measures the solver chain without the engine: the numbers behind the decisions on solving in docs/decisions.md.

Run as ``python bench/solver_chain.py [sort N | bytes N L | hard SECONDS]``; without arguments, all small.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter

from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.route import Routed
from unfork.logic.solve.solver import NO_LIMIT, Solver, Unknown
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

MEMORY = 2 << 30


def solvers() -> dict[str, Callable[[], Solver]]:
    """What is compared, by name."""

    def worker(which: str) -> Solver:
        return WorkerSolver(f"unfork.logic.{which}", (NO_LIMIT,) if which.startswith("b") else (), MEMORY)

    return {
        "bitwuzla": BitwuzlaSolver,
        "routed": lambda: Routed(BitwuzlaSolver(), worker("bitwuzla:BitwuzlaSolver"), worker("z3:Z3Solver")),
        "worker": lambda: worker("bitwuzla:BitwuzlaSolver"),
        "z3": Z3Solver,
    }


def bubble_sort(chain: Chain, count: int) -> int:
    """Depth-first over bubble sort of ``count`` symbolic 32-bit ints, sortedness asserted; the number of paths."""
    swaps = [(i, i + 1) for last in range(count - 1, 0, -1) for i in range(last)]
    checks = [(i, i + 1) for i in range(count - 1)]
    program = swaps + checks
    start: tuple[Value, ...] = tuple(symbol(f"a[{i}]", 32) for i in range(count))
    paths = 0
    stack: list[tuple[tuple[Value, ...], int, PathCondition]] = [(start, 0, PathCondition.EMPTY)]
    while stack:
        values, at, path = stack.pop()
        while at < len(program):
            i, j = program[at]
            at += 1
            out_of_order, in_order = chain.branch(path, build.slt(values[j], values[i], 32))
            swapped = list(values)
            if at <= len(swaps):
                swapped[i], swapped[j] = swapped[j], swapped[i]
            elif isinstance(out_of_order, PathCondition):
                raise AssertionError("not sorted")
            if isinstance(in_order, PathCondition):
                if isinstance(out_of_order, PathCondition):
                    stack.append((tuple(swapped), at, out_of_order))
                path = in_order
            elif isinstance(out_of_order, PathCondition):
                values, path = tuple(swapped), out_of_order
        paths += 1
    return paths


def echo(chain: Chain, arguments: int, length: int) -> tuple[int, int]:
    """Depth-first over what echo asks of its arguments, a byte at a time; the numbers of paths and of branches."""
    paths = branches = 0
    stack: list[tuple[int, int, bool, PathCondition]] = [(0, 0, True, PathCondition.EMPTY)]
    while stack:
        argument, at, options, path = stack.pop()
        while argument < arguments:
            byte = symbol(f"arg{argument}[{at}]", 8)
            wanted = b"-ne"[at] if options and at < 2 else 0
            condition = build.eq(byte, wanted, 8) if at < length else 1
            branches += 1
            yes, no = chain.branch(path, condition)
            if wanted:
                if isinstance(yes, PathCondition):
                    stack.append((argument, at + 1, True, yes) if at == 0 else (argument + 1, 0, True, yes))
                options, no_at = False, at
            else:
                if isinstance(yes, PathCondition):
                    stack.append((argument + 1, 0, options, yes))
                no_at = at + 1
            if not isinstance(no, PathCondition):
                break
            path, at = no, no_at
        else:
            paths += 1
    return paths, branches


def report(name: str, chain: Chain, seconds: float, result: object) -> None:
    """Print one row."""
    print(f"{name:28} {seconds:8.3f} s   {result}   {chain.statistics.as_dict()}", flush=True)


def run(names: list[str], what: str, work: Callable[[Chain], object], timeout: float = 30.0) -> None:
    """Time ``work`` with each of the solvers."""
    for name in names:
        solver = solvers()[name]()
        chain = Chain(solver, timeout)
        start = perf_counter()
        result = work(chain)
        report(f"{what} {name}", chain, perf_counter() - start, result)
        solver.close()


def hard_queries(chain: Chain) -> dict[str, bool]:
    """Queries that no solver settles soon; whether each ended as unknown."""
    x, y = symbol("x", 64), symbol("y", 64)
    factor: list[Value] = [build.eq(build.mul(x, y, 64), 3037000507 * 2971215073, 64)]
    factor += [build.ugt(v, 1, 64) for v in (x, y)] + [build.ult(v, 1 << 32, 64) for v in (x, y)]
    quotient = build.udiv(x, y, 64)
    back: list[Value] = [build.ugt(build.mul(quotient, y, 64), x, 64), build.ugt(y, 1, 64)]
    found = {}
    for name, conditions in (("factor", factor), ("quotient", back)):
        whole = build.conjunction(conditions)
        assert isinstance(whole, Term)
        found[name] = isinstance(chain.assume(PathCondition.EMPTY, whole), Unknown)
    return found


def main(words: list[str]) -> None:
    """Run what the words say."""
    match words:
        case ["sort", count, *names]:
            run(names or ["bitwuzla"], f"bubble sort {count}", lambda chain: bubble_sort(chain, int(count)))
        case ["bytes", arguments, length, *names]:
            work = lambda chain: echo(chain, int(arguments), int(length))  # noqa: E731  # shorter than a def
            run(names or ["bitwuzla"], f"echo {arguments},{length}", work)
        case ["hard", seconds]:
            run(["routed"], f"hard, limit {seconds} s", hard_queries, float(seconds))
        case _:
            for line in (["sort", "5", "bitwuzla", "worker", "z3"], ["bytes", "4", "5"], ["hard", "2"]):
                main(line)


if __name__ == "__main__":
    main(sys.argv[1:])
