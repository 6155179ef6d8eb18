"""The joins that users name, by options and in the source, and the parts that say when joins pay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from unfork.commands.assemble.machines import Engine
from unfork.commands.assemble.yielding import joins_callers
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.join import Join, Similarity
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.errors import InputError
from unfork.options.options import EXACT_JOINS, INFERRED, JOINS, LATTICES, Options
from unfork.program.c.annotations import Annotation
from unfork.program.facts.merge_points import Mark, annotation_marks
from unfork.program.facts.query_count import CachedGroups, Parameters, QueryCounts
from unfork.program.llvm.linking import versions
from unfork.program.llvm.module import Program
from unfork.reduce.merge.abstract import AbstractJoin
from unfork.reduce.merge.abstraction_rules import NumberRule, Rule, annotated_rules, check_rules, read_rules
from unfork.reduce.merge.domains import ANYTHING, Predicate, read_predicate
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.inferred_join import InferredJoin
from unfork.reduce.merge.refinement import JoinRequest
from unfork.reduce.merge.scope import Variables
from unfork.reduce.merge.similarity import Always, LiveSimilarity, QueryCounting
from unfork.reduce.merge.states import ExactJoin, NoOrigins, Origins

FORGET = NumberRule(None, ANYTHING, ANYTHING)
"""What havoc keeps of joined values."""


def joins(
    options: Options,
    engine: Engine,
    wanted: JoinRequest,
) -> tuple[Join, dict[Mark, Join]]:
    """The join that --join names, and the joins of annotations by their marks.

    Raises InputError for rules and predicates that fit neither each other nor C, and for joins under which nothing can
    be learnt if --prune says so.
    """
    machine, source, chain = engine.machine, engine.source, engine.chain
    live, keeps_all = LiveRegisters(machine.facts, as_it_is), wanted.keeps_all or "leak" in options.check
    frames = Frames(live, keeps_all=keeps_all)
    anywhere = Frames(live, keeps_all=keeps_all, anywhere=not keeps_all and joins_callers(options, machine.program))
    origins = Origins(machine.step_of_instructions().names)

    def named(how: str, kept: Callable[[], tuple[Rule, ...]]) -> Join:
        match how:
            case "ite":
                return ExactJoin(source, chain, NoOrigins(), anywhere)
            case "summary":
                return ExactJoin(source, chain, origins, anywhere)
            case "abstract:inferred":
                exact = ExactJoin(source, chain, NoOrigins(), frames)
                return InferredJoin(source, chain, origins, frames, variables(machine), exact, wanted.refinement)
        return AbstractJoin(source, chain, origins, frames, variables(machine), kept())

    plain = named(options.join, lambda: rules(options, machine.program))
    marked: dict[Mark, Join] = {}
    for mark, (said, where) in annotation_marks(machine.program).items():
        if said.how == INFERRED:
            raise InputError(f"{where}: merge_proc {said.how}: predicates are inferred at all places or none (--join)")
        marked[mark] = named(said.how, partial(_annotated_rules, said, where, machine.program))
        if said.how in JOINS and said.predicates:
            raise InputError(f"{where}: merge_params are for predicates")
        if options.prune == "interpolate" and said.how not in EXACT_JOINS:
            raise InputError(f"{where}: merge_proc {said.how} forgets values: --prune interpolate needs exact joins")
    return plain, marked


def _annotated_rules(said: Annotation, where: str, program: Program) -> tuple[Rule, ...]:
    try:
        kept = (FORGET,) if said.how == "havoc" else annotated_rules(said.how, said.predicates)
        check_rules(kept, program.names())
    except ValueError as problem:
        raise InputError(f"{where}: merge_proc {said.how}: {problem}") from None
    return kept


def rules(options: Options, program: Program) -> tuple[Rule, ...]:
    """What --join and --predicate say is kept of joined values."""
    if options.join == "havoc":
        return (FORGET,)
    keeps = options.abstract == "none" or any(name in options.join for name in LATTICES)
    predicates = tuple([predicate(text) for text in options.predicate]) if keeps else ()
    try:
        kept = read_rules(options.join.partition(":")[2].split(","), predicates)
        check_rules(kept, program.names())
    except ValueError as problem:
        raise InputError(f"--join {options.join}: {problem}") from None
    return kept


def predicate(text: str) -> Predicate:
    """The predicate that --predicate states. Raises InputError for one that is not C."""
    try:
        return read_predicate(text)
    except ValueError as problem:
        raise InputError(f"--predicate {text!r}: {problem}") from None


def variables(machine: Machine) -> Variables:
    """The variables of C in a machine's states."""
    frames = Frames(LiveRegisters(machine.facts, as_it_is), keeps_all=False)
    return Variables(machine.program, machine.statics, frames)


def similarity(options: Options, machine: Machine) -> Similarity:
    """The similarity that --similar names."""
    match _similar(options):
        case "always":
            return Always()
        case "live":
            return LiveSimilarity(LiveRegisters(machine.facts, as_it_is))
        case "qce":
            return _query_counting(options, machine)
        case unknown:
            raise ValueError(f"no similarity is called {unknown}")


def _query_counting(options: Options, machine: Machine) -> Similarity:
    alpha, beta, kappa, zeta = options.qce
    parameters = Parameters(beta, int(kappa))
    store = CachedGroups(parameters, (*versions(), str(options.optimize), machine.program.bitcode))
    counts = QueryCounts(machine.program, machine.facts, parameters, store)
    return QueryCounting(counts, machine.statics, alpha, zeta)


def _similar(options: Options) -> str:
    """The name of the similarity; with marks in the program, all states are similar unless the user names another."""
    return "always" if options.merge == "marked" and not options.is_given("similar") else options.similar
