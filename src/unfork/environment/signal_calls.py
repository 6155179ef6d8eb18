"""System calls about signals. Actions and masks are remembered; no signal comes from outside, no handler runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.environment import linux
from unfork.environment.process_calls import PROCESS
from unfork.environment.records import write_record
from unfork.environment.system_call import Handler, Refused, SystemCall
from unfork.execute.loads import load
from unfork.library.process_functions import end_by_abort
from unfork.logic import build
from unfork.logic.term import Term, Value

SIGABRT, SIGKILL, SIGCHLD, SIGCONT, SIGSTOP, SIGURG, SIGWINCH = 6, 9, 17, 18, 19, 23, 28
SIGNALS = 64
DEFAULT, IGNORE = 0, 1
HARMLESS = (SIGCHLD, SIGCONT, SIGURG, SIGWINCH)
"""Signals that do nothing unless the program asks for them."""
UNBLOCKABLE = 1 << (SIGKILL - 1) | 1 << (SIGSTOP - 1)
MASK_64 = (1 << 64) - 1
WORDS = 4
"""Words of the kernel's struct sigaction: handler, flags, restorer, mask."""
NO_ACTION: tuple[Value, ...] = (DEFAULT, 0, 0, 0)


def _sigaction(call: SystemCall) -> Value:
    step = call.step
    signal = call.known(0, "the signal")
    if not 1 <= signal <= SIGNALS:
        raise Refused(linux.EINVAL)
    actions = dict(call.kernel.handlers)
    before = actions.get(signal, NO_ACTION)
    if call.is_given(1):
        if signal in (SIGKILL, SIGSTOP):
            raise Refused(linux.EINVAL)
        actions[signal] = tuple([load(step, build.add(call.arguments[1], 8 * i, 64), 8) for i in range(WORDS)])
        call.kernel = replace(call.kernel, handlers=tuple(sorted(actions.items(), key=lambda action: action[0])))
    if call.is_given(2):
        write_record(step, call.arguments[2], 8 * WORDS, [(8 * i, 8, word) for i, word in enumerate(before)])
    return 0


def _sigprocmask(call: SystemCall) -> Value:
    step = call.step
    before = call.kernel.blocked
    if call.is_given(1):
        given = load(step, call.arguments[1], 8)
        match call.known(0, "how"):
            case linux.SIG_BLOCK:
                after = build.or_(before, given, 64)
            case linux.SIG_UNBLOCK:
                after = build.and_(before, build.not_(given, 64), 64)
            case linux.SIG_SETMASK:
                after = given
            case _:
                raise Refused(linux.EINVAL)
        call.kernel = replace(call.kernel, blocked=build.and_(after, MASK_64 ^ UNBLOCKABLE, 64))
    if call.is_given(2):
        write_record(step, call.arguments[2], 8, [(0, 8, before)])
    return 0


def _sigpending(call: SystemCall) -> Value:
    write_record(call.step, call.arguments[0], 8, [])
    return 0


def _sigaltstack(call: SystemCall) -> Value:
    step = call.step
    pointer, flags, size = call.kernel.signal_stack
    if call.is_given(0):
        base = call.arguments[0]
        given = load(step, base, 8), load(step, build.add(base, 8, 64), 4), load(step, build.add(base, 16, 64), 8)
        call.kernel = replace(call.kernel, signal_stack=(given[0], build.zext(given[1], 32, 64), given[2]))
    if call.is_given(1):
        write_record(step, call.arguments[1], 24, [(0, 8, pointer), (8, 4, flags), (16, 8, size)])
    return 0


# --- signals to oneself


def _send(call: SystemCall, targets: tuple[int, ...], signal_at: int) -> Value:
    """The signal acts at once, even if it is blocked: nobody else could unblock it."""
    signal = call.known(signal_at, "the signal")
    if any(call.known(position, "the process") not in (PROCESS, 0) for position in targets):
        raise Refused(linux.ESRCH)
    if not 0 <= signal <= SIGNALS:
        raise Refused(linux.EINVAL)
    if signal == 0:
        return 0
    handler = dict(call.kernel.handlers).get(signal, NO_ACTION)[0]
    if isinstance(handler, Term) or handler not in (DEFAULT, IGNORE):
        call.step.unsupported(f"a handler of signal {signal}")
    if handler == IGNORE or (handler == DEFAULT and signal in HARMLESS):
        return 0
    if signal == SIGABRT:
        end_by_abort(call.step)
    call.step.unsupported(f"the end of the program by signal {signal}")


def _wait_for_ever(call: SystemCall) -> Value:
    call.step.unsupported("waiting for a signal, which is for ever,")


HANDLERS: Mapping[str, Handler] = {
    "rt_sigaction": _sigaction,
    "rt_sigprocmask": _sigprocmask,
    "rt_sigpending": _sigpending,
    "sigaltstack": _sigaltstack,
    "kill": lambda call: _send(call, (0,), 1),
    "tkill": lambda call: _send(call, (0,), 1),
    "tgkill": lambda call: _send(call, (0, 1), 2),
    "pause": _wait_for_ever,
    "rt_sigsuspend": _wait_for_ever,
}
