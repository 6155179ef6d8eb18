"""System calls about storage: those that wait for the disk, locks, allocation, and copies from file to file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.environment import contents, linux
from unfork.environment.failing_calls import may_fail, shortened
from unfork.environment.kernel_tables import Inode, OpenFile
from unfork.environment.system_call import Handler, Refused, SystemCall, always, greatest, least
from unfork.environment.transfer_calls import MOST
from unfork.execute.loads import load, store
from unfork.logic import build
from unfork.logic.term import Value


def _fsync(call: SystemCall) -> Value:
    if not call.tells(0, lambda _, inode: inode.sort in ("file", "directory")):
        raise Refused(linux.EINVAL)
    may_fail(call, linux.EIO)
    return 0


def _on_descriptor(call: SystemCall) -> Value:
    """A call on an open file that changes nothing the program sees: advice, or a lock that nobody else wants."""
    call.descriptor(0)
    return 0


def _fallocate(call: SystemCall) -> Value:
    _, file, inode = call.opened(0)
    if file.flags & linux.O_ACCMODE == linux.O_RDONLY:
        raise Refused(linux.EBADF)
    if inode.sort != "file":
        raise Refused(linux.ENODEV)
    if call.known(1, "the mode"):
        raise Refused(linux.EOPNOTSUPP)
    offset, length = call.arguments[2], call.arguments[3]
    call.refuse_if(build.either(build.slt(offset, 0, 64), build.sle(length, 0, 64)), linux.EINVAL)
    may_fail(call, linux.ENOSPC)
    contents.reserve(call.step, file.inode, offset, length)
    size = greatest(inode.size, build.add(offset, length, 64))
    call.change(file.inode, replace(inode, size=size, changed=call.kernel.clock))
    return 0


# --- from file to file


def _end(call: SystemCall, position: int, wrong_access: int) -> tuple[int, OpenFile, Inode]:
    number, file, inode = call.opened(position)
    if file.flags & linux.O_ACCMODE == wrong_access:
        raise Refused(linux.EBADF)
    if inode.sort == "directory":
        raise Refused(linux.EISDIR)
    if inode.sort != "file":
        raise Refused(linux.EINVAL)
    return number, file, inode


def _offset(call: SystemCall, position: int, file: OpenFile) -> Value:
    """Where to start: the offset that a pointer argument points to or, if it is null, the file's own."""
    if call.step.decide(build.eq(call.arguments[position], 0, 64)):
        return file.offset
    offset = load(call.step, call.arguments[position], 8)
    call.refuse_if(build.slt(offset, 0, 64), linux.EINVAL)
    return offset


def _copy_file_range(call: SystemCall) -> Value:
    step = call.step
    source_number, source, given = _end(call, 0, linux.O_WRONLY)
    target_number, target, taken = _end(call, 2, linux.O_RDONLY)
    if target.flags & linux.O_APPEND:
        raise Refused(linux.EBADF)
    if taken.is_mapped:
        step.unsupported("copy_file_range into a file that is mapped as shared")
    start, goal = _offset(call, 1, source), _offset(call, 3, target)
    if call.known(5, "the flags"):
        raise Refused(linux.EINVAL)
    behind = build.ule(given.size, start, 64)
    available = build.ite(behind, 0, build.sub(given.size, start, 64), 64)
    length = least(least(shortened(call, call.arguments[4], linux.ENOSPC, linux.EIO), MOST), available)
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if source.inode == target.inode:
        ends_before = build.ule(build.add(start, length, 64), goal, 64)
        begins_after = build.ule(build.add(goal, length, 64), start, 64)
        call.refuse_if(build.negate(build.either(ends_before, begins_after)), linux.EINVAL)
    place = contents.place_of(step, source.inode, start)
    if taken.stream:
        call.show(taken.stream, contents.values(step, place, length))
    contents.put(step, target.inode, goal, place, length)
    now = call.kernel.clock
    size = greatest(taken.size, build.add(goal, length, 64))
    call.change(target.inode, replace(taken, size=size, modified=now, changed=now))
    for position, number, offset in ((1, source_number, start), (3, target_number, goal)):
        if step.decide(build.eq(call.arguments[position], 0, 64)):
            call.move(number, build.add(offset, length, 64))
        else:
            store(step, call.arguments[position], build.add(offset, length, 64), 8)
    return length


HANDLERS: Mapping[str, Handler] = {
    "fsync": _fsync,
    "fdatasync": _fsync,
    "sync": always(0),
    "syncfs": _on_descriptor,
    "sync_file_range": _on_descriptor,
    "fadvise64": _on_descriptor,
    "readahead": _on_descriptor,
    "flock": _on_descriptor,
    "fallocate": _fallocate,
    "copy_file_range": _copy_file_range,
}
