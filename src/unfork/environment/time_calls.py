"""System calls about time. The clock starts at a fixed moment; it advances when it is read and during sleep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.environment import linux
from unfork.environment.kernel_tables import START, TICK, USER
from unfork.environment.paths import WRITE, permits
from unfork.environment.status_calls import at
from unfork.environment.system_call import (
    SECOND,
    Handler,
    Refused,
    SystemCall,
    least,
    moment,
    read_moment,
    write_record,
)
from unfork.execute.loads import store
from unfork.logic import build
from unfork.logic.term import Value

REALTIME = (0, 5, 11)
MONOTONIC = (1, 4, 6, 7)
PROCESSOR = (2, 3)
SINCE_BOOT = 1000 * SECOND
"""Nanoseconds from boot to the program's start."""
LONGEST_SLEEP = 1 << 33
"""Seconds; a longer sleep ends after that many."""
LATEST_TIME = (2**63 - 1) // SECOND - 30 * 365 * 24 * 3600
"""Seconds since 1970: the latest time that Linux lets its clock be set to, 30 years before it overflows."""
TICKS_PER_SECOND = 100
TIMER_ABSTIME = 1
UTIME_NOW, UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2


def _now(call: SystemCall) -> Value:
    """The time, a tick later than before."""
    call.kernel = replace(call.kernel, clock=build.add(call.kernel.clock, TICK, 64))
    return call.kernel.clock


def _clock_gettime(call: SystemCall) -> Value:
    time = _read_clock(call, call.known(0, "the clock"))
    write_record(call.step, call.arguments[1], 16, moment(0, time))
    return 0


def _read_clock(call: SystemCall, clock: int) -> Value:
    if clock in REALTIME:
        return _now(call)
    running = build.sub(_now(call), START, 64)
    if clock in MONOTONIC:
        return build.add(running, SINCE_BOOT, 64)
    if clock in PROCESSOR:
        return running
    raise Refused(linux.EINVAL)


def _clock_getres(call: SystemCall) -> Value:
    if call.known(0, "the clock") not in (*REALTIME, *MONOTONIC, *PROCESSOR):
        raise Refused(linux.EINVAL)
    if call.is_given(1):
        write_record(call.step, call.arguments[1], 16, moment(0, 1))
    return 0


def _gettimeofday(call: SystemCall) -> Value:
    step = call.step
    time = _now(call)
    if call.is_given(0):
        _write_timeval(call, call.arguments[0], time)
    if call.is_given(1):
        write_record(step, call.arguments[1], 8, [])
    return 0


def _write_timeval(call: SystemCall, pointer: Value, time: Value) -> None:
    (_, _, seconds), (_, _, rest) = moment(0, time)
    write_record(call.step, pointer, 16, [(0, 8, seconds), (8, 8, build.udiv(rest, 1000, 64))])


def _time(call: SystemCall) -> Value:
    seconds = build.udiv(_now(call), SECOND, 64)
    if call.is_given(0):
        store(call.step, call.arguments[0], seconds, 8)
    return seconds


def _times(call: SystemCall) -> Value:
    """All the time is the program's own."""
    running = build.sub(_now(call), START, 64)
    ticks = build.udiv(running, SECOND // TICKS_PER_SECOND, 64)
    if call.is_given(0):
        write_record(call.step, call.arguments[0], 32, [(0, 8, ticks)])
    return build.add(ticks, SINCE_BOOT // SECOND * TICKS_PER_SECOND, 64)


def _getrusage(call: SystemCall) -> Value:
    """All the time is the program's own."""
    who = call.known(0, "whose use")
    if who not in (0, 1, -1):
        raise Refused(linux.EINVAL)
    time = 0 if who == -1 else build.sub(_now(call), START, 64)
    write_record(call.step, call.arguments[1], 144, [])
    _write_timeval(call, call.arguments[1], time)
    return 0


# --- setting the clock, which only a superuser may


def _clock_settime(call: SystemCall) -> Value:
    if call.known(0, "the clock") != REALTIME[0]:
        raise Refused(linux.EINVAL)
    return _set_time(call, 1, SECOND)


def _settimeofday(call: SystemCall) -> Value:
    if call.step.decide(build.eq(call.arguments[0], 0, 64)):
        raise Refused(linux.EPERM)
    return _set_time(call, 0, 10**6)


def _set_time(call: SystemCall, position: int, unit: int) -> Value:
    """Refused: with EINVAL for an invalid time, with EPERM for a valid one."""
    seconds, rest = read_moment(call.step, call.arguments[position])
    valid = build.both(build.ult(seconds, LATEST_TIME, 64), build.ult(rest, unit, 64))
    raise Refused(linux.EPERM if call.step.decide(valid) else linux.EINVAL)


# --- sleeping


def _clock_nanosleep(call: SystemCall) -> Value:
    if call.known(0, "the clock") not in (*REALTIME, *MONOTONIC):
        raise Refused(linux.EINVAL)
    if call.known(1, "the flags") & TIMER_ABSTIME:
        call.step.unsupported("clock_nanosleep until a moment")
    return _sleep(call, 2)


def _sleep(call: SystemCall, position: int) -> Value:
    seconds, nanoseconds = read_moment(call.step, call.arguments[position])
    valid = build.both(build.sge(seconds, 0, 64), build.ult(nanoseconds, SECOND, 64))
    call.refuse_if(build.negate(valid), linux.EINVAL)
    pass_time(call, build.add(build.mul(least(seconds, LONGEST_SLEEP), SECOND, 64), nanoseconds, 64))
    return 0


def pass_time(call: SystemCall, nanoseconds: Value) -> None:
    """Advance the clock by ``nanoseconds`` (64 bits)."""
    call.kernel = replace(call.kernel, clock=build.add(call.kernel.clock, nanoseconds, 64))


# --- times of files


def _utimensat(call: SystemCall) -> Value:
    step = call.step
    if step.decide(build.eq(call.arguments[1], 0, 64)):
        number = call.opened(0)[1].inode
    else:
        number = at(call, 1, 0, call.known(3, "the flags"))
    inode = call.kernel.inode(number)
    now = _now(call)
    accessed = modified = now
    if call.is_given(2):
        accessed = _wanted(call, 0, inode.accessed, now)
        modified = _wanted(call, 16, inode.modified, now)
        if inode.owner != USER and (accessed is not now or modified is not now):
            raise Refused(linux.EPERM)
    if inode.owner != USER and not permits(inode, WRITE):
        raise Refused(linux.EACCES)
    call.change(number, replace(inode, accessed=accessed, modified=modified, changed=now))
    return 0


def _wanted(call: SystemCall, offset: int, before: Value, now: Value) -> Value:
    seconds, nanoseconds = read_moment(call.step, build.add(call.arguments[2], offset, 64))
    if call.step.decide(build.eq(nanoseconds, UTIME_NOW, 64)):
        return now
    if call.step.decide(build.eq(nanoseconds, UTIME_OMIT, 64)):
        return before
    call.refuse_if(build.uge(nanoseconds, SECOND, 64), linux.EINVAL)
    in_range = build.ule(seconds, LONGEST_SLEEP, 64)
    call.step.limit(in_range, "capacity", "a time of a file before 1970 or after 2242")
    return build.add(build.mul(seconds, SECOND, 64), nanoseconds, 64)


HANDLERS: Mapping[str, Handler] = {
    "clock_gettime": _clock_gettime,
    "clock_getres": _clock_getres,
    "gettimeofday": _gettimeofday,
    "time": _time,
    "times": _times,
    "getrusage": _getrusage,
    "clock_settime": _clock_settime,
    "settimeofday": _settimeofday,
    "nanosleep": lambda call: _sleep(call, 0),
    "clock_nanosleep": _clock_nanosleep,
    "utimensat": _utimensat,
}
