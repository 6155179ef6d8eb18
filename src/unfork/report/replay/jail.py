"""Starts a program in a sandbox. Run as a script, this gives up its own rights and becomes the program.

Tests of tools that delete, overwrite or kill are real: their arguments may be ``-rf ..``. In its own namespaces, the
program has read-only file systems except for one folder, no other process, no network and no shell for commands;
root becomes a user without rights. Its current directory and /tmp are in memory, of bounded size, and gone when it
ends. If the system does not grant this, the caller may choose "open", which takes no rights away.

usage: jail.py MODE FOLDER STDIN STDOUT PROGRAM COUNT NAME=VALUE... ARGUMENT...

MODE is "jail" or "open". In a jail the current directory becomes /home/user, as in the modelled kernel. STDOUT is a
file, or - for this process's. The environment has COUNT words; the arguments begin with argv[0]. The exit status is
the program's; a signal that ends the program ends this process too. Status 125: no jail is possible here.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import select
import signal
import sys
from collections.abc import Callable

NO_JAIL = 125
_NEW_MOUNTS, _NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x20000, 0x10000000, 0x20000000, 0x40000000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18
_LOCKED = {b"nosuid": 2, b"nodev": 4, b"noexec": 8, b"noatime": 1024, b"nodiratime": 2048, b"relatime": 1 << 21}
"""Mount options to keep, with their flags."""
_OUT_OF_REACH = (errno.ENOENT, errno.EACCES)
"""The mount is below another one or in another user's folder (a container's, say). The jailer cannot reach it, so
neither can the program.
"""
_DIE_WITH_PARENT, _DUMPABLE = 1, 4
_HOME = b"/home/user"
_SHELL = "/bin/sh"
_TEMPORARY = "/tmp"  # where programs look for it
_ROOM = b"size=64m,nr_inodes=10k,mode=0755"
"""The program's limit of bytes and files."""
_NOBODY = 65534
_USER = 1000
"""The user, as in the modelled kernel."""

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def _mount(source: bytes | None, target: bytes, flags: int) -> None:
    _call("mount", source, target, None, ctypes.c_ulong(flags), None)


def _drop_root(folder: str) -> None:
    if os.getuid():
        return
    for parent, _, files in os.walk(folder):
        for path in (parent, *(os.path.join(parent, name) for name in files)):
            with contextlib.suppress(FileNotFoundError):  # another program in this folder may have deleted it
                os.chown(path, _NOBODY, _NOBODY, follow_symlinks=False)
    os.setgroups([])
    os.setgid(_NOBODY)
    os.setuid(_NOBODY)
    _call("prctl", _DUMPABLE, 1, 0, 0, 0)


def _enclose(folder: str, here: str, program: str) -> str:
    """Enter new namespaces, where only ``folder`` and a file system in memory are writable.

    Returns the new name of the directory ``here``, which is below ``folder`` and moves to memory. Raises OSError if
    the system refuses.
    """
    user, group = os.getuid(), os.getgid()
    _call("unshare", _NEW_USER | _NEW_MOUNTS | _NEW_PROCESSES | _NEW_NETWORK)
    for name, text in (
        ("setgroups", b"deny"),
        ("uid_map", b"%d %d 1" % (_USER, user)),
        ("gid_map", b"%d %d 1" % (_USER, group)),
    ):
        file = os.open(f"/proc/self/{name}", os.O_WRONLY)
        os.write(file, text)
        os.close(file)
    _mount(None, b"/", _RECURSIVE | _PRIVATE)
    inside = os.fsencode(folder)
    _mount(inside, inside, _BIND | _RECURSIVE)
    room = _room(folder, here)
    name = _at_home(folder, here)
    writable = {inside, os.fsencode(room), os.fsencode(here), inside + _HOME, _HOME}
    for point, options in _mounts():
        if point in writable:
            continue
        kept = sum(flag for word, flag in _LOCKED.items() if word in options)
        try:
            _mount(None, point, _REMOUNT | _BIND | _READ_ONLY | kept)
        except OSError as problem:
            if problem.errno not in _OUT_OF_REACH:
                raise
    _replace_temporary(folder, room)
    _hide_shell(program)
    return name


def _hide_shell(program: str) -> None:
    """Hide the shell of system() and popen(), unless it is ``program`` itself."""
    shell = os.path.realpath(_SHELL)
    if os.path.exists(shell) and shell != os.path.realpath(program):
        _mount(b"/dev/null", os.fsencode(shell), _BIND)


def _room(folder: str, here: str) -> str:
    """Mount a bounded file system in memory below ``folder`` and copy ``here`` to it; returns its path."""
    room = os.path.join(folder, "room")
    os.makedirs(room, exist_ok=True)
    _call("mount", b"tmpfs", os.fsencode(room), b"tmpfs", ctypes.c_ulong(0), _ROOM)
    inner = os.path.join(room, "world")
    for parent, _, files in os.walk(here):
        copy = os.path.normpath(os.path.join(inner, os.path.relpath(parent, here)))
        os.mkdir(copy)
        for name in files:
            with open(os.path.join(parent, name), "rb") as source, open(os.path.join(copy, name), "wb") as target:
                target.write(source.read())
                os.fchmod(target.fileno(), os.fstat(source.fileno()).st_mode & 0o7777)
    _mount(os.fsencode(inner), os.fsencode(here), _BIND)
    return room


def _replace_temporary(folder: str, room: str) -> None:
    """Mount an empty directory of ``room`` as /tmp, with only ``folder`` in it."""
    shared = os.path.realpath(_TEMPORARY)
    if not os.path.isdir(shared):
        return
    empty = os.path.join(room, "tmp")
    os.mkdir(empty)
    os.chmod(empty, 0o1777)
    if folder.startswith(shared + os.sep):
        same = empty + folder[len(shared) :]
        os.makedirs(same)
        _mount(os.fsencode(folder), os.fsencode(same), _BIND | _RECURSIVE)
    _mount(os.fsencode(empty), os.fsencode(shared), _BIND | _RECURSIVE)


def _at_home(folder: str, here: str) -> str:
    """Mount ``here`` as /home/user, beside the other homes; returns that name, or ``here`` if this fails."""
    try:
        others = os.listdir("/home")
    except OSError:
        return here
    if "user" in others or folder.startswith("/home/"):
        return here
    homes = os.path.join(folder, "home")
    os.makedirs(homes, exist_ok=True)
    _call("mount", b"tmpfs", os.fsencode(homes), b"tmpfs", ctypes.c_ulong(0), None)
    for name in others:
        home = os.path.join(homes, name)
        if os.path.isdir(os.path.join("/home", name)):
            os.mkdir(home)
            _mount(os.fsencode(os.path.join("/home", name)), os.fsencode(home), _BIND | _RECURSIVE)
    os.mkdir(os.path.join(homes, "user"))
    _mount(os.fsencode(here), os.fsencode(os.path.join(homes, "user")), _BIND)
    _mount(os.fsencode(homes), b"/home", _BIND | _RECURSIVE)
    return os.fsdecode(_HOME)


def _mounts() -> list[tuple[bytes, list[bytes]]]:
    with open("/proc/self/mounts", "rb") as file:
        rows = [line.split() for line in file]
    return [(_unescaped(row[1]), row[3].split(b",")) for row in rows]


def _unescaped(name: bytes) -> bytes:
    first, *rest = name.split(b"\\")
    return first + b"".join([bytes([int(part[:3], 8)]) + part[3:] for part in rest])


def _become(
    given: str, printed: str, program: str, environment: dict[str, str], arguments: list[str], parent: int
) -> None:
    """Become ``program``, with the file ``given`` as standard input and ``printed`` as standard output."""
    source = os.open(given, os.O_RDONLY)
    os.dup2(source, 0)
    os.close(source)
    if printed != "-":
        target = os.open(printed, os.O_WRONLY)
        os.dup2(target, 1)
        os.close(target)
    os.umask(0o022)
    os.setsid()  # like the modelled process, lead a session and a group
    _call("prctl", _DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(NO_JAIL)
    os.execve(program, arguments, environment)


def main(words: list[str]) -> int:
    """Run the program; returns the exit status."""
    mode, folder, given, printed, program, count, *rest = words
    environment = dict(word.split("=", 1) for word in rest[: int(count)])
    arguments = rest[int(count) :]
    here = os.getcwd()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if mode == "jail":
        try:
            _drop_root(folder)
            here = _enclose(folder, here, program)
        except OSError as problem:
            sys.stderr.write(f"jail: {problem}\n")
            return NO_JAIL
        os.chdir(here)  # the same directory, below the writable mount
    reader, writer = os.pipe()
    first = os.fork()  # the first process of a namespace ignores signals such as abort()'s
    if first == 0:
        os.close(reader)
        os._exit(_watch(writer, lambda parent: _become(given, printed, program, environment, arguments, parent)))
    os.close(writer)
    status = int.from_bytes(os.read(reader, 8), "little")
    os.waitpid(first, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return os.WEXITSTATUS(status)


def _watch(writer: int, become: Callable[[int], None]) -> int:
    """Start the program and write its end to ``writer``."""
    _call("prctl", _DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if not _is_read(writer):
        return NO_JAIL  # the parent ended before that call
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(writer)
        try:
            become(parent)
        except OSError as problem:
            sys.stderr.write(f"jail: {problem}\n")
            sys.stderr.flush()
        os._exit(NO_JAIL)
    _, status = os.waitpid(child, 0)
    os.write(writer, status.to_bytes(8, "little"))
    return 0


def _is_read(writer: int) -> bool:
    """Whether another process holds the read end of the pipe ``writer``."""
    look = select.poll()
    look.register(writer, 0)
    return not any(event & select.POLLERR for _, event in look.poll(0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
