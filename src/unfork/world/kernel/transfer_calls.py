"""System calls on the contents of files: read, write and their relatives, lseek, truncate, copies, fsync."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from unfork.engine.memory.loads import load, load_pointer, pointer_size, store
from unfork.engine.memory.ranges import fill, readable, use_bytes, writable
from unfork.engine.memory.resolve import Location
from unfork.engine.memory.visible_models import touch
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.kernel import contents, linux
from unfork.world.kernel.input_file import settled
from unfork.world.kernel.kernel_tables import Inode, OpenFile
from unfork.world.kernel.paths import WRITE, demand, existing
from unfork.world.kernel.process_calls import random_bytes
from unfork.world.kernel.system_call import CallRefused, Handler, SystemCall, always, greatest, least
from unfork.world.library.surroundings import NO_INPUT, lacks_input

MOST = 0x7FFF_F000
VECTORS = 1024
PIPE_ROOM = 65536
SEEK_DATA = 3


def _length(call: SystemCall, length: Value) -> Value:
    """A length argument (64 bits): refused if negative, limited to the most bytes of one call."""
    call.refuse_if(build.slt(length, 0, 64), linux.EINVAL)
    return least(length, MOST)


# --- reading


def _readable_file(call: SystemCall) -> tuple[int, OpenFile, Inode]:
    if call.holds_of_file(0, lambda file, _: file.is_write_only or bool(file.flags & linux.O_PATH)):
        raise CallRefused(linux.EBADF)
    if call.holds_of_file(0, lambda _, inode: inode.sort == "directory"):
        raise CallRefused(linux.EISDIR)
    return call.open_file(0)


def _read(call: SystemCall) -> Value:
    number, file, inode = _readable_file(call)
    length = call.possible_length(_length(call, call.arguments[2]), linux.EIO)
    return _read_into(call, number, file, inode, call.arguments[1], length)


def _read_into(call: SystemCall, number: int, file: OpenFile, inode: Inode, target: Value, length: Value) -> Value:
    """Read up to ``length`` bytes at the file's offset, and advance it."""
    match inode.sort:
        case "file":
            moved = read_at(call, file.inode, inode, target, length, file.offset)
            call.move(number, build.add(file.offset, moved, 64))
            return moved
        case "pipe":
            return _read_pipe(call, file.inode, inode, target, length)
        case "null":
            return 0
        case "zero" | "full":
            touch(call.step, target, length, writes=True)
            fill(call.step, target, 0, length)
            return length
        case "output":
            raise CallRefused(linux.EBADF)
        case "random":
            return random_bytes(call, target, call.step.concretize(length, 64, 64, "the number of random bytes"))
        case _:
            call.step.unsupported(f"reading from a {inode.sort}")


def read_at(call: SystemCall, number: int, inode: Inode, target: Value, length: Value, offset: Value) -> Value:
    """Read up to ``length`` bytes at ``offset`` of a file into memory; returns their number (64 bits)."""
    if number == call.step.state.remembered[NO_INPUT]:
        lacks_input(call.step)
    behind = build.ule(inode.size, offset, 64)
    available = build.ite(behind, 0, build.sub(inode.size, offset, 64), 64)
    moved = least(length, available)
    if isinstance(moved, Term) and call.step.decide(build.eq(moved, 0, 64)):
        return 0
    location = writable(call.step, target, moved)
    if location is not None:
        touch(call.step, target, moved, writes=True)
        contents.get(call.step, number, offset, location, moved)
    return moved


def _read_pipe(call: SystemCall, number: int, inode: Inode, target: Value, length: Value) -> Value:
    step = call.step
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if step.decide(build.eq(inode.size, inode.consumed, 64)):
        openings = call.kernel.openings(number)
        if all(file.is_read_only for file in openings):
            return 0
        if any(file.flags & linux.O_NONBLOCK for file in openings):
            raise CallRefused(linux.EAGAIN)
        step.unsupported("reading from an empty pipe whose writing end is open, which waits for ever,")
    moved = read_at(call, number, inode, target, length, inode.consumed)
    call.change(number, replace(inode, consumed=build.add(inode.consumed, moved, 64)))
    return moved


def _pread(call: SystemCall) -> Value:
    _, file, inode = _readable_file(call)
    offset = _position(call, inode)
    length = call.possible_length(_length(call, call.arguments[2]), linux.EIO)
    if inode.sort != "file":
        return _read_into(call, 0, file, inode, call.arguments[1], length)
    return read_at(call, file.inode, inode, call.arguments[1], length, offset)


def _position(call: SystemCall, inode: Inode) -> Value:
    if inode.sort in ("pipe", "output"):
        raise CallRefused(linux.ESPIPE)
    call.refuse_if(build.slt(call.arguments[3], 0, 64), linux.EINVAL)
    return call.arguments[3]


# --- writing


def _writable_file(call: SystemCall) -> tuple[int, OpenFile, Inode]:
    if call.holds_of_file(0, lambda file, _: file.is_read_only or bool(file.flags & linux.O_PATH)):
        raise CallRefused(linux.EBADF)
    return call.open_file(0)


def _write(call: SystemCall) -> Value:
    number, file, inode = _writable_file(call)
    length = call.possible_length(_length(call, call.arguments[2]), linux.ENOSPC, linux.EIO)
    return _write_from(call, number, file, inode, call.arguments[1], length)


def _write_from(call: SystemCall, number: int, file: OpenFile, inode: Inode, source: Value, length: Value) -> Value:
    """Write ``length`` bytes at the file's offset, or its end, and advance the offset."""
    step = call.step
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if inode.sort == "file":
        offset = inode.size if file.flags & linux.O_APPEND else file.offset
        write_at(call, file.inode, inode, source, length, offset)
        call.move(number, build.add(offset, length, 64))
        if inode.stream:
            call.show(inode.stream, contents.values(step, _outgoing(call, source, length), length))
        return length
    if inode.sort == "pipe":
        return _write_pipe(call, file.inode, inode, source, length)
    if inode.sort == "full":
        raise CallRefused(linux.ENOSPC)
    location = _outgoing(call, source, length)
    if inode.sort == "output":
        call.show(inode.stream, contents.values(step, location, length))
    return length


def write_at(call: SystemCall, number: int, inode: Inode, source: Value, length: Value, offset: Value) -> None:
    """Write ``length`` bytes (64 bits) to a file at ``offset``; the file grows if needed."""
    step = call.step
    if length == 0 or (isinstance(length, Term) and step.decide(build.eq(length, 0, 64))):
        return
    if inode.is_mapped:
        step.unsupported("writing to a file that is mapped as shared")
    location = _outgoing(call, source, length)
    contents.put(step, number, offset, location, length)
    size = greatest(inode.size, build.add(offset, length, 64))
    now = call.kernel.clock
    call.change(number, replace(inode, size=size, modified=now, changed=now))


def _outgoing(call: SystemCall, source: Value, length: Value) -> Location:
    location = readable(call.step, source, length)
    if location is None:  # only a guide that answers for another path continues after a certain fault
        call.step.unsupported("a write of bytes that are nowhere")
    use_bytes(call.step, location, length)
    touch(call.step, source, length, writes=False)
    return location


def _write_pipe(call: SystemCall, number: int, inode: Inode, source: Value, length: Value) -> Value:
    step = call.step
    if all(file.is_write_only for file in call.kernel.openings(number)):
        step.unsupported("writing to a pipe that nobody reads: SIGPIPE")
    waiting = build.sub(build.add(inode.size, length, 64), inode.consumed, 64)
    step.limit(build.ule(waiting, PIPE_ROOM, 64), "unsupported", "writing to a full pipe, which waits for ever")
    write_at(call, number, inode, source, length, inode.size)
    return length


def _pwrite(call: SystemCall) -> Value:
    number, file, inode = _writable_file(call)
    offset = _position(call, inode)
    length = call.possible_length(_length(call, call.arguments[2]), linux.ENOSPC, linux.EIO)
    if inode.sort != "file":
        return _write_from(call, number, file, inode, call.arguments[1], length)
    offset = inode.size if file.flags & linux.O_APPEND else offset
    write_at(call, file.inode, inode, call.arguments[1], length, offset)
    return length


# --- vectors


def _pieces(call: SystemCall) -> list[tuple[Value, Value]]:
    """The pieces (pointer, length) of an array of struct iovec."""
    count = call.number(2, "the number of pieces")
    if not 0 <= count <= VECTORS:
        raise CallRefused(linux.EINVAL)
    step, base = call.step, call.arguments[1]
    size = pointer_size(step)
    pieces = [
        (
            load_pointer(step, build.add(base, 2 * size * i, 64)),
            build.zext(load(step, build.add(base, 2 * size * i + size, 64), size), 8 * size, 64),
        )
        for i in range(count)
    ]
    for _, length in pieces:
        call.refuse_if(build.slt(length, 0, 64), linux.EINVAL)
    return pieces


def _readv(call: SystemCall) -> Value:
    _readable_file(call)
    pieces = _pieces(call)
    call.may_fail(linux.EIO)
    return _each(call, pieces, _read_into)


def _writev(call: SystemCall) -> Value:
    _writable_file(call)
    pieces = _pieces(call)
    call.may_fail(linux.ENOSPC, linux.EIO)
    return _each(call, pieces, _write_from)


def _each(
    call: SystemCall,
    pieces: list[tuple[Value, Value]],
    move: Callable[[SystemCall, int, OpenFile, Inode, Value, Value], Value],
) -> Value:
    """Move the pieces in turn, and stop after the first incomplete one.

    A later piece may still fork. The whole call then runs again and moves the earlier pieces once more.
    """
    total: Value = 0
    for pointer, length in pieces:
        if call.step.decide(build.eq(length, 0, 64)):
            continue
        number, file, inode = call.open_file(0)
        moved = move(call, number, file, inode, pointer, length)
        total = build.add(total, moved, 64)
        if moved is not length and call.step.decide(build.ult(moved, length, 64)):
            break
    return total


# --- positions and sizes


def _seek(call: SystemCall) -> Value:
    number, file, inode = call.open_file(0)
    if inode.sort in ("pipe", "output"):
        raise CallRefused(linux.ESPIPE)
    wanted = call.arguments[1]
    match call.number(2, "the origin"):
        case 0:
            base: Value = 0
        case 1:
            base = file.offset
        case 2 if inode.sort == "file":
            base = inode.size
        case 3 | 4 if inode.sort == "file":
            return _seek_data(call, number, inode)
        case 2 | 3 | 4 if inode.sort != "directory":  # a directory of tmpfs has no end, a device nothing but an end
            return 0
        case _:
            raise CallRefused(linux.EINVAL)
    if inode.sort != "file" and inode.sort != "directory":
        return 0
    offset = build.add(base, wanted, 64)
    call.refuse_if(build.slt(offset, 0, 64), linux.EINVAL)
    call.move(number, offset)
    return offset


def _seek_data(call: SystemCall, number: int, inode: Inode) -> Value:
    """Files have no holes, except the one at the end."""
    wanted = call.arguments[1]
    call.refuse_if(build.uge(wanted, inode.size, 64), linux.ENXIO)
    offset = wanted if call.number(2, "the origin") == SEEK_DATA else inode.size
    call.move(number, offset)
    return offset


def _ftruncate(call: SystemCall) -> Value:
    _, file, inode = call.open_file(0)
    if file.is_read_only or inode.sort != "file":
        raise CallRefused(linux.EINVAL)
    call.may_fail(linux.EIO)
    return truncate(call, file.inode, call.arguments[1])


def _truncate(call: SystemCall) -> Value:
    number = existing(call, 0)
    inode = call.kernel.inode(number)
    if inode.sort != "file":
        raise CallRefused(linux.EISDIR if inode.sort == "directory" else linux.EINVAL)
    demand(inode, WRITE)
    call.kernel = settled(call.step, call.kernel, number)
    call.may_fail(linux.EIO)
    return truncate(call, number, call.arguments[1])


def truncate(call: SystemCall, number: int, size: Value) -> Value:
    """Set a file's size (64 bits): bytes cut off are gone, added bytes are 0."""
    step = call.step
    inode = call.kernel.inode(number)
    call.refuse_if(build.slt(size, 0, 64), linux.EINVAL)
    if inode.is_mapped:
        step.unsupported("truncating a file that is mapped as shared")
    contents.reserve(step, number, size, 0)
    contents.clear_from(step, number, size, inode.size)
    now = call.kernel.clock
    call.change(number, replace(inode, size=size, modified=now, changed=now))
    return 0


# --- from file to file


SOURCE, TARGET = 0, 2
"""The descriptor arguments of copy_file_range."""


def _end(call: SystemCall, position: int) -> tuple[int, OpenFile, Inode]:
    number, file, inode = call.open_file(position)
    is_refused = file.is_write_only if position == SOURCE else file.is_read_only
    if is_refused:
        raise CallRefused(linux.EBADF)
    if inode.sort == "directory":
        raise CallRefused(linux.EISDIR)
    if inode.sort != "file":
        raise CallRefused(linux.EINVAL)
    return number, file, inode


def _offset(call: SystemCall, position: int, file: OpenFile) -> Value:
    """The start: the offset at a pointer argument or, if it is null, the file's own."""
    if call.step.decide(build.eq(call.arguments[position], 0, 64)):
        return file.offset
    offset = load(call.step, call.arguments[position], 8)
    call.refuse_if(build.slt(offset, 0, 64), linux.EINVAL)
    return offset


def _copy_file_range(call: SystemCall) -> Value:
    step = call.step
    source_number, source, source_inode = _end(call, SOURCE)
    target_number, target, target_inode = _end(call, TARGET)
    if target.flags & linux.O_APPEND:
        raise CallRefused(linux.EBADF)
    if target_inode.is_mapped:
        step.unsupported("copy_file_range into a file that is mapped as shared")
    start, goal = _offset(call, 1, source), _offset(call, 3, target)
    if call.number(5, "the flags"):
        raise CallRefused(linux.EINVAL)
    behind = build.ule(source_inode.size, start, 64)
    available = build.ite(behind, 0, build.sub(source_inode.size, start, 64), 64)
    length = least(least(call.possible_length(call.arguments[4], linux.ENOSPC, linux.EIO), MOST), available)
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if source.inode == target.inode:
        ends_before = build.ule(build.add(start, length, 64), goal, 64)
        begins_after = build.ule(build.add(goal, length, 64), start, 64)
        call.refuse_if(build.negate(build.either(ends_before, begins_after)), linux.EINVAL)
    origin = contents.location_of(step, source.inode, start)
    if target_inode.stream:
        call.show(target_inode.stream, contents.values(step, origin, length))
    contents.put(step, target.inode, goal, origin, length)
    now = call.kernel.clock
    size = greatest(target_inode.size, build.add(goal, length, 64))
    call.change(target.inode, replace(target_inode, size=size, modified=now, changed=now))
    for position, number, offset in ((1, source_number, start), (3, target_number, goal)):
        if step.decide(build.eq(call.arguments[position], 0, 64)):
            call.move(number, build.add(offset, length, 64))
        else:
            store(step, call.arguments[position], build.add(offset, length, 64), 8)
    return length


# --- the disk


def _fsync(call: SystemCall) -> Value:
    if not call.holds_of_file(0, lambda _, inode: inode.sort in ("file", "directory")):
        raise CallRefused(linux.EINVAL)
    call.may_fail(linux.EIO)
    return 0


def _on_descriptor(call: SystemCall) -> Value:
    """A call on an open file without visible effect: advice, or a lock, which is always free."""
    call.descriptor(0)
    return 0


def _fallocate(call: SystemCall) -> Value:
    _, file, inode = call.open_file(0)
    if file.is_read_only:
        raise CallRefused(linux.EBADF)
    if inode.sort != "file":
        raise CallRefused(linux.ENODEV)
    if call.number(1, "the mode"):
        raise CallRefused(linux.EOPNOTSUPP)
    offset, length = call.arguments[2], call.arguments[3]
    call.refuse_if(build.either(build.slt(offset, 0, 64), build.sle(length, 0, 64)), linux.EINVAL)
    call.may_fail(linux.ENOSPC)
    contents.reserve(call.step, file.inode, offset, length)
    size = greatest(inode.size, build.add(offset, length, 64))
    call.change(file.inode, replace(inode, size=size, changed=call.kernel.clock))
    return 0


HANDLERS: Mapping[str, Handler] = {
    "read": _read,
    "pread64": _pread,
    "readv": _readv,
    "write": _write,
    "pwrite64": _pwrite,
    "writev": _writev,
    "lseek": _seek,
    "ftruncate": _ftruncate,
    "truncate": _truncate,
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
