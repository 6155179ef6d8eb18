"""What the options say, by subject, as plain values: the one place where most options are read.

The rest of the assembly reads these records. So it shows here which options have a say in what, and what follows from
several of them together.
"""

from __future__ import annotations

from dataclasses import dataclass

from unfork.engine.explore.make_bounds import PathBounds
from unfork.engine.explore.make_search import SearchRequest
from unfork.engine.instructions.repetition import CHECK as NONTERMINATION
from unfork.logic.solve.make_solver import SolverRequest
from unfork.options.option_rules import abstractions
from unfork.options.options import EXACT_JOINS, INFERRED, LATTICES, Options
from unfork.reduce.merge.merge_request import MergeRequest


@dataclass(frozen=True, slots=True)
class StartChoice:
    """Where a run starts, and with which heap.

    ``entry`` is ``function``, or the function that makes the ``calls`` of --calls. ``maker`` makes the container of
    these calls; None: it is all zeros.
    """

    function: str
    entry: str
    calls: tuple[str, ...]
    max_calls: int
    maker: str | None
    requires: str | None
    globals: str

    @property
    def opens_globals(self) -> bool:
        """Whether global variables may hold anything at the start."""
        return self.globals != "initial"


@dataclass(frozen=True, slots=True)
class InputChoice:
    """How large the inputs may be that the engine makes. ``max_elements``: of a container of C++, None if not given."""

    max_size: int
    max_elements: int | None
    max_objects: int | None
    throws_to_caller: bool


@dataclass(frozen=True, slots=True)
class PruneChoice:
    """Which pruner, and what it goes by.

    ``sources`` of interpolants; ``abstractions`` by name with the depth of trees; ``predicates`` that must say the same
    of states that cover each other.
    """

    name: str
    sources: tuple[str, ...]
    abstractions: dict[str, int]
    predicates: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Whether states are compared with each other."""
        return self.name == "subsume"

    @property
    def interpolates(self) -> bool:
        """Whether it learns from finished subtrees why they were safe."""
        return self.name == "interpolate"


@dataclass(frozen=True, slots=True)
class LoopChoice:
    """How loops run. ``scans_at_once``: loops that look at one element after another are taken in one step.

    ``is_named``: the user said how.
    """

    is_named: bool
    is_abstract: bool
    scans_at_once: bool
    invariants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryChoice:
    """Which ``solvers`` answer queries, for ``timeout`` seconds each.

    ``audits``: the other solver proves joins, covers and proofs again. ``counts_paths``: the single paths of joined
    states are counted.
    """

    solvers: SolverRequest
    timeout: float
    audits: bool
    counts_paths: bool
    seed: int


@dataclass(frozen=True, slots=True)
class CompileChoice:
    """How C becomes IR, and which library completes it."""

    include: tuple[str, ...]
    define: tuple[str, ...]
    cflags: str
    optimize: int
    is_ilp32: bool
    is_freestanding: bool
    """Whether the program has only the functions that the engine models (--libc none)."""

    @property
    def has_libc(self) -> bool:
        """Whether the program is completed with a C library."""
        return not self.is_freestanding and not self.is_ilp32


@dataclass(frozen=True, slots=True)
class TestChoice:
    """Which paths get a test, at most how many, in which formats."""

    wanted: str
    most: int | None
    formats: frozenset[str]
    all_errors: bool


@dataclass(frozen=True, slots=True)
class RunChoices:
    """What the options of one exploration say, by subject."""

    checks: frozenset[str]
    start: StartChoice
    inputs: InputChoice
    search: SearchRequest
    merge: MergeRequest
    infers: bool
    """Whether joins infer predicates, so that all may be explored again."""
    prune: PruneChoice
    loops: LoopChoice
    bounds: PathBounds
    queries: QueryChoice
    compilation: CompileChoice
    tests: TestChoice


def choose(options: Options) -> RunChoices:
    """The choices that ``options`` make."""
    checks = frozenset(options.check)
    prune = PruneChoice(options.prune, options.interpolants, abstractions(options), options.predicate)
    bounds = PathBounds(options.max_depth, options.unwind, options.context_bound)
    tests = TestChoice(options.tests, options.max_tests, frozenset(options.formats), options.all_errors)
    queries = QueryChoice(
        SolverRequest(options.solver, options.hard == "sample"),
        options.solver_timeout,
        options.audit,
        options.count_paths,
        options.seed,
    )
    is_abstract = options.loops == "abstract"
    looks_at_turns = bounds.turns is not None or NONTERMINATION in checks or prune.interpolates
    looks_at_paths = tests.wanted == "paths" or queries.counts_paths
    loops = LoopChoice(
        options.is_given("loops"),
        is_abstract,
        options.loops != "run" and not looks_at_turns and not looks_at_paths,
        options.invariant,
    )
    max_size = options.max_size
    inputs = InputChoice(
        max_size,
        max_size if options.is_given("max_size") else None,
        options.max_objects,
        options.exceptions == "caller",
    )
    start, compilation = _start(options), _compilation(options)
    merge = _merge(options, compilation, checks, prune, loops, bounds)
    return RunChoices(
        checks,
        start,
        inputs,
        SearchRequest(options.search, start.entry, queries.seed),
        merge,
        merge.join == INFERRED,
        prune,
        loops,
        bounds,
        queries,
        compilation,
        tests,
    )


def _start(options: Options) -> StartChoice:
    maker = options.function if options.is_given("function") else None
    return StartChoice(
        options.function,
        options.entry,
        options.calls,
        options.max_calls or 0,
        maker,
        options.requires,
        options.globals,
    )


def _merge(
    options: Options,
    compilation: CompileChoice,
    checks: frozenset[str],
    prune: PruneChoice,
    loops: LoopChoice,
    bounds: PathBounds,
) -> MergeRequest:
    """How states are joined; what else looks down the stack keeps joins from reaching over different callers."""
    schedule, join, is_similarity_named = options.merge, options.join, options.is_given("similar")
    looks_down = (
        prune.name != "none"
        or loops.is_abstract
        or bounds.turns is not None
        or not checks.isdisjoint(("leak", NONTERMINATION))
    )
    keeps_predicates = not prune.abstractions or any(name in join for name in LATTICES)
    return MergeRequest(
        schedule,
        join,
        "always" if schedule == "marked" and not is_similarity_named else options.similar,
        trusts_marks=not is_similarity_named,
        predicates=prune.predicates if keeps_predicates else (),
        query_count=options.qce,
        delta=options.delta,
        keeps_dead="leak" in checks,
        may_join_callers=schedule in ("static", "dynamic") and join in EXACT_JOINS and not looks_down,
        needs_exact=prune.interpolates,
        build=str(compilation.optimize),
    )


def _compilation(options: Options) -> CompileChoice:
    return CompileChoice(
        options.include,
        options.define,
        options.cflags,
        options.optimize,
        options.data_model == "ILP32",
        options.libc == "none",
    )
