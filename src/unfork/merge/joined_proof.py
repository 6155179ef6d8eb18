"""What two paths know in a proof as one: contents of objects of any length, and claims."""

from __future__ import annotations

from unfork.logic import build
from unfork.merge.value_choice import Choice, Unjoinable
from unfork.state.state import State
from unfork.state.unbounded import Claim, Contents, Either, Proof, stride_of


def check_proofs(a: State, b: State) -> None:
    """Raise Unjoinable for paths in different turns of loops, or of which one has been looked at where it stands."""
    mine, other = a.proof, b.proof
    if mine.cuts.keys() != other.cuts.keys() or any(cut is not other.cuts[place] for place, cut in mine.cuts.items()):
        raise Unjoinable("different turns of a loop")
    if _is_handled(a) != _is_handled(b):
        raise Unjoinable("one side has been looked at")
    both = mine.contents.keys() & other.contents.keys()
    if any(stride_of(mine.contents[number]) != stride_of(other.contents[number]) for number in both):
        raise Unjoinable("blocks of different elements")


def _is_handled(state: State) -> bool:
    return state.proof.handled == state.instructions


def joined_proof(choice: Choice, left: State, right: State) -> Proof:
    """What the joined path knows; both are in the same turns. Blocks may be there on one side only."""
    a, b = left.proof, right.proof
    if a is b:
        return a
    handled = max(left.instructions, right.instructions) if _is_handled(left) else -1
    contents: dict[int, Contents] = {**b.contents, **a.contents}
    for number in a.contents.keys() & b.contents.keys():
        mine, other = a.contents[number], b.contents[number]
        if mine is not other:
            contents[number] = Either(choice.first, mine, other)
    return Proof(contents, _joined_claims(choice, a.claims, b.claims), a.cuts, handled, a.cells)


def _joined_claims(choice: Choice, a: tuple[Claim, ...], b: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The claims of both, and those of one side where the joined path stands for that."""
    shared = 0
    for mine, other in zip(a, b, strict=False):
        if mine is not other:
            break
        shared += 1
    first = tuple(claim.under(choice.first) for claim in a[shared:])
    second = tuple(claim.under(build.negate(choice.first)) for claim in b[shared:])
    return (*a[:shared], *first, *second)
