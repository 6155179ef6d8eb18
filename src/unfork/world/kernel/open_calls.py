"""System calls that open and close descriptors: open, close, dup, pipe, fcntl, ioctl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.engine.memory.loads import store
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.kernel import contents, linux
from unfork.world.kernel.input_file import settled
from unfork.world.kernel.kernel_tables import Inode, Kernel, OpenFile
from unfork.world.kernel.paths import READ, WRITE, Destination, demand, look_up
from unfork.world.kernel.system_call import CallRefused, Handler, SystemCall, with_arguments
from unfork.world.kernel.transfer_calls import truncate

CREATES = linux.O_CREAT | linux.O_WRONLY | linux.O_TRUNC
STATUS_FLAGS = linux.O_APPEND | linux.O_NONBLOCK
KEPT_FLAGS = linux.O_ACCMODE | STATUS_FLAGS | linux.O_PATH | linux.O_DIRECTORY | linux.O_LARGEFILE | linux.O_NOFOLLOW
FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x541B, 0x5421, 0x5450, 0x5451


# --- open


def _openat(call: SystemCall) -> Value:
    flags = call.number(2, "the flags")
    if flags & linux.O_TMPFILE == linux.O_TMPFILE:
        raise CallRefused(linux.EOPNOTSUPP)
    makes = bool(flags & linux.O_CREAT)
    exclusive = makes and bool(flags & linux.O_EXCL)
    follows = not flags & linux.O_NOFOLLOW and not exclusive
    entry = look_up(call, 1, 0, follows=follows, may_make=makes)
    descriptor = call.kernel.lowest_free()
    if entry.inode is None:
        demand(call.kernel.inode(entry.parent), WRITE)
        permissions = call.number(3, "the mode") & ~call.kernel.mask & 0o7777
        call.may_fail(linux.ENOSPC, linux.EIO)
        if descriptor is None:
            raise CallRefused(linux.EMFILE)
        number = make(call, entry, Inode("file", permissions))
    else:
        if exclusive:
            raise CallRefused(linux.EEXIST)
        number = entry.inode
        _may_open(call.kernel.inode(number), flags)
        call.kernel = settled(call.step, call.kernel, number)
        if call.kernel.inode(number).sort == "pipe" and not flags & linux.O_PATH:
            call.step.unsupported("opening a pipe that has a name")
        call.may_fail(linux.EIO)
        if descriptor is None:
            raise CallRefused(linux.EMFILE)
        if flags & linux.O_TRUNC and call.kernel.inode(number).sort == "file":
            truncate(call, number, 0)
    file = OpenFile(number, flags & KEPT_FLAGS | linux.O_LARGEFILE)
    call.kernel = call.kernel.open_file(descriptor, file, closes_on_exec=bool(flags & linux.O_CLOEXEC))
    return descriptor


def _may_open(inode: Inode, flags: int) -> None:
    access = flags & linux.O_ACCMODE
    if inode.sort == "link" and not flags & linux.O_PATH:
        raise CallRefused(linux.ELOOP)
    if inode.sort == "directory" and (access != linux.O_RDONLY or flags & linux.O_CREAT):
        raise CallRefused(linux.EISDIR)
    if flags & linux.O_DIRECTORY and inode.sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    if not flags & linux.O_PATH:
        demand(inode, (0, WRITE, READ | WRITE, 0)[access] or READ)
        if flags & linux.O_TRUNC:
            demand(inode, WRITE)


def make(call: SystemCall, entry: Destination, inode: Inode) -> int:
    """Make a file of any sort at the free ``entry``; returns its inode's number."""
    now = call.kernel.clock
    stamped = replace(inode, accessed=now, modified=now, changed=now)
    if inode.sort == "directory":
        stamped = replace(stamped, parent=entry.parent)
    call.kernel, number = call.kernel.with_new_inode(stamped)
    if inode.sort == "file":
        shown = bytes([byte if isinstance(byte, int) else ord("?") for byte in entry.name])
        contents.create(call.step, number, shown.decode("utf-8", "replace"))
    add_entry(call, entry, number, links=int(inode.sort == "directory"))
    return number


def add_entry(call: SystemCall, entry: Destination, number: int, *, links: int = 0) -> None:
    """Give inode ``number`` the free name ``entry``, and its directory ``links`` more links."""
    parent, now = call.kernel.inode(entry.parent), call.kernel.clock
    entries = (*parent.entries, (entry.name, number))
    call.change(entry.parent, replace(parent, entries=entries, links=parent.links + links, modified=now, changed=now))


# --- close and dup


def _close(call: SystemCall) -> Value:
    call.kernel = call.kernel.close(call.descriptor(0))
    return 0


def _close_range(call: SystemCall) -> Value:
    first, last = call.number(0, "the first descriptor") & 0xFFFF_FFFF, call.number(1, "the last") & 0xFFFF_FFFF
    if call.number(2, "the flags"):
        call.step.unsupported("close_range with flags")
    if first > last:
        raise CallRefused(linux.EINVAL)
    for descriptor in range(first, min(last + 1, len(call.kernel.descriptors))):
        if call.kernel.descriptor(descriptor) is not None:
            call.kernel = call.kernel.close(descriptor)
    return 0


def _duplicate(call: SystemCall, file: int, minimum: int, *, closes_on_exec: bool) -> Value:
    descriptor = call.kernel.lowest_free(minimum)
    if descriptor is None:
        raise CallRefused(linux.EMFILE)
    call.kernel = call.kernel.duplicate(descriptor, file, closes_on_exec=closes_on_exec)
    return descriptor


def _dup2(call: SystemCall) -> Value:
    old = call.descriptor(0)
    if call.number(1, "the new descriptor") == old:
        return old
    return _replace_by(call, closes_on_exec=False)


def _dup3(call: SystemCall) -> Value:
    flags = call.number(2, "the flags")
    old = call.descriptor(0)
    if flags & ~linux.O_CLOEXEC or call.number(1, "the new descriptor") == old:
        raise CallRefused(linux.EINVAL)
    return _replace_by(call, closes_on_exec=bool(flags))


def _replace_by(call: SystemCall, *, closes_on_exec: bool) -> Value:
    file, new = call.file_number(0), call.number(1, "the new descriptor")
    if not 0 <= new < linux.OPEN_MAX:
        raise CallRefused(linux.EBADF)
    if call.kernel.descriptor(new) is not None:
        call.kernel = call.kernel.close(new)
    call.kernel = call.kernel.duplicate(new, file, closes_on_exec=closes_on_exec)
    return new


# --- pipes


def _pipe2(call: SystemCall) -> Value:
    flags = call.number(1, "the flags")
    if flags & ~(linux.O_CLOEXEC | linux.O_NONBLOCK):
        raise CallRefused(linux.EINVAL)
    call.may_fail(linux.EMFILE)
    kernel, number = call.kernel.with_new_inode(Inode("pipe", 0o600, modified=call.kernel.clock))
    closes, status = bool(flags & linux.O_CLOEXEC), flags & linux.O_NONBLOCK
    ends = []
    for access in (linux.O_RDONLY, linux.O_WRONLY):
        descriptor = kernel.lowest_free()
        if descriptor is None:
            raise CallRefused(linux.EMFILE)
        kernel = kernel.open_file(descriptor, OpenFile(number, access | status), closes_on_exec=closes)
        ends.append(descriptor)
    store(call.step, call.arguments[0], ends[0] | ends[1] << 32, 8)
    contents.create(call.step, number, "pipe")
    call.kernel = kernel
    return 0


# --- control


def _fcntl(call: SystemCall) -> Value:
    command = call.number(1, "the command")
    descriptor = call.descriptor(0)
    entry = call.kernel.descriptor(descriptor)
    assert entry is not None
    file = call.kernel.file(entry.file)
    match command:
        case linux.F_DUPFD | linux.F_DUPFD_CLOEXEC:
            minimum = call.number(2, "the least descriptor")
            if not 0 <= minimum < linux.OPEN_MAX:
                raise CallRefused(linux.EINVAL)
            return _duplicate(call, entry.file, minimum, closes_on_exec=command == linux.F_DUPFD_CLOEXEC)
        case linux.F_GETFD:
            return int(entry.closes_on_exec)
        case linux.F_SETFD:
            call.kernel = _with_close_on_exec(
                call.kernel, descriptor, bool(call.number(2, "the flags") & linux.FD_CLOEXEC)
            )
            return 0
        case linux.F_GETFL:
            return file.flags
        case linux.F_SETFL:
            wanted = call.number(2, "the flags") & STATUS_FLAGS
            call.kernel = call.kernel.with_file(entry.file, replace(file, flags=file.flags & ~STATUS_FLAGS | wanted))
            return 0
        case linux.F_GETLK:  # no other process can hold a lock
            store(call.step, call.arguments[2], linux.F_UNLCK, 2)
            return 0
        case linux.F_SETLK | linux.F_SETLKW:
            return 0
    call.step.unsupported(f"fcntl with command {command}")


def _with_close_on_exec(kernel: Kernel, descriptor: int, wanted: bool) -> Kernel:
    entry = kernel.descriptor(descriptor)
    assert entry is not None
    return kernel.duplicate(descriptor, entry.file, closes_on_exec=wanted)


def _ioctl(call: SystemCall) -> Value:
    """No file is a terminal."""
    request = call.number(1, "the request") & 0xFFFF_FFFF
    descriptor = call.descriptor(0)
    _, file, inode = call.open_file(0)
    if request == FIONREAD and inode.sort in ("file", "pipe"):
        start = inode.consumed if inode.sort == "pipe" else file.offset
        left = build.ite(build.ult(start, inode.size, 64), build.sub(inode.size, start, 64), 0, 64)
        store(call.step, call.arguments[2], build.trunc(left, 64, 32), 4)
    elif request == FIONBIO:
        call.step.unsupported("ioctl FIONBIO")
    elif request in (FIOCLEX, FIONCLEX):
        call.kernel = _with_close_on_exec(call.kernel, descriptor, request == FIOCLEX)
    else:
        raise CallRefused(linux.ENOTTY)
    return 0


HANDLERS: Mapping[str, Handler] = {
    "open": with_arguments(_openat, lambda path, flags, mode, *_: (linux.HERE, path, flags, mode)),
    "openat": _openat,
    "creat": with_arguments(_openat, lambda path, mode, *_: (linux.HERE, path, CREATES, mode)),
    "close": _close,
    "close_range": _close_range,
    "dup": lambda call: _duplicate(call, call.file_number(0), 0, closes_on_exec=False),
    "dup2": _dup2,
    "dup3": _dup3,
    "pipe": with_arguments(_pipe2, lambda pointer, *_: (pointer, 0)),
    "pipe2": _pipe2,
    "fcntl": _fcntl,
    "ioctl": _ioctl,
}
