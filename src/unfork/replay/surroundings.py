"""What a replayed program asks of its surroundings: a native run may get another answer, and go another way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.environment import kernel, linux
from unfork.execute.handlers import Handler
from unfork.execute.step import Step
from unfork.library import process_functions
from unfork.library.model import Model
from unfork.llvm.ir import Call
from unfork.state.state import RegisterValue

_GIVEN = frozenset(
    (
        *("read", "readv", "write", "writev", "close", "ioctl", "exit", "exit_group"),
        *("brk", "mmap", "munmap", "mremap", "mprotect", "madvise"),
        *("futex", "sched_yield", "rt_sigaction", "rt_sigprocmask"),
    )
)
"""System calls that are answered alike wherever a test runs: of streams that it is given, and of a process's own."""
_INSTRUCTIONS = ("syscall", "cpuid")
_FUNCTIONS = ("getenv", "secure_getenv", "time", "clock")
"""Models that answer by themselves where no C library is linked."""


class Surroundings:
    """Notes what is asked, by name. ``models`` and ``templates`` take the place of those that answer."""

    def __init__(self) -> None:
        self.asked: dict[str, None] = {}
        called = kernel.MODELS["unfork_syscall"]
        functions = {name: process_functions.MODELS[name] for name in _FUNCTIONS}
        self.models: Mapping[str, Model] = {
            "unfork_syscall": replace(called, run=self._noting_call(called.run)),
            **{name: replace(model, run=self._noting(name, model.run)) for name, model in functions.items()},
        }
        noting = {
            template: self._noting(word, run)
            for template, run in kernel.TEMPLATES.items()
            for word in _INSTRUCTIONS
            if word in template
        }
        self.templates: Mapping[str, Handler] = {**kernel.TEMPLATES, **noting}

    def _noting(self, name: str, run: Handler) -> Handler:
        def handle(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
            self.asked[name] = None
            return run(step, arguments, call)

        return handle

    def _noting_call(self, run: Handler) -> Handler:
        def handle(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
            number = arguments[0] if arguments else None
            name = linux.SYSTEM_CALLS.get(number, "a system call") if isinstance(number, int) else "a system call"
            if name not in _GIVEN:
                self.asked[name] = None
            return run(step, arguments, call)

        return handle
