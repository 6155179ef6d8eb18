"""The program's two ways into the kernel: the function ``unfork_syscall`` and the instruction ``syscall``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from unfork.engine.memory.visible_models import IN, OUT, in_kernel
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Handler as Modelled
from unfork.engine.step.numbers import read_as_number
from unfork.engine.step.operands import define
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.world.kernel import (
    linux,
    memory_calls,
    name_calls,
    open_calls,
    process_calls,
    processor,
    status_calls,
    time_calls,
    transfer_calls,
)
from unfork.world.kernel.kernel_tables import KERNEL, Undecided, kernel_of
from unfork.world.kernel.processor import operands_of
from unfork.world.kernel.system_call import CallRefused, Handler, SystemCall
from unfork.world.library.model import FunctionModel

NUMBERS = 64
MASK = (1 << 64) - 1
OF_ONE_FILE = {
    **dict.fromkeys(("read", "readv", "pread64"), OUT),
    **dict.fromkeys(("write", "writev", "pwrite64"), IN),
    "lseek": "",
}
"""System calls on one open file and no other entry of the kernel's tables, with the direction of their data."""

HANDLERS: Mapping[str, Handler] = {
    **transfer_calls.HANDLERS,
    **open_calls.HANDLERS,
    **name_calls.HANDLERS,
    **status_calls.HANDLERS,
    **memory_calls.HANDLERS,
    **time_calls.HANDLERS,
    **process_calls.HANDLERS,
}


OF_ANY_WIDTH = frozenset(
    (
        *OF_ONE_FILE,
        *("open", "openat", "creat", "close", "dup", "dup2", "dup3", "pipe", "pipe2", "ioctl", "fsync", "ftruncate"),
        *("stat", "fstat", "lstat", "newfstatat", "access", "faccessat", "getcwd", "chdir", "umask", "chmod"),
        *("unlink", "unlinkat", "rename", "renameat", "mkdir", "mkdirat", "rmdir", "link", "symlink", "readlink"),
        *("getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid"),
        *("exit", "exit_group", "kill", "tkill"),
        *("clock_gettime", "clock_nanosleep", "nanosleep", "poll", "getrandom", "getdents64", "uname"),
        *("truncate", "fchdir", "fchmod", "fcntl", "fdatasync", "sync", "copy_file_range"),
        *("set_tid_address", "sched_yield", "rt_sigprocmask"),
    )
)
"""System calls whose arguments lead to no pointer or long, but for those that are read at the program's width."""


def system_call(step: Step, words: tuple[Value, ...]) -> Value:
    """Make system call ``words[0]`` with the arguments after it (64 bits each); returns the result, or -errno."""
    number = step.concretize(words[0], 64, NUMBERS, "the number of a system call")
    name = linux.SYSTEM_CALLS.get(number, f"number {number - (number >> 63 << 64)}")
    handler = HANDLERS.get(name)
    if handler is None:
        return _not_modelled(step, name)
    if step.state.memory.is_narrow and name not in OF_ANY_WIDTH:
        step.unsupported(f"the system call {name}, where pointers have 32 bits")
    while True:
        call = SystemCall(step, name, kernel_of(step.state), words[1:])
        try:
            result = handler(call)
        except Undecided as slot:
            _decide(step, slot)
            continue
        except CallRefused as refused:
            step.state.remembered[KERNEL] = kernel_of(step.state).after_call(failed=call.failed)
            return -refused.number & MASK
        tables = replace(call.kernel, pending=kernel_of(step.state).pending)
        step.state.remembered[KERNEL] = tables.after_call(failed=call.failed)
        for stream, data in call.shown:
            step.output(stream, data)
        return result


def _decide(step: Step, slot: Undecided) -> None:
    """Choose the entry of an undecided slot; splits over the possible ones."""
    kernel = kernel_of(step.state)
    *others, (_, last) = kernel.at(slot).cases
    entry = next((entry for condition, entry in others if step.decide(condition)), last)
    step.state.remembered[KERNEL] = kernel.with_decision(slot, entry)


def _not_modelled(step: Step, name: str) -> Value:
    """Return ENOSYS, as a kernel without the call would, and report its real behaviour as unexplored."""
    kernel = kernel_of(step.state)
    if name not in kernel.not_modelled:
        step.give_up_part("unmodelled", f"the system call {name} (the program is told ENOSYS)")
        step.state.remembered[KERNEL] = replace(kernel, not_modelled=kernel.not_modelled | {name})
    return -linux.ENOSYS & MASK


# --- the function


def _unfork_syscall(step: Step, arguments: tuple[Value, ...], call: Call) -> Value:
    name = linux.SYSTEM_CALLS.get(arguments[0], "") if isinstance(arguments[0], int) else ""
    inode = _inode(step, arguments[1]) if name in OF_ONE_FILE else None
    way = "" if inode is None else OF_ONE_FILE[name]
    return read_as_number(step, in_kernel(step, inode, way, lambda: system_call(step, arguments)))


def _inode(step: Step, argument: Value) -> int | None:
    number, tables = build.trunc(argument, 64, 32), step.state.remembered[KERNEL]
    if not isinstance(number, int) or tables is None or not tables.may_be_open(number):
        return None
    try:
        entry = tables.descriptor(number)
        return None if entry is None else tables.file(entry.file).inode
    except Undecided:
        return None


# --- the instruction

_ORDER = ("ax", "di", "si", "dx", "r10", "r8", "r9")
"""The registers of a system call's number and arguments."""
_REGISTER = re.compile(r"\{([er]?)(\w+)\}")


def _syscall(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
    operands = operands_of(call)
    given: dict[str, Value] = {}
    for argument, operand, where in zip(arguments, call.arguments, operands.inputs, strict=True):
        value = define(step, argument, operand.type)
        given[_register(where)] = build.sext(value, layout.bits_of(operand.type), 64)
    result = read_as_number(step, system_call(step, tuple([given.get(name, 0) for name in _ORDER])))
    values = [result if name == "ax" else given.get(name) for name in map(_register, operands.outputs)]
    if not values:
        return None
    if len(values) > 1:
        return tuple(values)
    width = layout.bits_of(call.type.result)
    return build.trunc(result, 64, width) if width < 64 else values[0]


def _register(constraint: str) -> str:
    register = _REGISTER.fullmatch(constraint)
    if register is None:
        return constraint
    return register[2] if register[2] in _ORDER else register[1] + register[2]


MODELS: Mapping[str, FunctionModel] = {
    "unfork_syscall": FunctionModel("nnnnnnn", "l", _unfork_syscall),
    **memory_calls.HEAP_MODELS,
}
TEMPLATES: Mapping[str, Modelled] = {"syscall": _syscall, **processor.TEMPLATES}
