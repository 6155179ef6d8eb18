"""The file of a fuzzer's input: its contents are made when a call first needs them."""

from __future__ import annotations

from dataclasses import replace

from unfork.engine.step.step import Step
from unfork.world.kernel import contents
from unfork.world.kernel.kernel_tables import Inode, Kernel
from unfork.world.library.fuzz_input import DATA, UNREAD_INPUT, fill, input_size, known_size


def inode_of_input(step: Step, tree: Kernel) -> tuple[Kernel, int]:
    """The kernel with the inode of the input, of an unknown size, without contents; and its number."""
    tree, number = tree.with_new_inode(Inode("file", 0o644, size=input_size(step, "file")))
    contents.create(step, number, DATA)
    step.state.remembered[UNREAD_INPUT] = number
    return tree, number


def settled(step: Step, tree: Kernel, number: int) -> Kernel:
    """The kernel in which the size of the inode is known, and its contents, if it is that of the input."""
    if not number or number != step.state.remembered[UNREAD_INPUT]:
        return tree
    inode = tree.inode(number)
    size = known_size(step, inode.size)
    contents.reserve(step, number, 0, size)
    fill(step, step.state.memory.writable(contents.name_of(number)), size, "file")
    step.state.remembered[UNREAD_INPUT] = 0
    return tree.with_inode(number, replace(inode, size=size))
