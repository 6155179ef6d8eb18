"""The turns of annotated loops that a path is in: where each loop was entered, and where its turn began."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unfork.clang.contracts import LoopContract
from unfork.explore.unwind import Activation, activation_of
from unfork.state.state import State
from unfork.state.unbounded import Cut


@dataclass(frozen=True, slots=True)
class Turn(Cut):
    """A turn of a loop. ``blocks`` are those of the loop."""

    contract: LoopContract
    activation: Activation
    blocks: frozenset[int]
    entry: State
    begun: State


def leave_loops(state: State) -> None:
    """Forget the turns that the path has left."""
    if not state.proof.cuts:
        return
    top = len(state.frames) - 1
    activation, block = activation_of(state), state.frames[-1].block
    kept = {
        place: cut
        for place, cut in state.proof.cuts.items()
        if isinstance(cut, Turn)
        and activation[: len(cut.activation)] == cut.activation
        and (place[0] < top or block in cut.blocks)
    }
    if len(kept) < len(state.proof.cuts):
        state.proof = replace(state.proof, cuts=kept)
