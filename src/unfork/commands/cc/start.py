"""Turns ``unfork cc``, ``c++`` and ``ar`` into clang and LLVM's archiver. It imports little, so that they start fast.

Clang gets the user's words, and ours around them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from unfork.program.c import fuzzers, libcxx, system_folders
from unfork.program.c.suffixes import COMPILED, CPP_SUFFIXES
from unfork.world.libc.kit import Kit, NoKit, kit, python_code, without_warnings

UNUSABLE, INTERRUPTED = 2, 130


def main(words: Sequence[str]) -> int:
    """Become the compiler or the archiver that ``words`` name; returns an exit status only if that fails."""
    tool, *rest = words
    try:
        is_cpp = tool == "c++"
        tools = _made(kit(), is_cpp=is_cpp)
        command = archiver(tools, rest) if tool == "ar" else compiler(tools, rest, is_cpp=is_cpp)
        os.execv(command[0], command)
    except NoKit as problem:
        sys.stderr.write(f"unfork {tool}: {problem}\n")
    except OSError as error:
        sys.stderr.write(f"unfork {tool}: {error.filename or ''}: {error.strerror}\n")
    except KeyboardInterrupt:  # while the kit is made: the next command uses the finished parts
        return INTERRUPTED
    return UNUSABLE


def archiver(tools: Kit, rest: Sequence[str]) -> list[str]:
    """LLVM's archiver, which lists the symbols of bitcode and of machine code alike."""
    return [tools.zig, "ar", *rest]


OPTIMIZE = "UNFORK_CC_OPTIMIZE"
"""The environment variable that, set to ``keep``, keeps the build's own -O."""

BITCODE = ("-flto", "-ffat-lto-objects")
"""Write machine code, with its bitcode in the section .llvm.lto."""
UNOPTIMIZED = ("-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-fsanitize-address-use-after-scope")
"""As program/llvm/compiler.py compiles: nothing is lost, passes may run later, and the lifetimes of locals are marked.
"""
FOR_ANALYSIS = ("-g", "-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-U_FORTIFY_SOURCE")


def compiler(kit: Kit, given: Sequence[str], *, is_cpp: bool = False) -> list[str]:
    """The clang command that compiles and links as ``given`` says. Raises NoKit for a bad UNFORK_CC_OPTIMIZE."""
    if given and given[0] in ("-cc1", "-cc1as"):
        return [kit.zig, "clang", *given]
    compiles_cpp = is_cpp or any(os.path.splitext(word)[1] in CPP_SUFFIXES for word in given)  # as gcc does with cc
    start = kit.clang(kit.programs, links_cpp=is_cpp, compiles_cpp=compiles_cpp)
    if compiles_cpp:
        start += [f"-fdebug-prefix-map={kit.headers}={libcxx.SEEN_AS}"]
    level = os.environ.get(OPTIMIZE, "")
    if level not in ("", "keep"):
        raise NoKit(f"{OPTIMIZE} is {level!r}; it can be 'keep' or not set")
    keeps = level == "keep"
    ours = ["-fuse-ld=lld", *(() if keeps else UNOPTIMIZED), *FOR_ANALYSIS]
    if "-emit-llvm" not in given:
        ours += BITCODE
    given, folders = system_folders.without(given)
    ours += [word for folder in folders for word in ("-idirafter", folder)]
    given, sanitizers = fuzzers.without_sanitizers(given)
    for source in filter(is_source, given):
        ours += _macros(source)
    if sanitizers:
        ours += ["-idirafter", fuzzers.HEADERS]
    last = [kit.archive("fuzzer")] if "fuzzer" in sanitizers and NO_LINK.isdisjoint(given) else []
    return [*start, *given, *last, *without_warnings(ours)]


NO_LINK = frozenset(("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-emit-llvm"))
"""Words of compilers that link nothing."""


def is_source(word: str) -> bool:
    """Whether a word names a source, not an option."""
    return os.path.splitext(word)[1] in COMPILED and not word.startswith("-")


def _macros(source: str) -> tuple[str, ...]:
    try:
        with open(source, "rb") as file:
            return fuzzers.macro_flags(file.read())
    except OSError:
        return ()  # clang says what is wrong


def _made(tools: Kit, *, is_cpp: bool) -> Kit:
    """The kit; if it is not there, another Python makes it, which needs more imports. Raises NoKit."""
    if not tools.is_made(is_cpp=is_cpp):
        words = ["-I", "-c", python_code("kit_progress"), *(["c++"] if is_cpp else [])]
        if os.spawnv(os.P_WAIT, sys.executable, [sys.executable, *words]):
            raise NoKit("the library could not be made ready")
    return tools
