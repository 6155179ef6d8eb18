"""The claim of a join: the joined state stands for its two parents, each under its side of the guard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from unfork.engine.state.inputs import InputObject
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.reduce.audit.claim import AuditObligation, all_of, either, equal, negation, term_of
from unfork.reduce.audit.pairs import (
    UNWRITTEN,
    Finding,
    Impossible,
    Pair,
    PairMismatch,
    bookkeeping,
    facts,
    objects,
    output,
    stacks,
)

SIDES = ("first", "second")


class JoinClaim:
    """``joined`` means exactly the union of ``parents``, or more if it says so (State.over).

    If the guard is a symbol that neither parent knows (an origin), each parent implies the joined path for one value
    of it, which is assumed. Otherwise each parent must imply its side of the guard.
    """

    def __init__(self, parents: Sequence[State], joined: State) -> None:
        self._parents = parents
        self._joined = joined

    def obligations(self) -> Iterator[AuditObligation]:
        """The obligations of both sides, and those of the path's own form."""
        yield from (AuditObligation(what, (), 0) for what in self._malformations())
        known = [_symbols_of(parent) for parent in self._parents]
        guard = self._joined.joined_under
        is_origin = isinstance(guard, Term) and guard.op == "symbol" and not any(guard in symbols for symbols in known)
        sides = zip(SIDES, self._parents, known, (guard, negation(guard)), strict=True)
        for name, parent, symbols, side in sides:
            if not is_origin:
                yield AuditObligation(f"the guard ({name} parent)", tuple(parent.path.constraints()), side)
            for obligation in self._side(parent, symbols, side, is_first=name == "first"):
                yield AuditObligation(
                    f"{obligation.what} ({name} parent)", obligation.hypotheses, obligation.conclusion
                )

    def _malformations(self) -> Iterator[str]:
        path = self._joined.path
        constraints = path.constraints()
        parts = path.all_slices()
        if {c for part in parts for c in part.constraints} != set(constraints):
            yield "the slices of the path"
        if any(path.slices.get(s) is not part for part in parts for c in part.constraints for s in c.symbols):
            yield "the symbols of the path's slices"
        model = path.model()
        if not all(evaluate(condition, model) for condition in constraints):
            yield "the model of the path"

    def _side(self, parent: State, known: frozenset[Term], side: Value, *, is_first: bool) -> Iterator[AuditObligation]:
        """The obligations of a parent where ``side`` of the guard holds; it knows the symbols ``known``."""
        joined = self._joined
        before, after = parent.path.constraints(), joined.path.constraints()
        findings = list(self._findings(parent, is_first=is_first))
        witnesses: dict[Term, Value] = {}
        for finding in findings:
            if isinstance(finding, Pair) and _is_forgotten(finding.mine, known, joined.joined_under):
                assert isinstance(finding.mine, Term)
                witnesses.setdefault(finding.mine, finding.theirs)
            elif isinstance(finding, Pair) and joined.over:
                witnesses |= dict.fromkeys(_forgotten_bits(finding.mine, known, joined.joined_under), int(is_first))
        assumed = [side, *[equal(s, value, s.width) for s, value in witnesses.items()]]
        hypotheses = (*before, *[term for term in assumed if isinstance(term, Term)])
        if witnesses and not joined.over:
            yield AuditObligation("the note that it stands for too much", (), 0)
        own, kept = set(before), set(after)
        yield from (
            AuditObligation("the joined path", hypotheses, condition) for condition in after if condition not in own
        )
        for finding in findings:
            conclusion = _conclusion(finding)
            if conclusion != 1:
                yield AuditObligation(finding.what, hypotheses, conclusion)
        if not joined.over:
            both = (*after, term_of(side, 1))
            yield from (
                AuditObligation("the parent's path", both, condition) for condition in before if condition not in kept
            )

    def _findings(self, parent: State, *, is_first: bool) -> Iterator[Finding]:
        joined = self._joined
        yield from stacks(joined, parent)
        yield from objects(joined, parent)
        yield from bookkeeping(joined, parent)
        yield from facts(joined.remembered, parent.remembered)
        yield from output(joined.output, parent.output, joined.joined_under, is_first=is_first)
        yield from _inputs(joined, parent)


def _symbols_of(state: State) -> frozenset[Term]:
    """The symbols in a state's path, inputs, registers and memory."""
    values: list[object] = [*state.path.constraints()]
    values += [value for asked in state.inputs for value in (asked.guard, *[leaf for leaf, _ in asked.leaves])]
    waits = [wait for frame in state.frames for wait in frame.waits_at().values()]
    values += [value for guard, registers in waits for value in (guard, *registers)]
    for item in state.memory.objects.values():
        values += [item.size, item.gone, *dict.fromkeys(term for term, _ in (item.symbolic or {}).values())]
    symbols: set[Term] = set()
    while values:
        value = values.pop()
        if isinstance(value, Term):
            symbols |= value.symbols
        elif isinstance(value, tuple):
            values += value
    return frozenset(symbols)


def _is_forgotten(value: Value, known: frozenset[Term], guard: Value) -> bool:
    """Whether a value is a symbol unknown to this parent: the join forgot its value."""
    if not isinstance(value, Term) or value.op != "symbol":
        return False
    return value not in known and value is not guard and not value.name.startswith(UNWRITTEN)


def _forgotten_bits(value: Value, known: frozenset[Term], guard: Value) -> list[Term]:
    """The bits in a value that select a side, and that neither this parent nor the guard knows."""
    if not isinstance(value, Term):
        return []
    told = guard.symbols if isinstance(guard, Term) else frozenset[Term]()
    bits = [each for each in value.symbols if each.width == 1 and each not in known and each not in told]
    return [each for each in bits if not each.name.startswith(UNWRITTEN)]


def _conclusion(finding: Finding) -> Value:
    match finding:
        case Pair(_, mine, theirs, width, unless):
            return either(unless, equal(mine, theirs, width)) if mine is not theirs else 1
        case Impossible(_, condition):
            return negation(condition)
        case PairMismatch():
            return 0


def _inputs(joined: State, parent: State) -> Iterator[Finding]:
    """Each input of the parent exists, in its place; no other exists on this side.

    An input that two sides created in different orders occurs twice, under exclusive guards. Order is compared for
    inputs that the parent has once.
    """
    theirs, mine = _copies(parent), _copies(joined)
    for identity, copies in mine.items():
        name = copies[0].name
        guards = [copy.guard for copy in copies]
        before = theirs.get(identity)
        if before is None:
            if copies[0].kind != "uninit":  # unwritten bytes may get names on either side, before or after the join
                yield Impossible(f"input {name}", reduce(either, guards))
            continue
        if not any(copy.is_latent for copy in before):
            held = reduce(either, [copy.guard for copy in before])
            yield Pair(f"the guard of input {name}", reduce(either, guards), held, 1)
        for number, guard in enumerate(guards):
            for twin in guards[number + 1 :]:
                yield Impossible(f"two inputs {name} at once", all_of((guard, twin)))
    for identity, copies in theirs.items():
        if identity not in mine:
            yield PairMismatch(f"input {copies[0].name}")
    ranks = {_identity(asked): rank for rank, asked in enumerate(parent.inputs) if len(theirs[_identity(asked)]) == 1}
    met = [(rank, asked) for asked in joined.inputs if (rank := ranks.get(_identity(asked))) is not None]
    for position, (rank, earlier) in enumerate(met):
        for later, other in met[position + 1 :]:
            if later < rank:
                yield Impossible(
                    f"the order of inputs {earlier.name} and {other.name}", all_of((earlier.guard, other.guard))
                )


def _copies(state: State) -> dict[tuple[object, ...], list[InputObject]]:
    """The inputs, grouped by identity."""
    copies: dict[tuple[object, ...], list[InputObject]] = {}
    for asked in state.inputs:
        copies.setdefault(_identity(asked), []).append(asked)
    return copies


def _identity(asked: InputObject) -> tuple[object, ...]:
    return (asked.name, asked.kind, asked.size, asked.leaves)
