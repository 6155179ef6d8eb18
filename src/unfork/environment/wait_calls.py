"""System calls that wait for descriptors: poll and select. Files are always ready; for a pipe, its buffer decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from unfork.environment import linux
from unfork.environment.kernel_tables import OpenFile
from unfork.environment.system_call import SECOND, Handler, Refused, SystemCall, read_moment
from unfork.environment.time_calls import pass_time
from unfork.execute.loads import load, store
from unfork.logic import build
from unfork.logic.term import Value

POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 0x10, 0x20
POLLRDNORM, POLLWRNORM = 0x40, 0x100
READABLE, WRITABLE = POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM
POLL_RECORD = 8


def events_of(call: SystemCall, descriptor: int) -> int:
    """What can be done with a descriptor without waiting, as poll's bits; splits over whether a pipe is empty."""
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
    if _writes(file):
        return WRITABLE if any(not _writes(opening) for opening in openings) else WRITABLE | POLLERR
    events = 0 if call.step.decide(build.eq(inode.size, inode.consumed, 64)) else READABLE
    return events if any(_writes(opening) for opening in openings) else events | POLLHUP


def _writes(file: OpenFile) -> bool:
    return file.flags & linux.O_ACCMODE != linux.O_RDONLY


def _for_ever(call: SystemCall) -> NoReturn:
    call.step.unsupported(f"{call.name} without a limit on descriptors that never get ready")


# --- poll


def _poll(call: SystemCall) -> Value:
    timeout = call.known(2, "the time limit")
    return _poll_within(call, None if timeout < 0 else timeout * 10**6)


def _limit_at(call: SystemCall, position: int) -> Value | None:
    """The nanoseconds of a struct timespec argument; None for a null pointer: no limit."""
    if call.step.decide(build.eq(call.arguments[position], 0, 64)):
        return None
    seconds, rest = read_moment(call.step, call.arguments[position])
    return build.add(build.mul(seconds, SECOND, 64), rest, 64)


def _poll_within(call: SystemCall, limit: Value | None) -> Value:
    step = call.step
    count = call.known_long(1, "the number of descriptors")
    if count > linux.OPEN_MAX:
        raise Refused(linux.EINVAL)
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
        pass_time(call, limit or 0)
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
    count = call.known(0, "the number of descriptors")
    if not 0 <= count <= linux.OPEN_MAX:
        raise Refused(linux.EINVAL)
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
                    raise Refused(linux.EBADF)
                ready |= bool(events & ready_bits) << descriptor
        ready_count += ready.bit_count()
        answers.append((position, ready))
    if not ready_count and limit is None:
        _for_ever(call)
    for position, ready in answers:
        store(step, call.arguments[position], ready, size)
    if not ready_count:
        pass_time(call, limit or 0)
    return ready_count


HANDLERS: Mapping[str, Handler] = {
    "poll": _poll,
    "ppoll": lambda call: _poll_within(call, _limit_at(call, 2)),
    "select": _select,
    "pselect6": lambda call: _select_within(call, _limit_at(call, 4)),
}
