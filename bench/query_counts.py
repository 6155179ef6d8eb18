"""How many queries does query count estimation see ahead? The largest count of each program, to see that none explodes.

``python -m bench.query_counts FILE.bc [...]`` counts from the start of every function that an entry reaches, and says
the largest Qt with its function, and what the counting took from an empty and from a filled cache (without reading
the program, on which every run depends).
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench.tables import markdown
from unfork.commands.assemble.building import build_program
from unfork.options.options import Options
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.query_count import Parameters, QueryCounts, callees
from unfork.program.llvm.linking import versions
from unfork.program.llvm.module import Function, Program
from unfork.world.kernel.known_functions import library


@dataclass(frozen=True, slots=True)
class Counted:
    """The largest count of a program and its function; ``seconds`` of the processor."""

    total: float
    function: str
    functions: int
    seconds: float


def reached(program: Program, entry: str) -> list[Function]:
    """The functions that direct calls reach from an entry."""
    names = {entry: None}
    pending = [entry]
    while pending:
        for callee in callees(program.function(pending.pop())):
            if callee in program.defined and callee not in names:
                names[callee] = None
                pending.append(callee)
    return [program.function(name) for name in names]


def count(program: Program, parameters: Parameters, facts: FactsTable) -> Counted:
    """Count from the start of each function that main reaches."""
    functions = reached(program, "main")
    began = time.process_time()
    store = CachedCounts(parameters, (*versions(), "bench.query_counts", program.bitcode))
    counts = QueryCounts(program, facts, library(), parameters, store)
    totals = [(counts.at(function, 0, 0).total, function.name) for function in functions]
    return Counted(*max(totals), len(functions), time.process_time() - began)


def main() -> int:
    """A line per program; the status says whether a count exceeded ``--most``."""
    parser = argparse.ArgumentParser(prog="bench.query_counts", description=__doc__)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--beta", type=float, default=Options().qce[1])
    parser.add_argument("--kappa", type=int, default=int(Options().qce[2]))
    parser.add_argument("--most", type=float, default=1e6, help="the largest Qt that is sane (1e6)")
    given = parser.parse_args()
    parameters = Parameters(given.beta, given.kappa)
    rows, status = [], 0
    for path in given.programs:
        program = build_program(Options(), [path], [path])
        facts = FactsTable()
        first, second = count(program, parameters, facts), count(program, parameters, facts)
        status |= first.total > given.most
        seconds = f"{first.seconds:.2f}", f"{second.seconds:.2f}"
        rows.append([path.stem, str(first.functions), f"{first.total:,.0f}", first.function, *seconds])
    print(markdown(["program", "functions", "largest Qt", "of", "s", "s again"], rows))
    return status


if __name__ == "__main__":
    sys.exit(main())
