"""What two paths know in a proof as one: contents of objects of any length, and claims."""

from __future__ import annotations

from unfork.logic import build
from unfork.merge.value_choice import Choice, Unjoinable
from unfork.state.unbounded import Claim, Contents, Either, Proof


def check_proofs(a: Proof, b: Proof) -> None:
    """Raise Unjoinable for paths that are in different turns of loops."""
    if a.cuts.keys() != b.cuts.keys() or any(cut is not b.cuts[place] for place, cut in a.cuts.items()):
        raise Unjoinable("different turns of a loop")


def joined_proof(choice: Choice, a: Proof, b: Proof) -> Proof:
    """What the joined path knows; both have the same objects, and are in the same turns."""
    if a is b:
        return a
    contents: dict[int, Contents] = {}
    for number, mine in a.contents.items():
        other = b.contents[number]
        contents[number] = mine if mine is other else Either(choice.first, mine, other)
    return Proof(contents, _joined_claims(choice, a.claims, b.claims), a.cuts, max(a.handled, b.handled))


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
