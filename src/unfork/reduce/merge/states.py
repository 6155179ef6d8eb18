"""The join of two states: it constructs the whole State (Scheurer16, Def. 9; Kuznetsov12, Algorithm 1)."""

from __future__ import annotations

from dataclasses import replace

from unfork.engine.protocols.join import Refusal
from unfork.engine.state.inputs import InputObject, Inputs
from unfork.engine.state.names import Names
from unfork.engine.state.state import EitherOutput, Output, State
from unfork.engine.state.unbounded import Contents, JoinedContents, ProofKnowledge, UniversalFact, stride_of
from unfork.engine.step.conduct import InputSource
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge.diagrams import Diagrams
from unfork.reduce.merge.frames import Frames, largest
from unfork.reduce.merge.joined_facts import check_facts, joined_facts, one_sided_copies
from unfork.reduce.merge.joined_memory import JoinSide, check_objects, joined_memory
from unfork.reduce.merge.joined_paths import (
    Residuals,
    distinguishing,
    guarded_conditions,
    joined_path,
    residuals,
    smaller_side,
)
from unfork.reduce.merge.value_choice import GuardedChoice, Unjoinable, ValueChoice

ORIGIN = "origin#"
"""Prefix of the names of origin symbols; they are 1 bit wide, as no input is."""


class Origins:
    """Fresh origin symbols: each distinguishes the two sides of one join where nothing else does (Steinhoefel).

    The table of ``names`` numbers them: a name means one thing in all processes of the run.
    """

    def __init__(self, names: Names) -> None:
        self._names = names

    def fresh(self) -> Term:
        """A new origin."""
        return self.number(ORIGIN, 1)

    def number(self, prefix: str, width: int) -> Term:
        """A new symbol, named after ``prefix``."""
        return symbol(f"{prefix}{self._names.symbol()}", width)


class NoOrigins:
    """Refuses states that only an origin symbol would distinguish."""

    def fresh(self) -> Term:
        """Raises Unjoinable."""
        raise Unjoinable("indistinguishable")


class ExactJoin:
    """A join by if-then-else, with a condition that distinguishes the two states (Scheurer16, Def. 10).

    With ``Origins``, an origin symbol does so where their path conditions overlap: the join of value summaries.
    """

    def __init__(self, source: InputSource, chain: Chain, origins: Origins | NoOrigins, frames: Frames) -> None:
        self._source = source
        self._chain = chain
        self._origins = origins
        self._frames = frames
        self._diagrams = Diagrams(chain.effort)

    def join(self, a: State, b: State) -> State | Refusal:
        try:
            check_joinable(self._frames, a, b)
            guard, path = unite_paths(self._diagrams, self._chain, self._origins, (a.path, b.path))
            return joined_state(self._frames, self._source, (a, b), GuardedChoice(guard), path)
        except Unjoinable as reason:
            return Refusal(reason.reason)


def check_joinable(frames: Frames, a: State, b: State) -> None:
    """Raise Unjoinable for differences that no condition can express, before looking for one."""
    frames.check_place(a, b)
    check_facts(a.remembered, b.remembered)
    if not a.lazy.agrees(b.lazy):
        raise Unjoinable("different input heaps")
    check_objects(a.memory, b.memory)
    check_proofs(a, b)


def unite_paths(
    diagrams: Diagrams, chain: Chain, origins: Origins | NoOrigins, paths: tuple[PathCondition, PathCondition]
) -> tuple[Value, PathCondition]:
    """A guard, and the joined path, which is the first of ``paths`` where the guard holds.

    If nothing distinguishes the two, the guard is an origin symbol.
    """
    first, second = paths
    rest = residuals(first, second)
    said = said_by_both(diagrams, chain, first, rest)
    if said is None:
        origin = origins.fresh()
        return origin, joined_path(first, rest, guarded_conditions(rest, origin), origin)
    guard, conditions = said
    return guard, joined_path(first, rest, conditions, None)


def said_by_both(
    diagrams: Diagrams, chain: Chain, path: PathCondition, rest: Residuals
) -> tuple[Value, dict[Term, None]] | None:
    """A condition that distinguishes ``path`` from the other, and the conditions of both; None if nothing does.

    Diagrams distinguish them, or folding, or else the solver.
    """
    union = diagrams.union(rest.first, rest.second)
    if union is not None:
        return union.guard, dict.fromkeys(union.conditions)
    guard = distinguishing(rest.first, rest.second)
    if guard is None and rest.first and rest.second:
        is_exclusive = isinstance(chain.assume(path, build.conjunction(rest.second)), Unsat)
        guard = smaller_side(rest.first, rest.second) if is_exclusive else None
    return None if guard is None else (guard, guarded_conditions(rest, guard))


def joined_state(
    frames: Frames, source: InputSource, states: tuple[State, State], choice: ValueChoice, path: PathCondition
) -> State:
    """The whole joined state of two that pass ``check_joinable``; it shares what it does not own."""
    left, right = JoinSide(states[0], source), JoinSide(states[1], source)
    memory = joined_memory(choice, left, right)
    a, b = left.state, right.state
    owner = object()
    copies = one_sided_copies(a.remembered, b.remembered)
    return State(
        token=owner,
        memory=memory,
        path=path,
        frames=frames.joined(choice, a, b, owner),
        inputs=joined_inputs(choice, a.inputs, b.inputs, copies),
        input_counts=largest(a.input_counts, b.input_counts) or {},
        heap_count=max(a.heap_count, b.heap_count),
        instructions=max(a.instructions, b.instructions),
        depth=max(a.depth, b.depth),
        forks=max(a.forks, b.forks),
        multiplicity=a.multiplicity + b.multiplicity,
        over=a.over or b.over,
        pending=(),  # the caller has let the edges of each side have their test
        node=a.node,
        joined_under=choice.first,
        looked=_last_look(a, b),
        remembered=joined_facts(choice, a.remembered, b.remembered),
        output=joined_output(choice.first, a.output, b.output),
        lazy=a.lazy.joined(b.lazy),
        suspect=0,
        volatile_reads=max(a.volatile_reads, b.volatile_reads),
        proof=joined_proof(choice, a, b),
        iterations={},  # the earlier states of a side do not belong to the joined path
    )


def _last_look(a: State, b: State) -> tuple[int, int]:
    """A joined state is due for a look only if neither side is where it was looked at: it would cover itself."""
    if a.looked[0] < a.instructions and b.looked[0] < b.instructions:
        return max(a.looked, b.looked)
    return max(a.instructions, b.instructions), max(a.forks, b.forks)


def joined_output(first: Value, a: Output, b: Output) -> Output:
    """The output of ``a`` where ``first`` (1 bit) holds, else that of ``b``."""
    return a if _alike(a, b) else EitherOutput(first, a, b)


def _alike(a: Output, b: Output) -> bool:
    while a is not b:
        if not isinstance(a, tuple) or not isinstance(b, tuple) or a[1:] != b[1:]:
            return False
        a, b = a[0], b[0]
    return True


def joined_inputs(choice: ValueChoice, a: Inputs, b: Inputs, shared: frozenset[str]) -> Inputs:
    """Both sides' inputs in an order that agrees with each: an input created alike on both is one input.

    Inputs named in ``shared`` may be created by either side from now on.
    """
    if a is b:
        return a
    common = 0
    for record, other in zip(a, b, strict=False):
        if record is not other and record != other:
            break
        common += 1
    joined = a.first(common)
    waiting = b.after(common)
    indices = {_identity(record): i for i, record in enumerate(waiting)}
    second = build.negate(choice.first)
    done = 0
    for record in a.after(common):
        index = indices.get(_identity(record), -1)
        if index >= done:
            joined += [_under(other, second, shared) for other in waiting[done:index]]
            other = waiting[index]
            guard = choice.exact(record.guard, other.guard, 1)
            joined.append(replace(record, guard=guard, is_latent=record.is_latent and other.is_latent))
            done = index + 1
        else:
            joined.append(_under(record, choice.first, shared))
    joined += [_under(other, second, shared) for other in waiting[done:]]
    return Inputs(joined)


def _identity(record: InputObject) -> tuple[object, ...]:
    return (record.name, record.kind, record.size, record.leaves)


def _under(record: InputObject, side: Value, shared: frozenset[str]) -> InputObject:
    return record if record.name in shared else replace(record, guard=build.both(side, record.guard))


def check_proofs(a: State, b: State) -> None:
    """Raise Unjoinable for paths in different turns of loops, or if one was already handled where it stands."""
    mine, other = a.proof, b.proof
    if mine.cuts.keys() != other.cuts.keys() or any(cut is not other.cuts[point] for point, cut in mine.cuts.items()):
        raise Unjoinable("different turns of a loop")
    if _is_handled(a) != _is_handled(b):
        raise Unjoinable("one side has been looked at")
    both = mine.contents.keys() & other.contents.keys()
    if any(stride_of(mine.contents[number]) != stride_of(other.contents[number]) for number in both):
        raise Unjoinable("blocks of different elements")


def _is_handled(state: State) -> bool:
    return state.proof.handled == state.instructions


def joined_proof(choice: ValueChoice, left: State, right: State) -> ProofKnowledge:
    """The knowledge of the joined path; both are in the same turns. Blocks may exist on one side only."""
    a, b = left.proof, right.proof
    if a is b:
        return a
    handled = max(left.instructions, right.instructions) if _is_handled(left) else -1
    contents: dict[int, Contents] = {**b.contents, **a.contents}
    for number in a.contents.keys() & b.contents.keys():
        mine, other = a.contents[number], b.contents[number]
        if mine is not other:
            contents[number] = JoinedContents(choice.first, mine, other)
    return ProofKnowledge(contents, _joined_claims(choice, a.claims, b.claims), a.cuts, handled, a.cells)


def _joined_claims(
    choice: ValueChoice, a: tuple[UniversalFact, ...], b: tuple[UniversalFact, ...]
) -> tuple[UniversalFact, ...]:
    """The claims of both, and those of one side where the joined path stands for that side."""
    shared = 0
    for mine, other in zip(a, b, strict=False):
        if mine is not other:
            break
        shared += 1
    first = tuple(claim.under(choice.first) for claim in a[shared:])
    second = tuple(claim.under(build.negate(choice.first)) for claim in b[shared:])
    return (*a[:shared], *first, *second)
