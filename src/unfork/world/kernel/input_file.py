"""The file of a fuzzer's input: its contents are made when a call first needs them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unfork.engine.step.step import Step
from unfork.world.kernel import contents
from unfork.world.kernel.kernel_tables import Inode, Kernel
from unfork.world.library.fuzz_input import DATA, UNREAD_INPUT, fill, input_size, known_size

if TYPE_CHECKING:
    from unfork.world.kernel.system_call import SystemCall


def inode_of_input(step: Step, tree: Kernel) -> tuple[Kernel, int]:
    """The kernel with the inode of the input, of an unknown size, without contents; and its number."""
    tree, number = tree.with_new_inode(Inode("file", 0o644, size=input_size(step, "file")))
    contents.create(step, number, DATA)
    step.state.remembered[UNREAD_INPUT] = number
    return tree, number


def settle(call: SystemCall, number: int) -> None:
    """Make the size of the inode known, and its contents, if it is that of the input."""
    step = call.step
    if not number or number != step.state.remembered[UNREAD_INPUT]:
        return
    inode = call.kernel.inode(number)
    size = known_size(step, inode.size)
    contents.reserve(step, number, 0, size)
    fill(step, step.state.memory.writable(contents.name_of(number)), size, "file")
    step.state.remembered[UNREAD_INPUT] = 0
    call.change(number, replace(inode, size=size))
