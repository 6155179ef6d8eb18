"""System calls about time, and waits. The clock starts at a fixed moment; each query advances it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

from unfork.engine.memory.loads import load, store
from unfork.engine.memory.visible_models import touch
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import START, TICK
from unfork.world.kernel.system_call import (
    SECOND,
    CallRefused,
    Handler,
    SystemCall,
    least,
    moment,
    read_moment,
    with_arguments,
    write_record,
)

REALTIME = (0, 5, 11)
MONOTONIC = (1, 4, 6, 7)
PROCESSOR = (2, 3)
SINCE_BOOT = 1000 * SECOND
"""Nanoseconds from boot to the program's start."""
LONGEST_SLEEP = 1 << 33
"""Longest sleep, in seconds; longer ones end then."""
LATEST_TIME = (2**63 - 1) // SECOND - 30 * 365 * 24 * 3600
"""Seconds since 1970: the latest time that Linux lets its clock be set to, 30 years before it overflows."""
TICKS_PER_SECOND = 100
TIMER_ABSTIME = 1


def tick(call: SystemCall) -> Value:
    """The time, a tick later than before."""
    call.kernel = replace(call.kernel, clock=build.add(call.kernel.clock, TICK, 64))
    return call.kernel.clock


def _clock_gettime(call: SystemCall) -> Value:
    time = _read_clock(call, call.number(0, "the clock"))
    write_record(call.step, call.arguments[1], 16, moment(0, time))
    return 0


def _read_clock(call: SystemCall, clock: int) -> Value:
    if clock in REALTIME:
        return tick(call)
    running = build.sub(tick(call), START, 64)
    if clock in MONOTONIC:
        return build.add(running, SINCE_BOOT, 64)
    if clock in PROCESSOR:
        return running
    raise CallRefused(linux.EINVAL)


def _clock_getres(call: SystemCall) -> Value:
    if call.number(0, "the clock") not in (*REALTIME, *MONOTONIC, *PROCESSOR):
        raise CallRefused(linux.EINVAL)
    if call.is_given(1):
        write_record(call.step, call.arguments[1], 16, moment(0, 1))
    return 0


def _gettimeofday(call: SystemCall) -> Value:
    step = call.step
    time = tick(call)
    if call.is_given(0):
        _write_timeval(call, call.arguments[0], time)
    if call.is_given(1):
        write_record(step, call.arguments[1], 8, [])
    return 0


def _write_timeval(call: SystemCall, pointer: Value, time: Value) -> None:
    (_, _, seconds), (_, _, rest) = moment(0, time)
    write_record(call.step, pointer, 16, [(0, 8, seconds), (8, 8, build.udiv(rest, 1000, 64))])


def _time(call: SystemCall) -> Value:
    seconds = build.udiv(tick(call), SECOND, 64)
    if call.is_given(0):
        touch(call.step, call.arguments[0], 8, writes=True)
        store(call.step, call.arguments[0], seconds, 8)
    return seconds


def _times(call: SystemCall) -> Value:
    """All time is the program's own."""
    running = build.sub(tick(call), START, 64)
    ticks = build.udiv(running, SECOND // TICKS_PER_SECOND, 64)
    if call.is_given(0):
        write_record(call.step, call.arguments[0], 32, [(0, 8, ticks)])
    return build.add(ticks, SINCE_BOOT // SECOND * TICKS_PER_SECOND, 64)


def _getrusage(call: SystemCall) -> Value:
    who = call.number(0, "whose use")
    if who not in (0, 1, -1):
        raise CallRefused(linux.EINVAL)
    time = 0 if who == -1 else build.sub(tick(call), START, 64)
    write_record(call.step, call.arguments[1], 144, [])
    _write_timeval(call, call.arguments[1], time)
    return 0


# --- setting the clock, which needs a superuser


def _clock_settime(call: SystemCall) -> Value:
    if call.number(0, "the clock") != REALTIME[0]:
        raise CallRefused(linux.EINVAL)
    return _set_time(call, 1, SECOND)


def _settimeofday(call: SystemCall) -> Value:
    if call.step.decide(build.eq(call.arguments[0], 0, 64)):
        raise CallRefused(linux.EPERM)
    return _set_time(call, 0, 10**6)


def _set_time(call: SystemCall, position: int, unit: int) -> Value:
    """Refused: EINVAL for an invalid time, EPERM for a valid one."""
    seconds, rest = read_moment(call.step, call.arguments[position])
    valid = build.both(build.ult(seconds, LATEST_TIME, 64), build.ult(rest, unit, 64))
    raise CallRefused(linux.EPERM if call.step.decide(valid) else linux.EINVAL)


# --- sleeping


def _clock_nanosleep(call: SystemCall) -> Value:
    if call.number(0, "the clock") not in (*REALTIME, *MONOTONIC):
        raise CallRefused(linux.EINVAL)
    if call.number(1, "the flags") & TIMER_ABSTIME:
        call.step.unsupported("clock_nanosleep until a moment")
    seconds, nanoseconds = read_moment(call.step, call.arguments[2])
    valid = build.both(build.sge(seconds, 0, 64), build.ult(nanoseconds, SECOND, 64))
    call.refuse_if(build.negate(valid), linux.EINVAL)
    _pass_time(call, build.add(build.mul(least(seconds, LONGEST_SLEEP), SECOND, 64), nanoseconds, 64))
    return 0


def _pass_time(call: SystemCall, nanoseconds: Value) -> None:
    call.kernel = replace(call.kernel, clock=build.add(call.kernel.clock, nanoseconds, 64))


# --- waits for descriptors: files are always ready; a pipe's buffer decides

POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 0x10, 0x20
POLLRDNORM, POLLWRNORM = 0x40, 0x100
READABLE, WRITABLE = POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM
POLL_RECORD = 8


def events_of(call: SystemCall, descriptor: int) -> int:
    """The poll bits of a descriptor that is ready without waiting; splits on whether a pipe is empty."""
    entry = call.kernel.descriptor(descriptor)
    if entry is None:
        return POLLNVAL
    file = call.kernel.file(entry.file)
    inode = call.kernel.inode(file.inode)
    if inode.sort == "output":
        return WRITABLE
    if inode.sort != "pipe":
        return READABLE | WRITABLE
    openings = call.kernel.openings(file.inode)
    if not file.is_read_only:
        return WRITABLE if any(opening.is_read_only for opening in openings) else WRITABLE | POLLERR
    events = 0 if call.step.decide(build.eq(inode.size, inode.consumed, 64)) else READABLE
    return events if any(not opening.is_read_only for opening in openings) else events | POLLHUP


def _for_ever(call: SystemCall) -> NoReturn:
    call.step.unsupported(f"{call.name} without a limit on descriptors that never get ready")


# --- poll


def _poll(call: SystemCall) -> Value:
    timeout = call.number(2, "the time limit")
    return _poll_within(call, None if timeout < 0 else timeout * 10**6)


def _limit_at(call: SystemCall, position: int) -> Value | None:
    """The nanoseconds of a struct timespec argument; None for a null pointer: no limit."""
    if call.step.decide(build.eq(call.arguments[position], 0, 64)):
        return None
    seconds, rest = read_moment(call.step, call.arguments[position])
    return build.add(build.mul(seconds, SECOND, 64), rest, 64)


def _poll_within(call: SystemCall, limit: Value | None) -> Value:
    step = call.step
    count = call.long_number(1, "the number of descriptors")
    if count > linux.OPEN_MAX:
        raise CallRefused(linux.EINVAL)
    answers = []
    for index in range(count):
        record = build.add(call.arguments[0], POLL_RECORD * index, 64)
        descriptor = step.concretize(load(step, record, 4), 32, 64, "a descriptor given to poll")
        wanted = step.concretize(load(step, build.add(record, 4, 64), 2), 16, 64, "the events given to poll")
        ready = 0
        if not descriptor >> 31:
            ready = events_of(call, descriptor) & (wanted | POLLERR | POLLHUP | POLLNVAL)
        answers.append((record, ready))
    ready_count = sum(1 for _, ready in answers if ready)
    if not ready_count and limit is None:
        _for_ever(call)
    for record, ready in answers:
        store(step, build.add(record, 6, 64), ready, 2)
    if not ready_count:
        _pass_time(call, limit or 0)
    return ready_count


# --- select


def _select(call: SystemCall) -> Value:
    step = call.step
    limit: Value | None = None
    if call.is_given(4):
        seconds, micro = read_moment(step, call.arguments[4])
        limit = build.add(build.mul(seconds, SECOND, 64), build.mul(micro, 1000, 64), 64)
    return _select_within(call, limit)


def _select_within(call: SystemCall, limit: Value | None) -> Value:
    step = call.step
    count = call.number(0, "the number of descriptors")
    if not 0 <= count <= linux.OPEN_MAX:
        raise CallRefused(linux.EINVAL)
    size = (count + 63) // 64 * 8
    ready_count, answers = 0, []
    for position, ready_bits in ((1, READABLE | POLLHUP), (2, WRITABLE | POLLERR), (3, POLLPRI)):
        if not size or step.decide(build.eq(call.arguments[position], 0, 64)):
            continue
        wanted = step.concretize(load(step, call.arguments[position], size), 8 * size, 64, "a set given to select")
        ready = 0
        for descriptor in range(count):
            if wanted >> descriptor & 1:
                events = events_of(call, descriptor)
                if events == POLLNVAL:
                    raise CallRefused(linux.EBADF)
                ready |= bool(events & ready_bits) << descriptor
        ready_count += ready.bit_count()
        answers.append((position, ready))
    if not ready_count and limit is None:
        _for_ever(call)
    for position, ready in answers:
        store(step, call.arguments[position], ready, size)
    if not ready_count:
        _pass_time(call, limit or 0)
    return ready_count


HANDLERS: Mapping[str, Handler] = {
    "clock_gettime": _clock_gettime,
    "clock_getres": _clock_getres,
    "gettimeofday": _gettimeofday,
    "time": _time,
    "times": _times,
    "getrusage": _getrusage,
    "clock_settime": _clock_settime,
    "settimeofday": _settimeofday,
    "nanosleep": with_arguments(_clock_nanosleep, lambda time, *_: (REALTIME[0], 0, time)),
    "clock_nanosleep": _clock_nanosleep,
    "poll": _poll,
    "ppoll": lambda call: _poll_within(call, _limit_at(call, 2)),
    "select": _select,
    "pselect6": lambda call: _select_within(call, _limit_at(call, 4)),
}
