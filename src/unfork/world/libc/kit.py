"""The kit for machine code beside clang itself: musl's headers and libraries, in clang's layout.

It is made once, in the user's cache, and found by its name alone, because every compile of ``unfork cc`` waits for
it. Native replays with the bundled clang use the same kit.
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
LAYOUT = "5"
"""Change this with the contents of a kit, so that old ones go unused."""
FUZZERS = {"fuzzer": "native_main", "afl": "native_afl"}
"""Archives of a kit, each with the file in the folder fuzz that it is made of."""
CPP_LIBRARY = "sysroot/usr/lib/libc++.a"
"""The part of a kit for C++ alone: libc++, libc++abi and libunwind."""
PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


class NoKit(Exception):
    """Nothing can be compiled; the message says why."""


class Kit(NamedTuple):
    """The paths of zig and of the kit, ``home``."""

    zig: str
    home: str

    @property
    def sysroot(self) -> str:
        return os.path.join(self.home, "sysroot")

    @property
    def resources(self) -> str:
        """The compiler's own headers and run-time library."""
        return os.path.join(self.home, "resources")

    def archive(self, name: str) -> str:
        """The archive of FUZZERS with that name."""
        return os.path.join(self.resources, "lib", TRIPLE, f"libclang_rt.{name}.a")

    @property
    def headers(self) -> str:
        """The folder of ziglang's C++ headers."""
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
    """The flags, without warnings for those that a step does not use."""
    return ["--start-no-unused-arguments", *flags, "--end-no-unused-arguments"]


def kit() -> Kit:
    """The kit of this Python, clang and unfork, perhaps not made yet. Raises NoKit."""
    spec = PathFinder.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise NoKit("the C compiler is missing: install the package ziglang")
    zig = os.path.join(next(iter(spec.submodule_search_locations)), "zig")
    about = "\n".join((LAYOUT, zig, sys.executable, PACKAGES))
    return Kit(zig, os.path.join(os.path.abspath(cache_folder()), f"toolchain-{zlib.crc32(os.fsencode(about)):08x}"))


def cache_folder() -> str:
    """As in program/llvm/compilation_cache.py, whose import would slow every compile."""
    if own := os.environ.get("UNFORK_CACHE"):
        return own
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return os.path.join(shared, "unfork")
    return os.path.join(os.path.expanduser("~"), ".cache", "unfork")


def python_code(module: str) -> str:
    """Python code that runs ``main`` of a module of unfork.commands.cc, in any environment."""
    start = f"import sys; sys.path.insert(0, {PACKAGES!r}); from unfork.commands.cc.{module} import main"
    return f"{start}; sys.exit(main(sys.argv[1:]))"
