"""The inputs that a joined state has asked for: those of both sides, each where its side holds."""

from __future__ import annotations

from dataclasses import replace

from unfork.logic import build
from unfork.logic.term import Value
from unfork.merge.value_choice import Choice
from unfork.state.inputs import Input, Inputs


def joined_inputs(choice: Choice, a: Inputs, b: Inputs, shared: frozenset[str]) -> Inputs:
    """Both sides' inputs in an order that agrees with each: what both asked for alike is one input.

    Inputs named in ``shared`` may be asked for by either side from now on.
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
    places = {_identity(record): i for i, record in enumerate(waiting)}
    second = build.negate(choice.first)
    done = 0
    for record in a.after(common):
        place = places.get(_identity(record), -1)
        if place >= done:
            joined += [_under(other, second, shared) for other in waiting[done:place]]
            other = waiting[place]
            guard = choice.exact(record.guard, other.guard, 1)
            joined.append(replace(record, guard=guard, is_latent=record.is_latent and other.is_latent))
            done = place + 1
        else:
            joined.append(_under(record, choice.first, shared))
    joined += [_under(other, second, shared) for other in waiting[done:]]
    return Inputs(joined)


def _identity(record: Input) -> tuple[object, ...]:
    return (record.name, record.kind, record.size, record.leaves)


def _under(record: Input, side: Value, shared: frozenset[str]) -> Input:
    return record if record.name in shared else replace(record, guard=build.both(side, record.guard))
