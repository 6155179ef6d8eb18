"""Makes joins and similarities: those that options name, and those of annotations in the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.join import Join, Similarity
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.step.conduct import InputSource
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.program.c.annotations import Annotation
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.merge_points import Mark, annotation_marks
from unfork.program.facts.query_count import Parameters, QueryCounts
from unfork.program.llvm.linking import versions
from unfork.program.llvm.module import Program
from unfork.reduce.merge.abstract import AbstractJoin
from unfork.reduce.merge.abstraction_rules import (
    NumberRule,
    PredicateFacts,
    Rule,
    annotated_rules,
    check_predicates,
    check_rules,
    read_rules,
)
from unfork.reduce.merge.domains import ANYTHING, Predicate, read_predicate
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.inferred_join import InferredJoin
from unfork.reduce.merge.merge_request import MergeRequest
from unfork.reduce.merge.refinement import JoinRequest
from unfork.reduce.merge.scope import Variables
from unfork.reduce.merge.similarity import Always, LiveSimilarity, QueryCounting
from unfork.reduce.merge.states import ExactJoin, NoOrigins, Origins

FORGET = NumberRule(None, ANYTHING, ANYTHING)
"""What havoc keeps of joined values."""
_EXACT, _INFERRED, _HAVOC = ("summary", "ite"), "abstract:inferred", "havoc"


def make_joins(
    request: MergeRequest, machine: Machine, source: InputSource, chain: Chain, wanted: JoinRequest
) -> tuple[Join, dict[Mark, Join]]:
    """The join that --join names, and the joins of annotations by their marks.

    Raises InputError for rules and predicates that fit neither each other nor C, and for joins that forget where
    ``request`` needs exact ones.
    """
    live, keeps_all = LiveRegisters(machine.facts, as_it_is), wanted.keeps_all or request.keeps_dead
    frames = Frames(live, keeps_all=keeps_all)
    anywhere = Frames(live, keeps_all=keeps_all, anywhere=not keeps_all and request.joins_callers(machine.program))
    origins = Origins(machine.step_of_instructions().names)

    def named(how: str, kept: Callable[[], tuple[Rule, ...]]) -> Join:
        match how:
            case "ite":
                return ExactJoin(source, chain, NoOrigins(), anywhere)
            case "summary":
                return ExactJoin(source, chain, origins, anywhere)
            case "abstract:inferred":
                exact = ExactJoin(source, chain, NoOrigins(), frames)
                return InferredJoin(source, chain, origins, frames, make_variables(machine), exact, wanted.refinement)
        return AbstractJoin(source, chain, origins, frames, make_variables(machine), kept())

    plain = named(request.join, lambda: make_rules(request, machine.program))
    marked: dict[Mark, Join] = {}
    for mark, (said, where) in annotation_marks(machine.program).items():
        if said.how == _INFERRED:
            raise InputError(f"{where}: merge_proc {said.how}: predicates are inferred at all places or none (--join)")
        marked[mark] = named(said.how, partial(_annotated_rules, said, where, machine.program))
        if said.how in (*_EXACT, _HAVOC) and said.predicates:
            raise InputError(f"{where}: merge_params are for predicates")
        if request.needs_exact and said.how not in _EXACT:
            raise InputError(f"{where}: merge_proc {said.how} forgets values: --prune interpolate needs exact joins")
    return plain, marked


def _annotated_rules(said: Annotation, where: str, program: Program) -> tuple[Rule, ...]:
    try:
        kept = (FORGET,) if said.how == _HAVOC else annotated_rules(said.how, said.predicates)
        check_rules(kept, program.names())
    except ValueError as problem:
        raise InputError(f"{where}: merge_proc {said.how}: {problem}") from None
    return kept


def make_rules(request: MergeRequest, program: Program) -> tuple[Rule, ...]:
    """What --join and --predicate say is kept of joined values. Raises InputError."""
    if request.join == _HAVOC:
        return (FORGET,)
    predicates = tuple([_predicate(text) for text in request.predicates])
    try:
        kept = read_rules(request.join.partition(":")[2].split(","), predicates)
        check_rules(kept, program.names())
    except ValueError as problem:
        raise InputError(f"--join {request.join}: {problem}") from None
    return kept


def _predicate(text: str) -> Predicate:
    """The predicate that --predicate states. Raises InputError for one that is not C."""
    try:
        return read_predicate(text)
    except ValueError as problem:
        raise InputError(f"--predicate {text!r}: {problem}") from None


def make_variables(machine: Machine) -> Variables:
    """The variables of C in a machine's states."""
    frames = Frames(LiveRegisters(machine.facts, as_it_is), keeps_all=False)
    return Variables(machine.program, machine.statics, frames)


def make_predicate_facts(predicates: Sequence[str], machine: Machine) -> PredicateFacts:
    """What the predicates of --predicate say of a machine's states. Raises InputError."""
    read = tuple([_predicate(text) for text in predicates])
    try:
        check_predicates(read, machine.program.names())
    except ValueError as problem:
        raise InputError(f"--predicate {problem}") from None
    return PredicateFacts(read, make_variables(machine))


def make_similarity(request: MergeRequest, machine: Machine) -> Similarity:
    """The similarity that --similar names."""
    match request.similar:
        case "always":
            return Always()
        case "live":
            return LiveSimilarity(LiveRegisters(machine.facts, as_it_is))
        case "qce":
            return _query_counting(request, machine)
        case unknown:
            raise ValueError(f"no similarity is called {unknown}")


def _query_counting(request: MergeRequest, machine: Machine) -> Similarity:
    alpha, beta, kappa, zeta = request.query_count
    parameters = Parameters(beta, int(kappa))
    store = CachedCounts(parameters, (*versions(), request.build, machine.program.bitcode))
    counts = QueryCounts(machine.program, machine.facts, machine.library, parameters, store)
    return QueryCounting(counts, machine.statics, alpha, zeta)
