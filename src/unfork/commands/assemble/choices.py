"""What the options say, by subject, as plain values: the one place where most of them are read.

The rest of the assembly reads these records, so this file shows what depends on which options.
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

_COUNTED_PATHS = 1000
"""Single paths of a joined state that --count-paths follows."""


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
    """The inputs that the engine makes: the most bytes of an object, the most elements of a container of C++ if the
    user limits them, the most objects. ``throws_to_caller``: an exception may leave the function.
    """

    max_size: int
    max_elements: int | None
    max_objects: int | None
    throws_to_caller: bool


@dataclass(frozen=True, slots=True)
class PruneChoice:
    """The pruner by name, and its details.

    ``sources`` of interpolants; ``abstractions`` by name, with the depth of trees; ``predicates`` that must agree on
    states that cover each other.
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
    """How loops run. ``is_named``: the user said how. ``is_abstract``: for any number of iterations at once.

    ``scans_at_once``: loops that look at one element after another are taken in one step, of ``turns`` at most.
    """

    is_named: bool
    is_abstract: bool
    scans_at_once: bool
    turns: int
    invariants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryChoice:
    """Which ``solvers`` answer queries, for ``timeout`` seconds each.

    ``audits``: the other solver proves joins, covers and proofs again. ``path_sample``: how many single paths of a
    joined state are followed to count them.
    """

    solvers: SolverRequest
    timeout: float
    audits: bool
    path_sample: int
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
        return not self.is_freestanding


@dataclass(frozen=True, slots=True)
class TestChoice:
    """Which paths get a test, at most how many, in which formats."""

    wanted: str
    most: int | None
    formats: tuple[str, ...]
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
    makes_machine_code: bool


def choose(options: Options) -> RunChoices:
    """The choices that ``options`` make."""
    checks, start, compilation = frozenset(options.check), _start(options), _compilation(options)
    queries, tests = _queries(options), _tests(options)
    prune = PruneChoice(
        name=options.prune,
        sources=options.interpolants,
        abstractions=abstractions(options),
        predicates=options.predicate,
    )
    bounds = PathBounds(forks=options.max_depth, turns=options.unwind, preemptions=options.context_bound)
    looks_at_turns = bounds.turns is not None or NONTERMINATION in checks or prune.interpolates
    looks_at_paths = tests.wanted == "paths"
    loops = _loops(options, is_single=looks_at_turns or looks_at_paths)
    merge = _merge(options, compilation, checks, prune, loops, bounds)
    return RunChoices(
        checks=checks,
        start=start,
        inputs=_inputs(options),
        search=SearchRequest(options.search, start.entry, queries.seed, merge.schedule == "dynamic"),
        merge=merge,
        infers=merge.join == INFERRED,
        prune=prune,
        loops=loops,
        bounds=bounds,
        queries=queries,
        compilation=compilation,
        tests=tests,
        makes_machine_code=options.jit == "auto",
    )


def _start(options: Options) -> StartChoice:
    function, is_function_named = options.function, options.is_given("function")
    return StartChoice(
        function=function,
        entry=options.entry,
        calls=options.calls,
        max_calls=options.max_calls or 0,
        maker=function if is_function_named else None,
        requires=options.requires,
        globals=options.globals,
    )


def _inputs(options: Options) -> InputChoice:
    max_size, is_size_named = options.max_size, options.is_given("max_size")
    return InputChoice(
        max_size=max_size,
        max_elements=max_size if is_size_named else None,
        max_objects=options.max_objects,
        throws_to_caller=options.exceptions == "caller",
    )


def _loops(options: Options, *, is_single: bool) -> LoopChoice:
    """How loops run; ``is_single``: something looks at their single turns, or at the paths through them."""
    how = options.loops
    return LoopChoice(
        is_named=options.is_given("loops"),
        is_abstract=how == "abstract",
        scans_at_once=how != "run" and not is_single,
        turns=options.loop_turns,
        invariants=options.invariant,
    )


def _merge(
    options: Options,
    compilation: CompileChoice,
    checks: frozenset[str],
    prune: PruneChoice,
    loops: LoopChoice,
    bounds: PathBounds,
) -> MergeRequest:
    schedule, join, is_similarity_named = options.merge, options.join, options.is_given("similar")
    looks_down_the_stack = (
        prune.name != "none"
        or loops.is_abstract
        or bounds.turns is not None
        or not checks.isdisjoint(("leak", NONTERMINATION))
    )
    keeps_predicates = not prune.abstractions or any(name in join for name in LATTICES)
    return MergeRequest(
        schedule=schedule,
        join=join,
        similar="always" if schedule == "marked" and not is_similarity_named else options.similar,
        trusts_marks=not is_similarity_named,
        predicates=prune.predicates if keeps_predicates else (),
        query_count=options.qce,
        delta=options.delta,
        keeps_dead="leak" in checks,
        may_join_callers=schedule in ("static", "dynamic") and join in EXACT_JOINS and not looks_down_the_stack,
        needs_exact=prune.interpolates,
        build=str(compilation.optimize),
    )


def _queries(options: Options) -> QueryChoice:
    return QueryChoice(
        solvers=SolverRequest(first=options.solver, samples=options.hard == "sample"),
        timeout=options.solver_timeout,
        audits=options.audit,
        path_sample=_path_sample(options),
        seed=options.seed,
    )


def _path_sample(options: Options) -> int:
    """0 where nothing joins, and where one state stands for any number of turns of a loop."""
    if options.count_paths:
        return options.path_sample if options.is_given("path_sample") else _COUNTED_PATHS
    return 0 if options.merge == "none" or options.loops == "abstract" else options.path_sample


def _compilation(options: Options) -> CompileChoice:
    return CompileChoice(
        include=options.include,
        define=options.define,
        cflags=options.cflags,
        optimize=options.optimize,
        is_ilp32=options.data_model == "ILP32",
        is_freestanding=options.libc == "none",
    )


def _tests(options: Options) -> TestChoice:
    return TestChoice(
        wanted=options.tests,
        most=options.max_tests,
        formats=options.formats,
        all_errors=options.all_errors,
    )
