"""Runs the passes that take locals out of memory, and no pass that would change branches or drop faults."""

from __future__ import annotations

import re

import llvmlite.binding as llvm

from unfork.program.opaque import KEEP, opaque

KEEP_CALLS = re.compile(rf"^(?:  call void @{re.escape(KEEP)}\(.*|declare void @{re.escape(KEEP)}\(.*)\n", re.M)


def simplify(text: str) -> str:
    """The module's text after scalar replacement of its locals and removal of what computes nothing.

    The control flow stays the compiler's. Raises RuntimeError if LLVM refuses the text, which is a bug here.
    """
    module = llvm.parse_assembly(opaque(text))
    llvm.initialize_native_target()
    machine = llvm.Target.from_triple("x86_64-unknown-linux-musl").create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))
    manager = llvm.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_dead_code_elimination_pass()
    manager.run(module, builder)
    return KEEP_CALLS.sub("", str(module))
