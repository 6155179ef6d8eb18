"""Compiles libc++ and libc++abi; our search for exception handlers (cpp/unwind.cpp) replaces libunwind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from unfork.errors import InputError
from unfork.program.c import libcxx
from unfork.program.llvm import binding, compilation_cache, layout
from unfork.program.llvm.compiler import HEADERS, compiler_home
from unfork.world.libc.library_build import SEEN_AS, LibrarySource, Recipe, zig_version

OURS = Path(__file__).parent / "cpp"
_REPLACED = frozenset(
    ("cxa_default_handlers.cpp", "cxa_personality.cpp", "cxa_noexception.cpp", "stdlib_new_delete.cpp", "new.cpp")
)
"""Files that ours replace, and one for programs without exceptions."""
_UNUSED = frozenset(("int128_builtins.cpp",))
"""Files of libc++ that only other compilers need."""
_FLAGS = (
    *("-c", "-emit-llvm", "-O1", "-gline-tables-only", "-std=c++23", "-w", "-fexceptions", "-frtti"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-fno-sanitize=all", "-faligned-allocation"),
    *("-fvisibility=hidden", "-fvisibility-inlines-hidden", "-nostdinc", "-nostdinc++", "-Qunused-arguments"),
    *(f"--target={layout.TRIPLE}", "-fdebug-compilation-dir=/", "-DNDEBUG"),
)
_OF_LIBCXX = ("-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI", "-D_LIBCPP_HAS_NO_PRAGMA_SYSTEM_HEADER")
_OF_ABI = ("-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS")
_FOLDERS = (*libcxx.HEADERS, "libcxx/src", "libcxxabi/src", "libunwind/include")


def key() -> str:
    """The build's cache key: compiler, its libraries, flags and our own files."""
    ours = [file.read_bytes() for file in sorted(OURS.iterdir())]
    words = (*_FLAGS, *libcxx.DEFINITIONS, *_OF_LIBCXX, *_OF_ABI)
    return compilation_cache.key("libcpp", zig_version(), binding.version(), *words, *ours, Path(__file__).read_bytes())


def sources() -> list[LibrarySource]:
    """The files to compile, ours first. Raises InputError if the library is missing."""
    home = compiler_home() / "lib"
    files = [LibrarySource(f"unfork/{file.name}", file, _OF_ABI) for file in sorted(OURS.glob("*.cpp"))]
    files += _below(home / "libcxxabi/src", ("*.cpp",), _OF_ABI)
    files += _below(home / "libcxx/src", ("*.cpp", "ryu/*.cpp", "filesystem/*.cpp"), _OF_LIBCXX)
    if len(files) < 60:
        raise InputError(f"the C++ library's sources are missing in {home}: install the package ziglang 0.14.1")
    return files


def _below(folder: Path, patterns: Iterable[str], flags: tuple[str, ...]) -> list[LibrarySource]:
    files = [file for pattern in patterns for file in sorted(folder.glob(pattern))]
    files = [file for file in files if file.name not in _REPLACED | _UNUSED]
    return [LibrarySource(f"{folder.parent.name}/{file.relative_to(folder)}", file, flags) for file in files]


def _command(folder: Path) -> list[str]:
    home = compiler_home()
    words = [str(home / "zig"), "clang", *_FLAGS, *libcxx.DEFINITIONS]
    words += [f"-ffile-prefix-map={OURS}={SEEN_AS}/unfork", f"-ffile-prefix-map={home / 'lib'}={SEEN_AS}"]
    for name in _FOLDERS:
        words += ["-I", str(home / "lib" / name)]
    for name in HEADERS:
        words += ["-isystem", str(home / "lib" / name)]
    return words


CPP = Recipe("the C++ library", key, sources, _command, lambda source, folder: source.path)
