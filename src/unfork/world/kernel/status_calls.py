"""System calls that describe files: the stat family, access, statfs, and directory entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.engine.memory.loads import load
from unfork.engine.memory.ranges import writable
from unfork.engine.memory.visible_models import touch
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import FILE_TYPES, USER, Inode, Name
from unfork.world.kernel.paths import ABOVE, HERE, WRITE, demand, existing, permits
from unfork.world.kernel.system_call import (
    SECOND,
    CallRefused,
    Field,
    Handler,
    SystemCall,
    moment,
    read_moment,
    refuses,
    with_arguments,
    write_record,
)
from unfork.world.kernel.time_calls import LONGEST_SLEEP, tick
from unfork.world.library.surroundings import assume

DEVICE = 0x801
BLOCK = 512
STATX_BASIC = 0x7FF
UTIME_NOW, UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2
TMPFS_MAGIC = 0x0102_1994
BLOCKS_OF_DISK, FREE_BLOCKS, FILES_OF_DISK, FREE_FILES = 1 << 20, 1 << 19, 1 << 16, 1 << 15
DEVICE_NUMBERS = {"null": 0x103, "zero": 0x105, "full": 0x107, "random": 0x109}


def size_of(inode: Inode) -> Value:
    """st_size of a file of any sort (64 bits)."""
    match inode.sort:
        case "file":
            return inode.size
        case "directory":
            return linux.PAGE
        case "link":
            return len(inode.target)
    return 0


def _stat_fields(number: int, inode: Inode) -> list[Field]:
    size = size_of(inode)
    return [
        (0, 8, DEVICE),
        (8, 8, number),
        (16, 8, inode.links),
        (24, 4, FILE_TYPES[inode.sort] | inode.mode),
        (28, 4, inode.owner),
        (32, 4, inode.owner),
        (40, 8, DEVICE_NUMBERS.get(inode.sort, 0)),
        (48, 8, size),
        (56, 8, linux.PAGE),
        (64, 8, _blocks(size)),
        *moment(72, inode.accessed),
        *moment(88, inode.modified),
        *moment(104, inode.changed),
    ]


def _blocks(size: Value) -> Value:
    pages = build.lshr(build.add(size, linux.PAGE - 1, 64), 12, 64)
    return build.mul(pages, linux.PAGE // BLOCK, 64)


def _write_stat(call: SystemCall, number: int, pointer: Value) -> Value:
    write_record(call.step, pointer, 144, _stat_fields(number, call.kernel.inode(number)))
    return 0


def _newfstatat(call: SystemCall) -> Value:
    return _write_stat(call, at(call, 1, 0, call.number(3, "the flags")), call.arguments[2])


def at(call: SystemCall, path: int, directory: int, flags: int) -> int:
    """The inode number of a call ending in "at". Raises CallRefused if there is none.

    With AT_EMPTY_PATH, an empty path means the descriptor's file.
    """
    pointer = call.arguments[path]
    if flags & linux.AT_EMPTY_PATH and call.step.decide(build.eq(load(call.step, pointer, 1), 0, 8)):
        if call.number(directory, "the directory") == linux.AT_FDCWD:
            return call.kernel.directory
        return call.open_file(directory)[1].inode
    return existing(call, path, directory, follows=not flags & linux.AT_SYMLINK_NOFOLLOW)


def _statx(call: SystemCall) -> Value:
    number = at(call, 1, 0, call.number(2, "the flags"))
    inode = call.kernel.inode(number)
    size = size_of(inode)
    device = DEVICE_NUMBERS.get(inode.sort, 0)
    fields: list[Field] = [
        (0, 4, STATX_BASIC),
        (4, 4, linux.PAGE),
        (16, 4, inode.links),
        (20, 4, inode.owner),
        (24, 4, inode.owner),
        (28, 2, FILE_TYPES[inode.sort] | inode.mode),
        (32, 8, number),
        (40, 8, size),
        (48, 8, _blocks(size)),
        *_statx_moment(64, inode.accessed),
        *_statx_moment(96, inode.changed),
        *_statx_moment(112, inode.modified),
        (128, 4, device >> 8),
        (132, 4, device & 0xFF),
        (136, 4, DEVICE >> 8),
        (140, 4, DEVICE & 0xFF),
    ]
    write_record(call.step, call.arguments[4], 256, fields)
    return 0


def _statx_moment(offset: int, time: Value) -> list[Field]:
    seconds, nanoseconds = moment(offset, time)
    return [seconds, (offset + 8, 4, nanoseconds[2])]


# --- access


def _faccessat2(call: SystemCall) -> Value:
    number = at(call, 1, 0, call.number(3, "the flags"))
    wanted = call.number(2, "the mode")
    if wanted & ~7:
        raise CallRefused(linux.EINVAL)
    demand(call.kernel.inode(number), wanted)
    return 0


# --- file systems


def _statfs(call: SystemCall) -> Value:
    existing(call, 0)
    return _write_file_system(call)


def _fstatfs(call: SystemCall) -> Value:
    call.open_file(0)
    return _write_file_system(call)


def _write_file_system(call: SystemCall) -> Value:
    fields: list[Field] = [
        (0, 8, TMPFS_MAGIC),
        (8, 8, linux.PAGE),
        (16, 8, BLOCKS_OF_DISK),
        (24, 8, FREE_BLOCKS),
        (32, 8, FREE_BLOCKS),
        (40, 8, FILES_OF_DISK),
        (48, 8, FREE_FILES),
        (64, 8, linux.NAME_MAX),
        (72, 8, linux.PAGE),
    ]
    write_record(call.step, call.arguments[1], 120, fields)
    return 0


# --- directories


def _getdents(call: SystemCall) -> Value:
    """The file's offset counts entries. A removed entry keeps its position while the directory is open."""
    number, file, inode = call.open_file(0)
    if inode.sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    step = call.step
    room = step.concretize(call.arguments[2], 64, 64, "the size given to getdents64")
    assume(step, "folders hold only the files that the run gives them")
    position = step.concretize(file.offset, 64, 64, "the offset of a directory")
    entries = [(HERE, file.inode), (ABOVE, inode.parent), *inode.entries]
    records: list[tuple[int, int, Name, int, int]] = []
    used = 0
    while position < len(entries):
        name, child = entries[position]
        length = (19 + len(name) + 1 + 7) & ~7
        if child and used + length > room:
            if not used:
                raise CallRefused(linux.EINVAL)
            break
        position += 1
        if child:
            records.append((used, length, name, child, FILE_TYPES[call.kernel.inode(child).sort] >> 12))
            used += length
    writable(step, call.arguments[1], used)
    touch(step, call.arguments[1], used, writes=True)
    for index, (offset, length, name, child, kind) in enumerate(records):
        fields: list[Field] = [
            (0, 8, child),
            (8, 8, position + index - len(records) + 1),
            (16, 2, length),
            (18, 1, kind),
        ]
        fields += [(19 + i, 1, build.zext(byte, 8, 64)) for i, byte in enumerate(name)]
        write_record(step, build.add(call.arguments[1], offset, 64), length, fields)
    call.move(number, position)
    return used


# --- metadata


def _demand_owner(call: SystemCall, number: int) -> Inode:
    inode = call.kernel.inode(number)
    if inode.owner != USER:
        raise CallRefused(linux.EPERM)
    return inode


def _set_mode(call: SystemCall, number: int, mode: int) -> Value:
    inode = _demand_owner(call, number)
    call.change(number, replace(inode, mode=mode & 0o7777, changed=call.kernel.clock))
    return 0


def _fchmodat2(call: SystemCall) -> Value:
    """The mode of a symbolic link cannot change."""
    flags = call.number(3, "the flags")
    if flags & ~linux.AT_SYMLINK_NOFOLLOW:
        call.step.unsupported("fchmodat2 with flags other than AT_SYMLINK_NOFOLLOW")
    number = existing(call, 1, 0, follows=not flags)
    if call.kernel.inode(number).sort == "link":
        raise CallRefused(linux.EOPNOTSUPP)
    return _set_mode(call, number, call.number(2, "the mode"))


def _fchownat(call: SystemCall) -> Value:
    return _set_owner(call, at(call, 1, 0, call.number(4, "the flags")), 2)


def _set_owner(call: SystemCall, number: int, first: int) -> Value:
    """The user may give a file only to itself."""
    wanted = [call.number(position, "the owner") for position in (first, first + 1)]
    inode = call.kernel.inode(number)
    if any(owner not in (-1, inode.owner) for owner in wanted):
        raise CallRefused(linux.EPERM)
    if wanted != [-1, -1]:
        _demand_owner(call, number)
    call.change(number, replace(inode, changed=call.kernel.clock))
    return 0


def _utimensat(call: SystemCall) -> Value:
    step = call.step
    if step.decide(build.eq(call.arguments[1], 0, 64)):
        number = call.open_file(0)[1].inode
    else:
        number = at(call, 1, 0, call.number(3, "the flags"))
    inode = call.kernel.inode(number)
    now = tick(call)
    accessed = modified = now
    if call.is_given(2):
        accessed = _requested_time(call, 0, inode.accessed, now)
        modified = _requested_time(call, 16, inode.modified, now)
        if inode.owner != USER and (accessed is not now or modified is not now):
            raise CallRefused(linux.EPERM)
    if inode.owner != USER and not permits(inode, WRITE):
        raise CallRefused(linux.EACCES)
    call.change(number, replace(inode, accessed=accessed, modified=modified, changed=now))
    return 0


def _requested_time(call: SystemCall, offset: int, before: Value, now: Value) -> Value:
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
    "stat": with_arguments(_newfstatat, lambda path, record, *_: (linux.HERE, path, record, 0)),
    "lstat": with_arguments(
        _newfstatat, lambda path, record, *_: (linux.HERE, path, record, linux.AT_SYMLINK_NOFOLLOW)
    ),
    "fstat": lambda call: _write_stat(call, call.open_file(0)[1].inode, call.arguments[1]),
    "newfstatat": _newfstatat,
    "statx": _statx,
    "access": with_arguments(_faccessat2, lambda path, mode, *_: (linux.HERE, path, mode, 0)),
    "faccessat": with_arguments(_faccessat2, lambda directory, path, mode, *_: (directory, path, mode, 0)),
    "faccessat2": _faccessat2,
    "statfs": _statfs,
    "fstatfs": _fstatfs,
    "getdents64": _getdents,
    "chmod": with_arguments(_fchmodat2, lambda path, mode, *_: (linux.HERE, path, mode, 0)),
    "fchmod": lambda call: _set_mode(call, call.open_file(0)[1].inode, call.number(1, "the mode")),
    "fchmodat": with_arguments(_fchmodat2, lambda directory, path, mode, *_: (directory, path, mode, 0)),
    "fchmodat2": _fchmodat2,
    "chown": with_arguments(_fchownat, lambda path, user, group, *_: (linux.HERE, path, user, group, 0)),
    "lchown": with_arguments(
        _fchownat, lambda path, user, group, *_: (linux.HERE, path, user, group, linux.AT_SYMLINK_NOFOLLOW)
    ),
    "fchown": lambda call: _set_owner(call, call.open_file(0)[1].inode, 1),
    "fchownat": _fchownat,
    "utimensat": _utimensat,
    **dict.fromkeys(
        [letter + verb + "xattr" for letter in ("", "l", "f") for verb in ("get", "set", "list", "remove")],
        refuses(linux.EOPNOTSUPP),
    ),
}
