"""System calls about the process itself (its end, ids, limits, signals) and about the machine.

The kernel keeps actions and masks of signals, but no signal comes from outside, and no handler runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.engine.memory.loads import load
from unfork.engine.memory.ranges import pin_offset, writable
from unfork.engine.memory.visible_models import touch
from unfork.engine.state.threads import THREADS
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import USER
from unfork.world.kernel.system_call import (
    CallRefused,
    Field,
    Handler,
    SystemCall,
    always,
    refuses,
    with_arguments,
    write_record,
)
from unfork.world.library.process_functions import abort

PROCESS, PARENT = 1000, 1
WORD = INFINITY = (1 << 64) - 1
STACK_LIMIT, FILE_LIMIT = 3, 7
DEFAULT_LIMITS: dict[int, tuple[int, int]] = {STACK_LIMIT: (8 << 20, INFINITY), FILE_LIMIT: (linux.OPEN_MAX, 4096)}
LIMITS = 16
FUTEX_WAIT, FUTEX_WAKE, FUTEX_COMMAND = 0, 1, 0x7F
MOST_RANDOM = 256
RANDOM = "random"
HIGHEST = 20
"""The kernel's number for the highest priority, nice -20."""
PR_SET_NAME = 15
UNAME = (b"Linux", b"unfork", b"6.1.0", b"#1 SMP", b"x86_64", b"(none)")
UNAME_FIELD = 65
UPTIME, MEMORY = 1000, 1 << 32
"""Seconds since boot, bytes of main memory."""


def _exit(call: SystemCall) -> Value:
    call.step.halt("exit", call.int32(0))


# --- ids


def _set_ids(count: int) -> Handler:
    """A call that sets ``count`` ids. Only the process's own are allowed; -1 leaves an id unchanged."""

    def become(call: SystemCall) -> Value:
        wanted = [call.number(position, "an id") for position in range(count)]
        if any(identity not in (-1, USER) for identity in wanted):
            raise CallRefused(linux.EPERM)
        return 0

    return become


def _three_ids(call: SystemCall) -> Value:
    for pointer in call.arguments[:3]:
        write_record(call.step, pointer, 4, [(0, 4, USER)])
    return 0


def _of_process(answer: int) -> Handler:
    """A call about a process by number: the only one, also known as 0."""

    def run(call: SystemCall) -> Value:
        if call.number(0, "the process") not in (0, PROCESS):
            raise CallRefused(linux.ESRCH)
        return answer

    return run


def _setpgid(call: SystemCall) -> Value:
    """The process leads its session, so its group cannot change."""
    process = call.number(0, "the process")
    group = call.number(1, "the group") or process
    if group < 0:
        raise CallRefused(linux.EINVAL)
    raise CallRefused(linux.EPERM if process in (0, PROCESS) else linux.ESRCH)


# --- priority


def _whose(call: SystemCall) -> None:
    """Check that the arguments name the program: its process, group or user, or 0 for the caller's own."""
    numbers = {0: PROCESS, 1: PROCESS, 2: USER}
    only = numbers.get(call.number(0, "the kind"))
    if only is None:
        raise CallRefused(linux.EINVAL)
    if call.number(1, "the number") not in (0, only):
        raise CallRefused(linux.ESRCH)


def _getpriority(call: SystemCall) -> Value:
    """The kernel's answer is positive: 40 for the highest priority, 1 for the lowest."""
    _whose(call)
    return build.sub(HIGHEST, call.kernel.nice, 64)


def _setpriority(call: SystemCall) -> Value:
    """Numbers out of range become the nearest in range. Only a superuser may become less nice."""
    _whose(call)
    wanted = build.sext(call.int32(2), 32, 64)
    lowest, highest = HIGHEST - 1, -HIGHEST & WORD
    wanted = build.ite(build.slt(lowest, wanted, 64), lowest, wanted, 64)
    wanted = build.ite(build.slt(wanted, highest, 64), highest, wanted, 64)
    call.refuse_if(build.slt(wanted, call.kernel.nice, 64), linux.EACCES)
    call.kernel = replace(call.kernel, nice=wanted)
    return 0


# --- the machine


def _uname(call: SystemCall) -> Value:
    fields: list[Field] = [
        (UNAME_FIELD * index + position, 1, byte)
        for index, text in enumerate(UNAME)
        for position, byte in enumerate(text)
    ]
    write_record(call.step, call.arguments[0], UNAME_FIELD * len(UNAME), fields)
    return 0


def _sysinfo(call: SystemCall) -> Value:
    """Half of the memory is free; there is no swap; the program is the only process."""
    fields: list[Field] = [(0, 8, UPTIME), (32, 8, MEMORY), (40, 8, MEMORY // 2), (80, 2, 1), (104, 4, 1)]
    write_record(call.step, call.arguments[0], 112, fields)
    return 0


def _sched_getaffinity(call: SystemCall) -> Value:
    call.refuse_if(build.ult(call.arguments[1], 8, 64), linux.EINVAL)
    write_record(call.step, call.arguments[2], 8, [(0, 8, 1)])
    return 8


def _prctl(call: SystemCall) -> Value:
    if call.number(0, "the option") == PR_SET_NAME:
        return 0
    call.step.unsupported("prctl for anything but the process's name")


# --- limits


def _prlimit64(call: SystemCall) -> Value:
    """Limits are stored but not enforced."""
    if call.number(0, "the process") not in (0, PROCESS):
        raise CallRefused(linux.ESRCH)
    step = call.step
    number = call.number(1, "the limit")
    if not 0 <= number < LIMITS:
        raise CallRefused(linux.EINVAL)
    table = dict(call.kernel.limits)
    before = table.get(number) or DEFAULT_LIMITS.get(number, (INFINITY, INFINITY))
    if call.is_given(2):
        new = call.arguments[2]
        soft, hard = load(step, new, 8), load(step, build.add(new, 8, 64), 8)
        call.refuse_if(build.ugt(soft, hard, 64), linux.EINVAL)
        call.refuse_if(build.ugt(hard, before[1], 64), linux.EPERM)
        table[number] = (soft, hard)
        call.kernel = replace(call.kernel, limits=tuple(sorted(table.items(), key=lambda entry: entry[0])))
    if call.is_given(3):
        write_record(step, call.arguments[3], 16, [(0, 8, before[0]), (8, 8, before[1])])
    return 0


# --- waits for other threads


def _futex(call: SystemCall) -> Value:
    """world/library/locks.py models waits for threads: here no other thread runs, and none can be woken."""
    step = call.step
    command = call.number(1, "the operation") & FUTEX_COMMAND
    if command == FUTEX_WAKE:
        return 0
    if command != FUTEX_WAIT:
        step.unsupported(f"futex operation {command}")
    same = build.eq(load(step, call.arguments[0], 4), call.int32(2), 32)
    call.refuse_if(build.negate(same), linux.EAGAIN)
    step.unsupported("waiting for another thread, which is for ever,")


# --- random bytes


def _getrandom(call: SystemCall) -> Value:
    length = call.step.concretize(call.arguments[1], 64, 64, "the number of random bytes")
    return random_bytes(call, call.arguments[0], length)


def random_bytes(call: SystemCall, target: Value, length: int) -> Value:
    """Fill memory with random bytes; returns their number: at most 256, which Linux may do too. They are inputs,
    since a program must work for any.
    """
    step = call.step
    count = min(length, MOST_RANDOM)
    location = writable(step, target, count)
    if location is None:
        return 0
    start = pin_offset(step, location)
    touch(step, target, count, writes=True)
    for position in range(count):
        byte = step.fresh("random", 8, RANDOM)
        step.state.memory.writable(location.number).write(start + position, 1, byte)
    return count


def _getgroups(call: SystemCall) -> Value:
    if call.step.decide(build.ne(call.int32(0), 0, 32)):
        write_record(call.step, call.arguments[1], 4, [(0, 4, USER)])
    return 1


# --- signals

SIGABRT, SIGKILL, SIGCHLD, SIGCONT, SIGSTOP, SIGURG, SIGWINCH = 6, 9, 17, 18, 19, 23, 28
SIGNALS = 64
DEFAULT, IGNORE = 0, 1
HARMLESS = (SIGCHLD, SIGCONT, SIGURG, SIGWINCH)
"""Signals whose default action does nothing."""
UNBLOCKABLE = 1 << (SIGKILL - 1) | 1 << (SIGSTOP - 1)
MASK_64 = (1 << 64) - 1
WORDS = 4
"""Words of the kernel's struct sigaction: handler, flags, restorer, mask."""
NO_ACTION: tuple[Value, ...] = (DEFAULT, 0, 0, 0)


def _sigaction(call: SystemCall) -> Value:
    step = call.step
    signal = call.number(0, "the signal")
    if not 1 <= signal <= SIGNALS:
        raise CallRefused(linux.EINVAL)
    actions = dict(call.kernel.handlers)
    before = actions.get(signal, NO_ACTION)
    if call.is_given(1):
        if signal in (SIGKILL, SIGSTOP):
            raise CallRefused(linux.EINVAL)
        actions[signal] = tuple([load(step, build.add(call.arguments[1], 8 * i, 64), 8) for i in range(WORDS)])
        call.kernel = replace(call.kernel, handlers=tuple(sorted(actions.items(), key=lambda action: action[0])))
    if call.is_given(2):
        write_record(step, call.arguments[2], 8 * WORDS, [(8 * i, 8, word) for i, word in enumerate(before)])
    return 0


def _sigprocmask(call: SystemCall) -> Value:
    step = call.step
    before = call.kernel.blocked
    if call.is_given(1):
        if step.are_several(step.state):
            step.unsupported("the mask of signals of one of several threads")
        given = load(step, call.arguments[1], 8)
        match call.number(0, "how"):
            case linux.SIG_BLOCK:
                after = build.or_(before, given, 64)
            case linux.SIG_UNBLOCK:
                after = build.and_(before, build.not_(given, 64), 64)
            case linux.SIG_SETMASK:
                after = given
            case _:
                raise CallRefused(linux.EINVAL)
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


def _tgkill(call: SystemCall) -> Value:
    """The signal acts at once, even if blocked: no other thread could unblock it."""
    signal = call.number(2, "the signal")
    if any(call.number(position, "the process") not in (PROCESS, 0) for position in (0, 1)):
        raise CallRefused(linux.ESRCH)
    if not 0 <= signal <= SIGNALS:
        raise CallRefused(linux.EINVAL)
    if signal == 0:
        return 0
    handler = dict(call.kernel.handlers).get(signal, NO_ACTION)[0]
    if isinstance(handler, Term) or handler not in (DEFAULT, IGNORE):
        call.step.unsupported(f"a handler of signal {signal}")
    if handler == IGNORE or (handler == DEFAULT and signal in HARMLESS):
        return 0
    if signal == SIGABRT:
        abort(call.step)
    call.step.unsupported(f"the end of the program by signal {signal}")


def _gettid(call: SystemCall) -> Value:
    threads = call.step.state.remembered[THREADS]
    return PROCESS + (0 if threads is None else threads.running)


def _wait_for_ever(call: SystemCall) -> Value:
    call.step.unsupported("waiting for a signal, which is for ever,")


HANDLERS: Mapping[str, Handler] = {
    "exit": _exit,
    "exit_group": _exit,
    "getpid": always(PROCESS),
    "gettid": _gettid,
    "set_tid_address": always(PROCESS),
    "getppid": always(PARENT),
    "getpgrp": always(PROCESS),
    "getpgid": _of_process(PROCESS),
    "getsid": _of_process(PROCESS),
    **dict.fromkeys(["getuid", "geteuid", "getgid", "getegid"], always(USER)),
    **dict.fromkeys(["getresuid", "getresgid"], _three_ids),
    **dict.fromkeys(["setuid", "setgid"], _set_ids(1)),
    **dict.fromkeys(["setreuid", "setregid"], _set_ids(2)),
    **dict.fromkeys(["setresuid", "setresgid"], _set_ids(3)),
    "getgroups": _getgroups,
    "setpgid": _setpgid,
    "setsid": refuses(linux.EPERM),
    "getpriority": _getpriority,
    "setpriority": _setpriority,
    "uname": _uname,
    "sysinfo": _sysinfo,
    "sched_yield": always(0),
    "sched_getaffinity": _sched_getaffinity,
    "set_robust_list": always(0),
    "arch_prctl": always(0),
    "prctl": _prctl,
    "prlimit64": _prlimit64,
    "getrlimit": with_arguments(_prlimit64, lambda number, record, *_: (0, number, 0, record)),
    "setrlimit": with_arguments(_prlimit64, lambda number, record, *_: (0, number, record, 0)),
    "futex": _futex,
    "getrandom": _getrandom,
    **dict.fromkeys(["wait4", "waitid"], refuses(linux.ECHILD)),  # it has no children
    "rt_sigaction": _sigaction,
    "rt_sigprocmask": _sigprocmask,
    "rt_sigpending": _sigpending,
    "sigaltstack": _sigaltstack,
    **dict.fromkeys(["kill", "tkill"], with_arguments(_tgkill, lambda process, signal, *_: (process, 0, signal))),
    "tgkill": _tgkill,
    "pause": _wait_for_ever,
    "rt_sigsuspend": _wait_for_ever,
}
