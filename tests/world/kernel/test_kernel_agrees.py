"""Random sequences of calls come to what the host's kernel answers, in an empty directory or a process of its own."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world.conftest import NUMBERS, Guest
from unfork.world.kernel import process_calls
from unfork.world.kernel.kernel_tables import USER

NAMES = ("a", "b", "d", "d/a", "d/b", "d/./a", "e", "e/", "s", "s/a", "./d", "d/e", ".", ".//x/", "d/.")
FLAGS = (
    os.O_RDONLY,
    os.O_RDWR,
    os.O_WRONLY | os.O_CREAT,
    os.O_RDWR | os.O_CREAT,
    os.O_RDWR | os.O_CREAT | os.O_EXCL,
    os.O_RDWR | os.O_TRUNC,
    os.O_WRONLY | os.O_APPEND,
    os.O_RDONLY | os.O_DIRECTORY,
    os.O_RDONLY | os.O_NOFOLLOW,
)
STEPS = 120
LONELY = 54321
"""A user without other processes."""
PROCESS = f"""
import ctypes, json, os, resource, sys
os.setpriority(os.PRIO_PROCESS, 0, 0)
resource.setrlimit(13, (0, 0))
os.setgroups([])
os.setresgid({LONELY}, {LONELY}, {LONELY})
os.setresuid({LONELY}, {LONELY}, {LONELY})
libc = ctypes.CDLL(None, use_errno=True)
def meant(word):
    if isinstance(word, list):
        return (ctypes.c_int64 * len(word))(*word)
    return ctypes.c_long(dict(process=os.getpid(), user=os.getuid()).get(word, word))
for number, *words in json.load(sys.stdin):
    result = libc.syscall(number, *map(meant, words))
    result = result if result >= 0 else -ctypes.get_errno()
    print("process" if result == os.getpid() else result)
"""
"""Makes the calls that it reads, as the leader of its session and as no superuser."""
Word = int | str | list[int]


class Pair:
    """The same call on both sides; descriptors are translated, since the host has more open ones."""

    def __init__(self, guest: Guest, chance: random.Random) -> None:
        self.guest = guest
        self.chance = chance
        self.open: list[tuple[int, int]] = []
        self.log: list[str] = []

    def name(self) -> str:
        return self.chance.choice(NAMES)

    def on_host(self, function: object, *arguments: object) -> object:
        try:
            return function(*arguments)  # type: ignore[operator]
        except OSError as error:
            assert error.errno is not None
            return -error.errno

    def agree(self, what: str, host: object, guest: object) -> None:
        self.log.append(f"{what} = {host}")
        assert guest == host, "\n".join(self.log)

    def paths(self) -> None:
        call, name, other = self.guest.call, self.name(), self.name()
        match self.chance.randrange(7):
            case 0:
                host = self.on_host(os.unlink, name)
                self.agree(f"unlink {name}", host or 0, call("unlink", self.guest.text(name)))
            case 1:
                host = self.on_host(os.mkdir, name, 0o755)
                self.agree(f"mkdir {name}", host or 0, call("mkdir", self.guest.text(name), 0o755))
            case 2:
                host = self.on_host(os.rmdir, name)
                self.agree(f"rmdir {name}", host or 0, call("rmdir", self.guest.text(name)))
            case 3:
                host = self.on_host(os.rename, name, other)
                self.agree(
                    f"rename {name} {other}", host or 0, call("rename", self.guest.text(name), self.guest.text(other))
                )
            case 4:
                host = self.on_host(os.link, name, other)
                self.agree(
                    f"link {name} {other}", host or 0, call("link", self.guest.text(name), self.guest.text(other))
                )
            case 5:
                host = self.on_host(os.symlink, other, name)
                self.agree(
                    f"symlink {other} {name}", host or 0, call("symlink", self.guest.text(other), self.guest.text(name))
                )
            case 6:
                self.status(name)

    def status(self, name: str) -> None:
        for function, call in ((os.stat, "stat"), (os.lstat, "lstat")):
            host = self.on_host(function, name)
            buffer = self.guest.buffer(bytes(144))
            result = self.guest.call(call, self.guest.text(name), buffer)
            if isinstance(host, int):
                self.agree(f"{call} {name}", host, result)
                continue
            assert isinstance(host, os.stat_result)
            data = bytes(self.guest.bytes_at(buffer, 144))
            mode = int.from_bytes(data[24:28], "little")
            seen = (mode, int.from_bytes(data[16:24], "little"))
            self.agree(f"{call} {name}", (host.st_mode, host.st_nlink), seen)
            if mode >> 12 == 0o10:
                self.agree(f"{call} {name} size", host.st_size, int.from_bytes(data[48:56], "little"))

    def opening(self) -> None:
        name, flags = self.name(), self.chance.choice(FLAGS)
        host = self.on_host(os.open, name, flags, 0o644)
        guest = self.guest.call("open", self.guest.text(name), flags, 0o644)
        assert isinstance(host, int) and isinstance(guest, int)
        if host >= 0 and guest >= 0:
            self.open.append((host, guest))
            self.log.append(f"open {name} {flags:#o}: {guest}")
        else:
            self.agree(f"open {name} {flags:#o}", host, guest)

    def bytes(self) -> None:
        if not self.open:
            return
        host, guest = self.chance.choice(self.open)
        call, count = self.guest.call, self.chance.randrange(8)
        match self.chance.randrange(6):
            case 0:
                data = self.chance.randbytes(count)
                self.agree(
                    f"write {guest}",
                    self.on_host(os.write, host, data),
                    call("write", guest, self.guest.buffer(data + b"."), count),
                )
            case 1:
                buffer = self.guest.buffer(bytes(8))
                seen, result = self.on_host(os.read, host, count), call("read", guest, buffer, count)
                if isinstance(seen, bytes):
                    self.agree(f"read {guest} {count}", seen, bytes(self.guest.bytes_at(buffer, 8))[: int(str(result))])
                else:
                    self.agree(f"read {guest} {count}", seen, result)
            case 2:
                offset, origin = self.chance.randrange(-3, 12), self.chance.randrange(2)
                self.agree(
                    f"lseek {guest} {offset} {origin}",
                    self.on_host(os.lseek, host, offset, origin),
                    call("lseek", guest, offset, origin),
                )
            case 3:
                result = self.on_host(os.ftruncate, host, count)
                self.agree(f"ftruncate {guest} {count}", result or 0, call("ftruncate", guest, count))
            case 4:
                os.close(host)
                self.open.remove((host, guest))
                self.agree(f"close {guest}", 0, call("close", guest))
            case 5:
                twin, other = os.dup(host), call("dup", guest)
                assert isinstance(other, int) and other >= 0
                self.open.append((twin, other))
                self.log.append(f"dup {guest}: {other}")

    def listing(self) -> None:
        name = self.chance.choice((".", "d"))
        host = self.on_host(os.listdir, name)
        descriptor = self.guest.call("open", self.guest.text(name), os.O_RDONLY | os.O_DIRECTORY)
        if not isinstance(host, list):
            self.agree(f"list {name}", host, descriptor)
            return
        buffer = self.guest.buffer(bytes(4096))
        used = self.guest.call("getdents64", descriptor, buffer, 4096)
        data, found, at = bytes(self.guest.bytes_at(buffer, 4096)), [], 0
        while at < int(str(used)):
            length = int.from_bytes(data[at + 16 : at + 18], "little")
            found.append(data[at + 19 : at + length].split(b"\0")[0].decode())
            at += length
        self.guest.call("close", descriptor)
        self.agree(f"list {name}", sorted([*host, ".", ".."]), sorted(found))


@pytest.mark.parametrize("seed", range(40))
def test_host_agrees(seed: int, guest: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    pair = Pair(guest, chance)
    previous = os.umask(0o022)
    try:
        for _ in range(STEPS):
            chance.choices((pair.paths, pair.opening, pair.bytes, pair.listing), (4, 3, 5, 1))[0]()
    finally:
        os.umask(previous)
        for host, _ in pair.open:
            os.close(host)


def _calls(chance: random.Random) -> Iterator[list[Word]]:
    for _ in range(2000):
        who: list[Word] = [chance.choice(("process", 0, -1, 4_194_303)) for _ in range(2)]
        kind = chance.randrange(-1, 4)
        priority = chance.choice((-(1 << 31), -30, -1, *range(5), *range(15, 23)))
        time = [chance.choice((-1, 0, 7, 8277292035, 8277292036)), chance.choice((-1, 0, 10**6 - 1, 10**6, 10**9))]
        of_kind: list[Word] = [kind, chance.choice(("user", 0, -1)) if kind == 2 else who[0]]
        calls: list[list[Word]] = [["getpriority", *of_kind], ["setpriority", *of_kind, priority]]
        calls += [["setpgid", *who], ["getpgid", who[0]], ["getsid", who[0]], ["setsid"]]
        calls += [["clock_settime", chance.randrange(-1, 12), time], ["settimeofday", chance.choice((0, time)), 0]]
        yield chance.choice(calls)


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes a user who has no other process")
def test_host_agrees_on_the_process(guest: Guest) -> None:
    calls = list(_calls(random.Random(1)))
    numbers = [[NUMBERS[str(name)], *words] for name, *words in calls]
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROCESS],
        input=json.dumps(numbers),
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    known = {"process": process_calls.PROCESS, "user": USER}

    def meant(word: Word) -> int:
        if isinstance(word, list):
            return guest.buffer(struct.pack("<2q", *word))
        return known[word] if isinstance(word, str) else word

    for (name, *words), host in zip(calls, done.stdout.split(), strict=True):
        result = guest.call(str(name), *map(meant, words))
        assert str("process" if result == process_calls.PROCESS else result) == host, (name, words)


@pytest.mark.parametrize("name", ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/shm"])
def test_host_agrees_on_positions_in_what_is_no_file(name: str, guest: Guest) -> None:
    directory = name == "/dev/shm"
    if directory and "tmpfs /dev/shm tmpfs" not in Path("/proc/mounts").read_text():
        pytest.skip("the host has no tmpfs at a known place")
    there = os.open(name, os.O_RDONLY)
    here = guest.call("open", guest.text("/tmp" if directory else name), os.O_RDONLY)
    try:
        for offset in (5, 0, -1):
            for origin in range(6):
                try:
                    host = os.lseek(there, offset, origin)
                except OSError as error:
                    host = -(error.errno or 0)
                assert guest.call("lseek", here, offset, origin) == host, (offset, origin)
    finally:
        os.close(there)
