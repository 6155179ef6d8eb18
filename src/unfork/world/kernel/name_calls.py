"""System calls that change directories (unlink, rename, mkdir, link, symlink) or the current directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from unfork.engine.memory.loads import store
from unfork.engine.memory.ranges import writable
from unfork.engine.memory.visible_models import touch
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import FILE_TYPES, ROOT, Inode, Name, Sort
from unfork.world.kernel.open_calls import add_entry, make
from unfork.world.kernel.paths import (
    ABOVE,
    HERE,
    SEARCH,
    WRITE,
    Destination,
    demand,
    existing,
    look_up_name,
    read_path,
    searchable,
)
from unfork.world.kernel.system_call import CallRefused, Handler, SystemCall, with_arguments
from unfork.world.library.surroundings import assume

NOREPLACE = 1
FILE_TYPE_BITS = 0o170000


# --- entries


def _remove_entry(call: SystemCall, removed: Destination) -> None:
    """Remove a name from its directory. While the directory is open, later entries keep their positions."""
    directory = call.kernel.inode(removed.parent)
    if call.kernel.openings(removed.parent):
        entries = tuple([(name, 0) if name is removed.name else (name, number) for name, number in directory.entries])
    else:
        entries = tuple([entry for entry in directory.entries if entry[0] is not removed.name and entry[1]])
    now = call.kernel.clock
    call.change(removed.parent, replace(directory, entries=entries, modified=now, changed=now))


def _count_link(call: SystemCall, number: int, change: int) -> None:
    inode = call.kernel.inode(number)
    call.change(number, replace(inode, links=inode.links + change, changed=call.kernel.clock))


def _is_empty(inode: Inode) -> bool:
    return not any(number for _, number in inode.entries)


# --- removal


def _unlinkat(call: SystemCall) -> Value:
    flags = call.number(2, "the flags")
    entry = look_up_name(call, 1, 0)
    if flags & linux.AT_REMOVEDIR:
        return _remove_directory(call, entry)
    if entry.is_fixed:
        raise CallRefused(linux.EISDIR)
    if entry.inode is None:
        raise CallRefused(linux.ENOENT)
    inode = call.kernel.inode(entry.inode)
    if inode.sort == "directory":
        raise CallRefused(linux.EISDIR)
    if entry.wants_directory:
        raise CallRefused(linux.ENOTDIR)
    demand(call.kernel.inode(entry.parent), WRITE | SEARCH)
    call.may_fail(linux.EIO)
    _remove_entry(call, entry)
    _count_link(call, entry.inode, -1)
    return 0


def _remove_directory(call: SystemCall, entry: Destination) -> Value:
    if entry.is_fixed:
        raise CallRefused({HERE: linux.EINVAL, ABOVE: linux.ENOTEMPTY}.get(entry.name, linux.EBUSY))
    if entry.inode is None:
        raise CallRefused(linux.ENOENT)
    inode = call.kernel.inode(entry.inode)
    if inode.sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    if not _is_empty(inode):
        raise CallRefused(linux.ENOTEMPTY)
    demand(call.kernel.inode(entry.parent), WRITE | SEARCH)
    _remove_entry(call, entry)
    call.change(entry.inode, replace(inode, links=0))
    _count_link(call, entry.parent, -1)
    return 0


# --- rename


def _renameat2(call: SystemCall) -> Value:
    flags = call.number(4, "the flags")
    if flags & ~NOREPLACE:
        call.step.unsupported("renameat2 with flags that exchange or white out")
    source = look_up_name(call, 1, 0, may_make=True)
    target = look_up_name(call, 3, 2, may_make=True)
    if source.is_fixed or target.is_fixed:
        raise CallRefused(linux.EBUSY)
    if source.inode is None:
        raise CallRefused(linux.ENOENT)
    if target.inode is not None and flags & NOREPLACE:
        raise CallRefused(linux.EEXIST)
    moved = call.kernel.inode(source.inode)
    if moved.sort != "directory" and (source.wants_directory or target.wants_directory):
        raise CallRefused(linux.ENOTDIR)
    if moved.sort == "directory" and _is_within(call, target.parent, source.inode):
        raise CallRefused(linux.EINVAL)
    if target.inode is not None and _is_within(call, source.parent, target.inode):
        raise CallRefused(linux.ENOTEMPTY)
    if target.inode == source.inode:
        return 0
    demand(call.kernel.inode(source.parent), WRITE | SEARCH)
    demand(call.kernel.inode(target.parent), WRITE | SEARCH)
    if target.inode is not None:
        _check_replaced(call.kernel.inode(target.inode), moved)
    call.may_fail(linux.EIO)
    if target.inode is not None:
        _remove_entry(call, target)
        _count_link(call, target.inode, -1)
    _remove_entry(call, source)
    add_entry(call, target, source.inode)
    if moved.sort == "directory":
        call.change(source.inode, replace(moved, parent=target.parent))
        _count_link(call, source.parent, -1)
        if target.inode is None:
            _count_link(call, target.parent, 1)
    return 0


def _check_replaced(replaced: Inode, moved: Inode) -> None:
    if moved.sort == "directory":
        if replaced.sort != "directory":
            raise CallRefused(linux.ENOTDIR)
        if not _is_empty(replaced):
            raise CallRefused(linux.ENOTEMPTY)
    elif replaced.sort == "directory":
        raise CallRefused(linux.EISDIR)


def _is_within(call: SystemCall, directory: int, outer: int) -> bool:
    while directory != outer:
        if directory == ROOT:
            return False
        directory = call.kernel.inode(directory).parent
    return True


# --- new names


def _free_name(call: SystemCall, path: int, directory: int, *, is_directory: bool) -> Destination:
    entry = look_up_name(call, path, directory, may_make=True)
    if entry.inode is not None:
        raise CallRefused(linux.EEXIST)
    if entry.wants_directory and not is_directory:
        raise CallRefused(linux.ENOENT)
    demand(call.kernel.inode(entry.parent), WRITE | SEARCH)
    call.may_fail(linux.ENOSPC)
    return entry


def _mkdirat(call: SystemCall) -> Value:
    permissions = call.number(2, "the mode") & ~call.kernel.mask & 0o1777
    make(call, _free_name(call, 1, 0, is_directory=True), Inode("directory", permissions, links=2))
    return 0


def _mknodat(call: SystemCall) -> Value:
    wanted = call.number(2, "the mode")
    sort = wanted & FILE_TYPE_BITS
    if sort not in (0, FILE_TYPES["file"], FILE_TYPES["pipe"]):
        raise CallRefused(linux.EPERM)
    permissions = wanted & ~call.kernel.mask & 0o7777
    kind: Sort = "pipe" if sort == FILE_TYPES["pipe"] else "file"
    make(call, _free_name(call, 1, 0, is_directory=False), Inode(kind, permissions))
    return 0


def _symlinkat(call: SystemCall) -> Value:
    text: Name = tuple(read_path(call, call.arguments[0], None, may_make=True))
    make(call, _free_name(call, 2, 1, is_directory=False), Inode("link", 0o777, target=text))
    return 0


def _linkat(call: SystemCall) -> Value:
    number = existing(call, 1, 0, follows=bool(call.number(4, "the flags") & linux.AT_SYMLINK_FOLLOW))
    entry = _free_name(call, 3, 2, is_directory=False)
    if call.kernel.inode(number).sort == "directory":
        raise CallRefused(linux.EPERM)
    add_entry(call, entry, number)
    _count_link(call, number, 1)
    return 0


def _readlinkat(call: SystemCall) -> Value:
    inode = call.kernel.inode(existing(call, 1, 0, follows=False))
    if inode.sort != "link":
        raise CallRefused(linux.EINVAL)
    size = call.number(3, "the size of the buffer")
    if size <= 0:
        raise CallRefused(linux.EINVAL)
    return _store_text(call, 2, inode.target[:size])


def _store_text(call: SystemCall, buffer: int, text: Sequence[Value]) -> int:
    writable(call.step, call.arguments[buffer], len(text))
    touch(call.step, call.arguments[buffer], len(text), writes=True)
    for position, byte in enumerate(text):
        store(call.step, build.add(call.arguments[buffer], position, 64), byte, 1)
    return len(text)


# --- the current directory


def _go(call: SystemCall, number: int) -> Value:
    searchable(call, number)
    call.kernel = replace(call.kernel, directory=number)
    return 0


def _chroot(call: SystemCall) -> Value:
    """Refused: it needs a superuser."""
    searchable(call, existing(call, 0))
    raise CallRefused(linux.EPERM)


def _execve(call: SystemCall) -> Value:
    """No file is executable, unless the program makes one."""
    assume(call.step, "no other program can be started: execve() fails")
    inode = call.kernel.inode(existing(call, 0))
    if inode.sort != "file":
        raise CallRefused(linux.EACCES)
    demand(inode, SEARCH)
    call.step.unsupported("starting a program that the program has written")


def _getcwd(call: SystemCall) -> Value:
    parts: list[Name] = []
    number = call.kernel.directory
    while number != ROOT:
        parent = call.kernel.inode(number).parent
        name = next((name for name, inode in call.kernel.inode(parent).entries if inode == number), None)
        if name is None:
            raise CallRefused(linux.ENOENT)
        parts.append(name)
        number = parent
    text: list[Value] = []
    for part in reversed(parts):
        text += [ord("/"), *part]
    text = [*(text or [ord("/")]), 0]
    call.refuse_if(build.ult(call.arguments[1], len(text), 64), linux.ERANGE)
    call.may_fail(linux.ENOMEM)
    return _store_text(call, 0, text)


def _umask(call: SystemCall) -> Value:
    before = call.kernel.mask
    call.kernel = replace(call.kernel, mask=call.number(0, "the mask") & 0o777)
    return before


HANDLERS: Mapping[str, Handler] = {
    "unlink": with_arguments(_unlinkat, lambda path, *_: (linux.HERE, path, 0)),
    "unlinkat": _unlinkat,
    "rmdir": with_arguments(_unlinkat, lambda path, *_: (linux.HERE, path, linux.AT_REMOVEDIR)),
    "rename": with_arguments(_renameat2, lambda old, new, *_: (linux.HERE, old, linux.HERE, new, 0)),
    "renameat": with_arguments(_renameat2, lambda *arguments: (*arguments[:4], 0)),
    "renameat2": _renameat2,
    "mkdir": with_arguments(_mkdirat, lambda path, mode, *_: (linux.HERE, path, mode)),
    "mkdirat": _mkdirat,
    "mknod": with_arguments(_mknodat, lambda path, mode, *_: (linux.HERE, path, mode)),
    "mknodat": _mknodat,
    "symlink": with_arguments(_symlinkat, lambda target, path, *_: (target, linux.HERE, path)),
    "symlinkat": _symlinkat,
    "link": with_arguments(_linkat, lambda old, new, *_: (linux.HERE, old, linux.HERE, new, 0)),
    "linkat": _linkat,
    "readlink": with_arguments(_readlinkat, lambda path, buffer, size, *_: (linux.HERE, path, buffer, size)),
    "readlinkat": _readlinkat,
    "chdir": lambda call: _go(call, existing(call, 0)),
    "fchdir": lambda call: _go(call, call.open_file(0)[1].inode),
    "chroot": _chroot,
    "execve": _execve,
    "getcwd": _getcwd,
    "umask": _umask,
}
