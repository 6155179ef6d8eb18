"""What compiling needs besides clang itself: musl's headers and libraries, laid out as clang expects them on a system.

The kit is made once, in the user's cache, and then found by its name alone, because every compile waits for it.
"""

from __future__ import annotations

import os
import sys
import zlib
from importlib.machinery import PathFinder
from typing import NamedTuple

TRIPLE = "x86_64-unknown-linux-musl"
LAYOUT = "2"
"""Change this with the contents of a kit, so that no old one is used."""
CPP_LIBRARY = "sysroot/usr/lib/libc++.a"
"""The part of a kit that only C++ needs: libc++, libc++abi and libunwind."""
PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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
        """The linker that clang finds."""
        return os.path.join(self.home, "bin")


def kit(*, is_cpp: bool = False) -> Kit:
    """The kit of this Python, clang and unfork, with C++'s libraries or not; made if need be. Raises NoKit."""
    spec = PathFinder.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise NoKit("the C compiler is missing: install the package ziglang")
    zig = os.path.join(next(iter(spec.submodule_search_locations)), "zig")
    about = "\n".join((LAYOUT, zig, sys.executable, PACKAGES))
    home = os.path.join(os.path.abspath(cache_folder()), f"toolchain-{zlib.crc32(os.fsencode(about)):08x}")
    if not os.path.isdir(home):
        _make(zig, home)
    if is_cpp and not os.path.exists(os.path.join(home, CPP_LIBRARY)):
        _make(zig, home, "c++")
    return Kit(zig, home)


def _make(zig: str, home: str, *part: str) -> None:
    words = ["-I", "-c", python_code("make_kit"), zig, home, *part]
    if os.spawnv(os.P_WAIT, sys.executable, [sys.executable, *words]):
        raise NoKit("the library could not be made ready")


def cache_folder() -> str:
    """The same as in llvm/cache.py, which would take too long to import for every compile."""
    if own := os.environ.get("UNFORK_CACHE"):
        return own
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return os.path.join(shared, "unfork")
    return os.path.join(os.path.expanduser("~"), ".cache", "unfork")


def python_code(module: str) -> str:
    """Python code that runs ``main`` of a module of this package, whatever the environment says."""
    start = f"import sys; sys.path.insert(0, {PACKAGES!r}); from unfork.toolchain.{module} import main"
    return f"{start}; sys.exit(main(sys.argv[1:]))"
