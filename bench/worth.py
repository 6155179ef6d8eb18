"""What is each optimisation worth? CPU time, queries and states with all parts, and without each in turn.

``python -m bench.worth [--parts PART...] [--programs WORD...]`` prints each pair that differs, then a row for each
part: of the solver chain, of what learns interpolants, scans by functions of the library, reads of memory, and copies
of texts.

A part is switched off where parts are put together; no source is edited. Every run is a fork of one process that has
built the program, so that neither start nor compilation counts, and its processor time is that of itself and of the
solvers that it waits for. With and without follow each other at once, because the machine may be shared; what looks
like a difference is repeated, and the least time counts. Runs are bounded by work, and without a part by time as well.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from statistics import geometric_mean, median

from bench.agreement import ran
from bench.measure import EXAMPLES, PROGRAMS
from tests.support.corpus import PROGRAMS as CORPUS
from tests.support.corpus import Expected, programs
from unfork.engine.memory import copied_extents, loads, placed_bytes, strings, text_facts
from unfork.engine.state import updates
from unfork.logic.solve import make_solver, trial
from unfork.logic.solve.route import Routed
from unfork.logic.solve.solver import FOREVER, Answer, Solver
from unfork.logic.terms import float_terms
from unfork.logic.terms.term import Term
from unfork.program.llvm.module import Program
from unfork.reduce.prune.interpolation import beyond, learn, payoff, speculation, strengthen
from unfork.world.library import memory_functions, string_functions

BOUNDS = ("--max-instructions", "400000", "--max-forks", "1500", "--solver-timeout", "20", "--native-check", "never")
LIMIT = 20
"""Seconds of a run. One that reaches them with all parts tells nothing, and is not repeated without any."""
MADE_FOR = (
    "few_inputs",
    "floats_symbolic",
    "libc_numbers",
    "libc_stdio",
    "symbolic_offsets",
    "symbolic_ranges",
    "symbolic_sizes",
)
"""Topics of the corpus that the parts were made for."""
NEAR, FAR = 2, 15
"""Of those, one program in so many; of the others."""
LEAST = 0.2
"""CPU seconds from which on a ratio says something."""
CLOSE = 1.2
"""A ratio below this is none."""
MUCH = 2.0
"""A ratio above this needs no second look."""
REPEATS = 2
_CUT = " (time)"

_PLAIN = ("--merge", "none", "--search", "dfs")
_JOINED = ("--merge", "static", "--similar", "always")


# --- parts, switched off ---------------------------------------------------------------------------------------------


class _NoRelations:
    """Comparisons of floats as they are."""

    def relation(self, *_: object) -> None:
        return None

    def monotone(self, *_: object) -> None:
        return None


def _in_front_of_nothing(solver: Solver, *_: object) -> Solver:
    return solver


def _put(owner: object, name: str, value: object) -> None:
    """Replaces what ``owner`` has by this name. A renamed part must not count as switched off: AttributeError."""
    getattr(owner, name)
    setattr(owner, name, value)


def _no_speculation() -> None:
    _put(speculation.Speculation, "foresees", lambda *_: False)
    _put(speculation.Speculation, "again", lambda *_: None)


def _nothing_beyond() -> None:
    _put(beyond.Beyond, "of", lambda *_: [])
    _no_middles()


def _no_middles() -> None:
    _put(learn.Interpolants, "middle", lambda *_: ())


def _no_scans() -> None:
    for module in (strings, memory_functions, string_functions):
        _put(module, "scan", lambda *_: None)


SOLVER: dict[str, Callable[[], None]] = {
    "ranks": lambda: _put(make_solver, "Ranked", _in_front_of_nothing),
    "domains and trial": lambda: _put(make_solver, "Domains", _in_front_of_nothing),
    "trial": lambda: _put(trial.Trial, "answer", lambda *_: None),
    "trial in machine code": lambda: _put(trial.Trial, "_ran", lambda *_, **__: None),
    "monotone": lambda: _put(float_terms, "monotone", _NoRelations()),
}
LEARNING: dict[str, Callable[[], None]] = {
    "speculation": _no_speculation,
    "beyond": _nothing_beyond,
    "middles": _no_middles,
    "slacken": lambda: _put(strengthen, "slacken", lambda conditions, _: list(conditions)),
    "shifts": lambda: _put(strengthen, "without_shifts", lambda conditions, _: list(conditions)),
    "payoff": lambda: _put(payoff.Payoff, "pays", True),
    "purse": lambda: _put(payoff.Purse, "affords", True),
}
SCANNING: dict[str, Callable[[], None]] = {"spans": _no_scans}
MEMORY: dict[str, Callable[[], None]] = {
    "updates": lambda: _put(updates, "_peel", lambda _updates, _cells, _size, table, _layers: table),
    "choices of addresses": lambda: _put(loads, "_read_choice", lambda *_: None),
}
COPIES: dict[str, Callable[[], None]] = {"halving": lambda: _put(copied_extents, "LEAST_BYTES", sys.maxsize)}
BUFFERS: dict[str, Callable[[], None]] = {
    "points": lambda: _put(loads, "bytes_at", lambda *_: None),
    "places": lambda: _put(placed_bytes, "copy", lambda *_: False),
    "characters at once": lambda: _put(text_facts, "_AT_ONCE", 1),
}
WITHOUT = SOLVER | LEARNING | SCANNING | MEMORY | COPIES | BUFFERS


# --- programs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    """A program as it is run."""

    name: str
    sources: tuple[Path, ...]
    options: tuple[str, ...]
    arguments: tuple[str, ...] = ()


SIZED: tuple[tuple[Path, tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    (PROGRAMS / "insertion_sort.c", ("K=6",), (_PLAIN, (), _JOINED)),
    (PROGRAMS / "insertion_sort.c", ("K=10",), (_JOINED,)),
    (PROGRAMS / "selection_sort.c", ("K=5",), (_PLAIN, (), _JOINED)),
    (PROGRAMS / "selection_sort.c", ("K=8",), (_JOINED,)),
    (PROGRAMS / "binary_search.c", ("K=40",), (_PLAIN, (), _JOINED)),
    (PROGRAMS / "popcount.c", ("BITS=10",), (_PLAIN, ())),
    (EXAMPLES / "bubble_sort.c", ("K=6",), (_PLAIN, (), _JOINED)),
    (EXAMPLES / "bubble_sort.c", ("K=12",), (_JOINED,)),
    (EXAMPLES / "echo.c", ("N=3", "L=3"), (_PLAIN, (), _JOINED)),
    (EXAMPLES / "malloc_diamond.c", ("MAX=9", "OTHER=2"), (_PLAIN, (), _JOINED)),
    (EXAMPLES / "regexp.c", ("SIZE=7",), (_PLAIN, ())),
    (EXAMPLES / "regexp_safe.c", ("SIZE=6",), (_PLAIN, ())),
)
"""Programs with a size, and the modes that are of interest there."""
LEARNT: tuple[tuple[Path, tuple[str, ...]], ...] = (
    *((PROGRAMS / "mcdc.c", (f"N={size}",)) for size in (10, 50)),
    *((PROGRAMS / "state_chart.c", (f"STEPS={size}",)) for size in (4, 8)),
    *((PROGRAMS / "nested_locks.c", (f"LOCKS={size}",)) for size in (10, 20)),
    *((PROGRAMS / "insertion_sort.c", (f"K={size}",)) for size in (5, 6)),
    (PROGRAMS / "selection_sort.c", ("K=5",)),
    (PROGRAMS / "binary_search.c", ("K=40",)),
    (PROGRAMS / "popcount.c", ("BITS=8",)),
    *((EXAMPLES / "bubble_sort.c", (f"K={size}",)) for size in (5, 6)),
    *((EXAMPLES / "malloc_diamond.c", ("MAX=60", f"OTHER={other}")) for other in (1, 2)),
    *((EXAMPLES / "regexp_safe.c", (f"SIZE={size}",)) for size in (5, 6)),
    (EXAMPLES / "regexp.c", ("SIZE=6",)),
    (EXAMPLES / "echo.c", ("N=3", "L=3")),
    (EXAMPLES / "absorption.c", ()),
    (EXAMPLES / "linked_list.c", ()),
    *(
        (PROGRAMS / "race" / f"{name}.c", ())
        for name in (
            *("bisect", "brackets", "calculator", "cruise_control", "ini_reader", "ipv4_text", "isbn", "line_editor"),
            *("median_filter", "priority_queue", "run_length", "tokenizer", "utf8"),
        )
    ),
)
"""Programs of several kinds whose paths learn from each other, and some where they hardly do."""
LEARNT_FROM = CORPUS.parent / "reduce" / "prune" / "interpolation" / "programs"
SCANNED = ("scans/library_*", "scans/given_text_bug", "strings/*", "libc_strings/*", "memory_functions/find_byte")
"""Programs of the corpus that search texts by functions of the library."""
FUNCTIONS = {"array_partition": ("--function", "partition"), "list_partition": ("--function", "partition")}


def of_learning() -> Iterator[Case]:
    """Programs as the strategy that learns takes them, and those of the corpus that were written for it."""
    for source, defines in LEARNT:
        words = tuple(word for define in defines for word in ("-D", define))
        yield Case(" ".join((source.stem, *defines)), (source,), (*words, "--strategy", "learn", "--cores", "1"))
    for program in sorted(LEARNT_FROM.glob("*.c")):
        yield Case(f"interpolation/{program.stem}", (program,), ("--strategy", "learn", "--cores", "1"))


def of_scanning() -> Iterator[Case]:
    """Programs that call functions which search: path by path, and as a run without options does first."""
    for name, more in (("spans_library", ()), ("spans_own", ()), ("startup", ())):
        yield Case(name, (PROGRAMS / f"{name}.c",), (*more, "--strategy", "plain", "--cores", "1"))
    for name in ("echo", "regexp"):
        yield Case(name, (EXAMPLES / f"{name}.c",), ("--strategy", "plain", "--cores", "1"))
    for name in ("base64", "ini_reader", "line_editor", "run_length", "tokenizer"):
        yield Case(name, (PROGRAMS / "race" / f"{name}.c",), ("--strategy", "plain", "--cores", "1"))
    for program in programs():
        if program.forks and any(fnmatch(program.name, pattern) for pattern in SCANNED):
            yield replace(_of(program), options=(*program.options, "--strategy", "plain", "--cores", "1"))


def of_memory() -> Iterator[Case]:
    """Programs that read and write where inputs say: path by path, and joined."""
    indexed = ("base64", "calculator", "crc8", "fletcher", "median_filter", "priority_queue", "token_ring", "tokenizer")
    sources = [(PROGRAMS / "race" / f"{name}.c", ()) for name in indexed]
    sources += [(PROGRAMS / f"{name}.c", ("K=4",)) for name in ("insertion_sort", "selection_sort")]
    sources += [(PROGRAMS / f"{name}.c", ()) for name in ("array_partition", "crc32", "log_packet_hash")]
    for source, defines in sources:
        words = tuple(word for define in defines for word in ("-D", define))
        for strategy in ("plain", "join"):
            more = (*words, *FUNCTIONS.get(source.stem, ()), "--strategy", strategy, "--cores", "1")
            yield Case(f"{source.stem} {strategy}", (source,), more)
    for program in programs():
        if program.forks and program.path.parent.name in ("symbolic_offsets", "scans", "heap_arrays"):
            yield replace(_of(program), options=(*program.options, "--cores", "1"))


def of_copies() -> Iterator[Case]:
    """A function that copies a text whose length is one value, as a scan runs it."""
    options = ("--function", "note", "--lengths", "measured", "--check", "memory,uninitialised")
    yield Case("text_written", (PROGRAMS / "text_written.c",), (*options, "--strategy", "plain", "--cores", "1"))


def of_buffers() -> Iterator[Case]:
    """Functions that read a buffer of any size from its end, append to one, and compare it, as a scan runs them."""
    options = ("--lengths", "measured", "--sizes", "pair", "--strategy", "plain", "--cores", "1")
    for name, function in (("buffer_trailer", "kind_of"), ("appended", "append"), ("texts_compared", "is_same")):
        yield Case(name, (PROGRAMS / f"{name}.c",), ("--function", function, *options))


def of_solver() -> Iterator[Case]:
    """Those of bench and examples, then of the corpus those that have inputs."""
    for source, defines, modes in SIZED:
        words = tuple(word for define in defines for word in ("-D", define))
        for mode in modes:
            name = f"{source.stem} {' '.join(defines)} {' '.join(w for w in mode if w[0] != '-') or 'default'}"
            yield Case(name, (source,), (*words, *mode))
    sized = {source for source, _, _ in SIZED}
    for source in (*sorted(PROGRAMS.glob("*.c")), *sorted(EXAMPLES.glob("*.c"))):
        if source not in sized:
            yield Case(f"{source.parent.name}/{source.stem}", (source,), FUNCTIONS.get(source.stem, ()))
    turns: Counter[int] = Counter()
    for program in programs():
        if program.forks:
            stride = NEAR if program.path.parent.name in MADE_FOR else FAR
            turns[stride] += 1
            if turns[stride] % stride == 0:
                yield _of(program)


def _of(program: Expected) -> Case:
    return Case(program.name, program.sources, program.options, program.args)


GROUPS = (
    (of_solver, SOLVER),
    (of_learning, LEARNING),
    (of_scanning, SCANNING),
    (of_memory, MEMORY),
    (of_copies, COPIES),
    (of_buffers, BUFFERS),
)


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run took: CPU seconds, queries of the chain, and those of them that came to a solver."""

    seconds: float
    queries: int
    solved: int
    instructions: int
    states: int
    covered: int
    """States that something learnt covered."""
    verdict: str

    def __str__(self) -> str:
        counts = f"{self.queries} / {self.solved}, {self.states} states, {self.covered} covered"
        return f"{self.seconds:.2f} s, {counts}, {self.instructions} instructions, {self.verdict}"


def forked(work: Callable[[], dict[str, object]]) -> Ran | None:
    """``work`` in a process of its own; None if that broke down."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writing, json.dumps(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if status:
        return None
    return Ran(usage.ru_utime, **json.loads(text))


def run_without(case: Case, program: Program, part: str | None) -> Ran | None:
    """The case, with a part switched off unless that is None."""

    def work() -> dict[str, object]:
        solved = 0
        check = Routed.check

        def counted(self: Routed, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
            nonlocal solved
            solved += 1
            return check(self, constraints, timeout)

        _put(Routed, "check", counted)
        if part is not None:
            WITHOUT[part]()
        limits = (*BOUNDS, "--max-time", str(LIMIT))
        with tempfile.TemporaryDirectory() as scratch:
            result = ran(case.sources, [*case.options, *limits], Path(scratch) / "out", program, case.arguments)
        summary = result.summary
        return {
            "queries": summary["solver"]["queries"],
            "solved": solved,
            "instructions": summary["instructions"],
            "states": summary["states"]["created"],
            "covered": summary["prunes"]["hits"],
            "verdict": f"{result.verdict}{_CUT if summary['stopped_by'] == 'max-time' else ''}",
        }

    return forked(work)


def built(case: Case) -> Program:
    """The program of a case."""
    with tempfile.TemporaryDirectory() as scratch:
        bounds = ("--max-instructions", "1", "--native-check", "never")
        return ran(case.sources, [*case.options, *bounds], Path(scratch) / "out", None, case.arguments).program


@dataclass(frozen=True, slots=True)
class Pair:
    """A case with everything and without a part."""

    case: str
    full: Ran
    without: Ran

    @property
    def ratio(self) -> float:
        """How much longer it takes without."""
        return self.without.seconds / self.full.seconds

    @property
    def differs(self) -> bool:
        """Whether the part made a difference other than in time."""
        return replace(self.full, seconds=0) != replace(self.without, seconds=0)

    @property
    def is_measurable(self) -> bool:
        """Whether the times are long enough to be compared."""
        return max(self.full.seconds, self.without.seconds) >= LEAST


def pairs(case: Case, program: Program, parts: Sequence[str]) -> Iterator[tuple[str, Pair]]:
    """Each part with the runs with and without it; where these differ, with the quickest of several."""
    full = run_without(case, program, None)
    if full is not None and full.verdict.endswith(_CUT):
        return
    for part in parts:
        without = run_without(case, program, part)
        for _ in range(REPEATS):
            if full is None or without is None:
                break
            measured = Pair(case.name, full, without)
            is_close = 1 / CLOSE < measured.ratio < CLOSE
            if not measured.is_measurable or measured.differs or is_close or measured.ratio > MUCH:
                break
            full, without = (
                least(full, run_without(case, program, None)),
                least(without, run_without(case, program, part)),
            )
        if full is None or without is None:
            print(f"{case.name}: a run without {part} broke down", file=sys.stderr, flush=True)
        else:
            yield part, Pair(case.name, full, without)


def least(a: Ran | None, b: Ran | None) -> Ran | None:
    """The quicker one of two runs of the same."""
    return min((ran for ran in (a, b) if ran is not None), key=lambda ran: ran.seconds, default=None)


# --- the table -------------------------------------------------------------------------------------------------------

COLUMNS = ("without", "programs that tell", "CPU s with", "without", "median", "least", "most", "where most")
HEAD = f"| {' | '.join((*COLUMNS, 'queries', 'solved', 'states'))} |"


def row(part: str, pairs: Sequence[Pair]) -> str:
    """What all cases together say of a part."""
    telling = [pair for pair in pairs if pair.is_measurable]
    ratios = [pair.ratio for pair in telling]
    most = sorted(telling, key=lambda pair: -pair.ratio)[:3]
    cells = (
        part,
        len(telling),
        f"{sum(pair.full.seconds for pair in pairs):.1f}",
        f"{sum(pair.without.seconds for pair in pairs):.1f}",
        f"{median(ratios):.2f}, mean {geometric_mean(ratios):.2f}",
        f"{min(ratios):.2f}",
        f"{max(ratios):.2f}",
        "; ".join(f"{pair.case} {pair.ratio:.2f}" for pair in most),
        f"{sum(pair.full.queries for pair in pairs)} / {sum(pair.without.queries for pair in pairs)}",
        f"{sum(pair.full.solved for pair in pairs)} / {sum(pair.without.solved for pair in pairs)}",
        f"{sum(pair.full.states for pair in pairs)} / {sum(pair.without.states for pair in pairs)}",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> int:
    """Prints each pair that tells something as it comes, then the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", default=[*WITHOUT], choices=[*WITHOUT], metavar="PART")
    parser.add_argument("--programs", nargs="+", metavar="WORD", help="those whose names have one of the words in them")
    given = parser.parse_args()
    measured: dict[str, list[Pair]] = {part: [] for part in given.parts}
    for cases, group in GROUPS:
        parts = [part for part in given.parts if part in group]
        for case in cases() if parts else ():
            if given.programs and not any(word in case.name for word in given.programs):
                continue
            program = built(case)
            for part, pair in pairs(case, program, parts):
                measured[part].append(pair)
                if pair.is_measurable or pair.differs:
                    print(f"{case.name}\t{part}\t{pair.full}\t{pair.without}\t{pair.ratio:.2f}", flush=True)
    print(HEAD)
    print("|" + " --- |" * (HEAD.count("|") - 1))
    for part, all_pairs in measured.items():
        if any(pair.is_measurable for pair in all_pairs):
            print(row(part, all_pairs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
