"""The main of fuzz targets: a program that defines LLVMFuzzerTestOneInput and no main is linked with it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from unfork.program.llvm import binding, compilation_cache, layout
from unfork.program.llvm.compiler import compiler_home
from unfork.program.llvm.module import FUZZ_TARGET, Program
from unfork.world.libc.library_build import SEEN_AS, LibrarySource, Recipe, zig_version

OURS = Path(__file__).parent / "fuzz"
_DRIVER = OURS / "driver.c"
_MARK = "LLVMFuzzerMutate"
"""A function that the driver defines, too."""
_FLAGS = (
    *("-c", "-emit-llvm", "-O1", "-gline-tables-only", "-std=c99", "-ffreestanding", "-w", "-nostdinc"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-fno-sanitize=all", "-Qunused-arguments"),
    *(f"--target={layout.TRIPLE}", "-fdebug-compilation-dir=/", f"-ffile-prefix-map={OURS}={SEEN_AS}/unfork"),
)


def is_needed(defined: Collection[str]) -> bool:
    """Whether a module that defines these names is a fuzz target without main."""
    return FUZZ_TARGET in defined and "main" not in defined


def native(program: Program) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """The file, with its flags, that a native build of a program with the driver compiles too."""
    return ((_DRIVER, ()),) if {"main", _MARK} <= program.library else ()


def _key() -> str:
    return compilation_cache.key("libfuzz", zig_version(), binding.version(), *_FLAGS, _DRIVER.read_bytes())


DRIVER = Recipe(
    "the main of fuzz targets",
    _key,
    lambda: [LibrarySource("unfork/driver.c", _DRIVER)],
    lambda folder: [str(compiler_home() / "zig"), "clang", *_FLAGS],
    lambda source, folder: source.path,
)
