"""What machine code needs besides clang itself: musl's headers and libraries, laid out as clang expects them.

The kit is made once, in the user's cache, and then found by its name alone, because every compile of ``unfork cc``
waits for it. Native replays with the bundled clang use the same.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Sequence
from importlib.machinery import PathFinder
from typing import NamedTuple

from unfork.program.c import libcxx

TRIPLE = "x86_64-unknown-linux-musl"
LAYOUT = "3"
"""Change this with the contents of a kit, so that no old one is used."""
CPP_LIBRARY = "sysroot/usr/lib/libc++.a"
"""The part of a kit that only C++ needs: libc++, libc++abi and libunwind."""
PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
"""The folder that unfork is imported from."""


class NoKit(Exception):
    """Nothing can be compiled; the message says why."""


class Kit(NamedTuple):
    """Where zig is, and the kit's folder, ``home``."""

    zig: str
    home: str

    @property
    def sysroot(self) -> str:
        """Headers and libraries."""
        return os.path.join(self.home, "sysroot")

    @property
    def resources(self) -> str:
        """What belongs to the compiler: its own headers and run-time library."""
        return os.path.join(self.home, "resources")

    @property
    def headers(self) -> str:
        """The folder that has ziglang's headers of C++."""
        return os.path.join(os.path.dirname(self.zig), "lib")

    @property
    def programs(self) -> str:
        """The linker that clang finds, which links bitcode as well."""
        return os.path.join(self.home, "bin")

    @property
    def plain_programs(self) -> str:
        """The linker for machine code alone."""
        return os.path.join(self.home, "plain")

    def is_made(self, *, is_cpp: bool = False) -> bool:
        """Whether it is there, with C++'s libraries if these are needed."""
        return os.path.isdir(self.home) and (not is_cpp or os.path.exists(os.path.join(self.home, CPP_LIBRARY)))

    def clang(self, programs: str, *, links_cpp: bool, compiles_cpp: bool) -> list[str]:
        """The start of clang's command line; its linker is among ``programs``."""
        words = [self.zig, "clang", f"--target={TRIPLE}", f"--sysroot={self.sysroot}", "-resource-dir", self.resources]
        words += without_warnings([f"-B{programs}", "--rtlib=compiler-rt", "--unwindlib=none", "-fno-pie", "-no-pie"])
        if links_cpp:
            words += ["--driver-mode=g++"]
        if compiles_cpp:
            headers = [word for name in libcxx.HEADERS for word in ("-isystem", os.path.join(self.headers, name))]
            words += without_warnings(["-stdlib=libc++", "-nostdinc++", *headers, *libcxx.FOR_PROGRAMS])
        return words


def without_warnings(flags: Sequence[str]) -> list[str]:
    """The flags, without a warning for those that a step does not need."""
    return ["--start-no-unused-arguments", *flags, "--end-no-unused-arguments"]


def kit() -> Kit:
    """The kit of this Python, clang and unfork, which may have to be made. Raises NoKit."""
    spec = PathFinder.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise NoKit("the C compiler is missing: install the package ziglang")
    zig = os.path.join(next(iter(spec.submodule_search_locations)), "zig")
    about = "\n".join((LAYOUT, zig, sys.executable, PACKAGES))
    return Kit(zig, os.path.join(os.path.abspath(cache_folder()), f"toolchain-{zlib.crc32(os.fsencode(about)):08x}"))


def cache_folder() -> str:
    """The same as in program/llvm/compilation_cache.py, which would take too long to import for every compile."""
    if own := os.environ.get("UNFORK_CACHE"):
        return own
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return os.path.join(shared, "unfork")
    return os.path.join(os.path.expanduser("~"), ".cache", "unfork")


def python_code(module: str) -> str:
    """Python code that runs ``main`` of a module of unfork.commands.cc, whatever the environment says."""
    start = f"import sys; sys.path.insert(0, {PACKAGES!r}); from unfork.commands.cc.{module} import main"
    return f"{start}; sys.exit(main(sys.argv[1:]))"
