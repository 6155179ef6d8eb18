"""What the machine that unfork runs on offers: processor cores, counts of use, limits, and programs of the target.

The explored program is one for x86-64 Linux on every host: no meaning depends on what is here. Nobody else asks which
system this is, except for report/replay/jail.py, which is a program for Linux of its own.
"""

from __future__ import annotations

import abc
import contextlib
import ctypes
import importlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_CORE, getrlimit, setrlimit
from typing import Any

from unfork.errors import InputError

USER, SYSTEM, USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = range(11, 15)
"""Indices of processor times in ``status_words``."""
SIGNED_CHARS = "-fsigned-char"
"""A compiler's flag for hosts whose char has no sign."""
_MACHINES = {"x86_64": 62, "amd64": 62, "aarch64": 183, "arm64": 183}
"""e_machine in the header of an ELF file, by the host's own name for its processor."""
_TARGET, _NARROW_TARGET = 62, 3
_EMULATORS = ("qemu-x86_64", "qemu-x86_64-static")
"""Of qemu-user: they run a program for x86-64 Linux on another Linux."""
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG."""
_OFTEN = 0.5
"""Seconds between two looks whether the parent still lives, where the system does not tell."""


class Host(abc.ABC):
    """A kind of operating system. ``processor`` is its own name for the processor."""

    name = ""

    def __init__(self, processor: str) -> None:
        self.processor = processor.lower()

    @property
    def is_target_processor(self) -> bool:
        """Whether the processor is the explored program's."""
        return _MACHINES.get(self.processor) == _TARGET

    # --- cores

    @abc.abstractmethod
    def cores(self) -> set[int]:
        """The numbers of the cores that this process may use."""

    @abc.abstractmethod
    def keep_to(self, cores: set[int]) -> None:
        """Let this process use these cores alone, where the system offers that."""

    # --- what processes use

    @abc.abstractmethod
    def seconds_used(self, process: int) -> float:
        """The processor seconds that a process has used itself. Raises OSError if it is gone."""

    @abc.abstractmethod
    def seconds_with_children(self) -> float:
        """The processor seconds of this process and its children, ended ones included."""

    @abc.abstractmethod
    def resident_bytes(self, process: int | None = None) -> int:
        """The resident memory of a process, or of this one. Raises OSError if it is gone."""

    # --- limits

    @abc.abstractmethod
    def limit_memory(self, most: int) -> None:
        """Let this process use at most so many bytes of address space, or fewer where a limit exists.

        It dumps no core. Where the system keeps no such limit, the parent watches the resident memory.
        """

    @abc.abstractmethod
    def end_with(self, parent: int) -> None:
        """End this process once its parent has ended."""

    # --- programs

    @abc.abstractmethod
    def starter(self, program: Path) -> Sequence[str]:
        """The words before an x86-64 Linux or own program that start it here. Raises InputError if none can."""


def status_words(process: int) -> list[str]:
    """The words of /proc/PID/stat after the name: state, parent, group, session, ... Raises OSError if it is gone."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def seconds_in(words: Sequence[str], *kinds: int) -> float:
    """The processor seconds of these kinds, by the ``status_words`` of a process."""
    return sum(int(words[kind]) for kind in kinds) / os.sysconf("SC_CLK_TCK")


class Linux(Host):
    """Linux on any processor; /proc has what processes use."""

    name = "Linux"

    def cores(self) -> set[int]:
        return os.sched_getaffinity(0)

    def keep_to(self, cores: set[int]) -> None:
        os.sched_setaffinity(0, cores)

    def seconds_used(self, process: int) -> float:
        return seconds_in(status_words(process), USER, SYSTEM)

    def seconds_with_children(self) -> float:
        """Children are counted in ticks."""
        process = os.getpid()
        used = time.process_time() + seconds_in(status_words(process), USER_OF_CHILDREN, SYSTEM_OF_CHILDREN)
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            with contextlib.suppress(OSError):  # it has just ended
                used += self.seconds_used(int(child))
        return used

    def resident_bytes(self, process: int | None = None) -> int:
        with open(f"/proc/{'self' if process is None else process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def limit_memory(self, most: int) -> None:
        _, allowed = getrlimit(RLIMIT_AS)
        most = most if allowed == RLIM_INFINITY else min(most, allowed)
        setrlimit(RLIMIT_AS, (most, most))
        setrlimit(RLIMIT_CORE, (0, 0))

    def end_with(self, parent: int) -> None:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    def starter(self, program: Path) -> Sequence[str]:
        built_for = _machine_of(program)
        if built_for is None or built_for == _MACHINES.get(self.processor):
            return ()
        if built_for == _NARROW_TARGET and self.is_target_processor:  # whether the kernel runs it, a probe finds out
            return ()
        emulator = next(filter(None, map(shutil.which, _EMULATORS)), None) if built_for == _TARGET else None
        if emulator is None:
            raise InputError(f"this host, {self.name} on {self.processor}, runs no x86-64 programs; qemu-user does")
        return (emulator, "-0")


class MacOS(Host):
    """macOS, with what processes use from psutil. A process cannot be kept to cores there, nor to an address space."""

    name = "macOS"

    def cores(self) -> set[int]:
        return set(range(os.cpu_count() or 1))

    def keep_to(self, cores: set[int]) -> None: ...

    def seconds_used(self, process: int) -> float:
        with _gone_as_os_error() as psutil:
            times = psutil.Process(process).cpu_times()
            return float(times.user + times.system)

    def seconds_with_children(self) -> float:
        with _gone_as_os_error() as psutil:
            this = psutil.Process()
            times = this.cpu_times()
            used = time.process_time() + float(times.children_user + times.children_system)
            children = [child.pid for child in this.children()]
        for child in children:
            with contextlib.suppress(OSError):  # it has just ended
                used += self.seconds_used(child)
        return used

    def resident_bytes(self, process: int | None = None) -> int:
        with _gone_as_os_error() as psutil:
            return int(psutil.Process(process).memory_info().rss)

    def limit_memory(self, most: int) -> None:
        setrlimit(RLIMIT_CORE, (0, 0))

    def end_with(self, parent: int) -> None:
        def watch() -> None:
            while os.getppid() == parent:
                time.sleep(_OFTEN)
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()

    def starter(self, program: Path) -> Sequence[str]:
        raise InputError(f"this host, {self.name} on {self.processor}, runs no Linux programs")


@contextlib.contextmanager
def _gone_as_os_error() -> Iterator[Any]:
    """psutil; its complaint that a process is gone becomes an OSError."""
    psutil = importlib.import_module("psutil")
    try:
        yield psutil
    except psutil.Error as problem:
        raise ProcessLookupError(str(problem)) from None


def _machine_of(program: Path) -> int | None:
    """The e_machine of an ELF file with little-endian words; None for another file, such as a script."""
    with program.open("rb") as file:
        head = file.read(20)
    return int.from_bytes(head[18:20], "little") if head[:4] == b"\x7fELF" and head[5] == 1 else None


@cache
def this() -> Host:
    """The host. Raises InputError where unfork has never run."""
    systems: dict[str, type[Host]] = {"linux": Linux, "darwin": MacOS}
    if sys.platform not in systems:
        raise InputError(f"unfork runs on Linux and macOS, and not on {sys.platform} yet")
    return systems[sys.platform](os.uname().machine)
