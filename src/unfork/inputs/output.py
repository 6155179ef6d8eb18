"""What a path has printed, under a model of its inputs: what a test expects on standard output."""

from __future__ import annotations

from unfork.environment.contents import name_of
from unfork.environment.kernel_tables import KERNEL
from unfork.logic.evaluate import Model, evaluate
from unfork.state.meets import OneOf
from unfork.state.state import State


def printed(state: State, model: Model) -> bytes | None:
    """The bytes on standard output; None if some of them are not known.

    If standard output is a file (--sym-stdout), they are what the file holds at the end.
    """
    held = _file(state, model)
    if held is not None:
        return held
    out = []
    for chunk in state.written(1):
        if chunk is None:
            return None
        out.append(chunk if isinstance(chunk, bytes) else bytes([evaluate(value, model) for value in chunk]))
    return b"".join(out)


def _file(state: State, model: Model) -> bytes | None:
    """The contents of the file behind standard output, if there is one and it is open."""
    kernel = state.remembered[KERNEL]
    if kernel is None:
        return None
    for number, slot in enumerate(kernel.inodes):
        inode = slot.under(model) if isinstance(slot, OneOf) else slot
        if inode is None or inode.sort != "file" or inode.stream != 1:
            continue
        item = state.memory.objects[name_of(number)]
        size = evaluate(inode.size, model)
        count = min(size, len(item.data))
        return bytes([evaluate(value, model) for value in item.byte_values(0, count)]).ljust(size, b"\0")
    return None
