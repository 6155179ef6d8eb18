"""System calls about the process itself: its end, its numbers, signals, limits."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.environment.system_call import Handler, SystemCall
from unfork.logic.term import Value


def _exit(call: SystemCall) -> Value:
    call.step.halt("exit", call.int32(0))


HANDLERS: Mapping[str, Handler] = {
    "exit": _exit,
    "exit_group": _exit,
}
