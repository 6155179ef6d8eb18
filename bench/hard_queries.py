"""Which hard queries does either solver lose? Those of the corpus, asked of each in a process of its own."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatch
from resource import RUSAGE_CHILDREN, getrusage

from tests.support.corpus import Expected, programs
from unfork.cli import parse
from unfork.commands.assemble import solving
from unfork.commands.run.run import run
from unfork.errors import OutOfTime
from unfork.logic.solve.solver import FOREVER, Answer, Unknown
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol

MEMORY = 2 << 30
SOLVERS = {
    "bitwuzla": WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (0, 1), MEMORY),
    "z3": WorkerSolver("unfork.logic.solve.z3:Z3Solver", (), MEMORY),
}
RUN = 30.0
"""Seconds of a run."""
PATIENCE = 1.0
"""Seconds for a query in it: the run is here to ask, not to be answered."""
Query = tuple[Term, ...]


class Noting(WorkerSolver):
    """A solver's process, which only hard queries come to, that notes what it is asked."""

    asked: dict[Query, None]

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The answer, if it comes soon."""
        self.asked[tuple(constraints)] = None
        return super().check(constraints, min(timeout, PATIENCE))


def hard_queries(program: Expected) -> list[Query]:
    """What is hard of that which a run of the program asks."""
    Noting.asked = {}
    with tempfile.TemporaryDirectory() as folder:
        words = [*program.options, "--quiet", "--no-progress", "--max-time", str(RUN), "--out", f"{folder}/run"]
        run(program.sources, parse([*words, "--", *program.args])[1], program.args)
    return list(Noting.asked)


def processor_seconds(solver: WorkerSolver, query: Query, seconds: float) -> tuple[str, float]:
    """What a new process of the solver says, and the processor's seconds that it takes to say so."""
    before = getrusage(RUSAGE_CHILDREN)
    answer = solver.check(query, seconds)
    solver.close()
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return "" if isinstance(answer, Unknown) else type(answer).__name__.lower(), spent


def main() -> None:
    """A line for each query that takes a solver a second, and what each solver lost."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="*", help="programs, as topic/name with wildcards")
    arguments.add_argument("--limit", type=float, default=10.0, help="seconds for a query")
    arguments.add_argument("--most", type=int, default=20, help="queries of a program")
    chosen = arguments.parse_args()
    solving.WorkerSolver = Noting  # type: ignore[misc]  # in the place of the class itself
    nothing = build.eq(symbol("x", 8), 1, 8)
    assert isinstance(nothing, Term)
    start = {name: processor_seconds(solver, (nothing,), FOREVER)[1] for name, solver in SOLVERS.items()}
    asked = 0
    lost = dict.fromkeys(SOLVERS, 0)
    soon = dict.fromkeys(SOLVERS, 0)
    both = 0
    print(f"{'query':44} {'inputs':>6}", *[f"{name:>16}" for name in SOLVERS])
    for program in programs():
        if not fnmatch(program.name, chosen.only) or not program.forks:
            continue
        try:
            queries = hard_queries(program)
        except OutOfTime:
            continue
        for number, query in enumerate(queries[: chosen.most]):
            found = {name: processor_seconds(solver, query, chosen.limit) for name, solver in SOLVERS.items()}
            times = {name: max(0.0, found[name][1] - start[name]) for name in SOLVERS}
            asked += 1
            both += not any(answer for answer, _ in found.values())
            for name, (answer, _) in found.items():
                lost[name] += not answer and any(other for other, _ in found.values())
                soon[name] += bool(answer) and times[name] < 1
            if max(times.values()) >= 1 or not all(answer for answer, _ in found.values()):
                size = len({term for one in query for term in one.symbols})
                words = [f"{found[name][0]:>7} {times[name]:6.2f} s" for name in SOLVERS]
                print(f"{program.name + ' ' + str(number):44} {size:6}", *words, flush=True)
    print(f"{asked} hard queries; neither answers {both}")
    for name in SOLVERS:
        print(f"{name} alone loses {lost[name]}; it answers {soon[name]} within a second")


if __name__ == "__main__":
    main()
