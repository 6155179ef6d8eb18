"""Compiles C with clang, reads bitcode and LLVM IR, links them, and hands out the Program: the one user of llvmlite."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from unfork.errors import InputError
from unfork.program import passes, reader
from unfork.program.ir import Program

C_SUFFIXES = frozenset((".c", ".i"))
IR_SUFFIXES = frozenset((".bc", ".ll"))
INCLUDE = Path(__file__).parent.parent / "include"

SANITIZERS = {"overflow": "signed-integer-overflow", "shift": "shift"}
"""Checks that the compiler inserts, by their names in unfork and in clang."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How C becomes IR. ``compiler`` is a clang to use instead of the one that comes along; ``flags`` go to it as they are."""

    compiler: str | None = None
    flags: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    checks: frozenset[str] = frozenset()
    optimize: int = 1


class CompileError(InputError):
    """The compiler refused a file; the message is what it printed, as it printed it."""


def build(files: Sequence[Path], options: CompileOptions) -> Program:
    """The linked program. Raises InputError for anything that is not one."""
    if not files:
        raise InputError("no input file")
    modules = [load(file, options) for file in files]
    linked = modules[0]
    bitcode = None
    for file, (module, _) in zip(files[1:], modules[1:], strict=True):
        link(linked[0], module, file)
    if len(modules) == 1:
        bitcode = modules[0][1]
    return finish(linked[0], bitcode, options, {os.path.abspath(file): str(file) for file in files})


def finish(module: llvm.ModuleRef, bitcode: bytes | None, options: CompileOptions, names: Mapping[str, str]) -> Program:
    """Passes and reading. ``bitcode`` is the module's, if it is at hand."""
    if bitcode is None:
        bitcode = module.as_bitcode()
    text = str(module)
    if options.optimize:
        text = passes.simplify(text)
    return reader.read(text, bitcode, names)


def load(file: Path, options: CompileOptions) -> tuple[llvm.ModuleRef, bytes]:
    """One file as a module, and its bitcode."""
    suffix = file.suffix
    if suffix not in C_SUFFIXES and suffix not in IR_SUFFIXES:
        raise InputError(f"{file}: unknown kind of file (expected .c, .i, .bc or .ll)")
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{file}: is a directory") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None
    if suffix in C_SUFFIXES:
        data = compile_c(file, options)
    return parse(file, data)


def parse(file: Path, data: bytes) -> tuple[llvm.ModuleRef, bytes]:
    """Bitcode, or LLVM IR text, as a module for x86-64."""
    try:
        if data[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b"):
            module = llvm.parse_bitcode(data)
        elif file.suffix == ".ll":
            module = llvm.parse_assembly(data.decode("utf-8", "surrogateescape"))
            data = module.as_bitcode()
        else:
            raise InputError(f"{file}: not LLVM bitcode")
    except (RuntimeError, UnicodeError) as error:
        raise InputError(f"{file}: {one_line(str(error))}") from None
    return module, data


def one_line(text: str) -> str:
    return " ".join(text.split())


def link(target: llvm.ModuleRef, module: llvm.ModuleRef, file: Path) -> None:
    try:
        target.link_in(module)
    except RuntimeError as error:
        raise InputError(f"{file}: cannot be linked: {one_line(str(error))}") from None


def compile_c(file: Path, options: CompileOptions) -> bytes:
    """The bitcode of one C file. Raises CompileError with the compiler's own words."""
    with tempfile.TemporaryDirectory(prefix="unfork-") as folder:
        output = os.path.join(folder, "out.bc")
        command = [*compiler(options), *flags(options), "-o", output, str(file)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:
            raise CompileError(done.stderr.decode("utf-8", "replace").rstrip("\n"))
        return Path(output).read_bytes()


def compiler(options: CompileOptions) -> list[str]:
    """The words that start the compiler, with its headers."""
    if options.compiler is not None:
        found = shutil.which(options.compiler)
        if found is None:
            raise InputError(f"--cc {options.compiler}: no such program")
        return [found]
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("the C compiler is missing: install the package ziglang, or use --cc")
    home = Path(next(iter(spec.submodule_search_locations)))
    # `zig clang` is the clang behind `zig cc`, without the cache that the latter fills.
    folders = (
        "include",
        "libc/include/x86_64-linux-musl",
        "libc/include/generic-musl",
        "libc/include/x86-linux-any",
        "libc/include/any-linux-any",
    )
    words = [str(home / "zig"), "clang", "--target=x86_64-linux-musl", "-nostdinc"]
    for folder in folders:
        words += ["-isystem", str(home / "lib" / folder)]
    return words


def flags(options: CompileOptions) -> list[str]:
    words = ["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-sanitize=all"]
    words += ["-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-U_FORTIFY_SOURCE"]
    # The flag only makes clang mark where a local's life begins and ends, which it skips at -O0.
    words += ["-fdebug-compilation-dir=.", "-Xclang", "-fsanitize-address-use-after-scope"]
    sanitizers = [SANITIZERS[check] for check in sorted(options.checks) if check in SANITIZERS]
    if sanitizers:
        words.append("-fsanitize=" + ",".join(sanitizers))
    words += [f"-I{INCLUDE}", *(f"-I{folder}" for folder in options.include)]
    words += [f"-D{name}" for name in options.define]
    return [*words, *options.flags]
