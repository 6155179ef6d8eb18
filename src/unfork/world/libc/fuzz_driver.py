"""What a fuzzer would link: the main of fuzz targets without one, and the functions behind AFL++'s macros."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from unfork.program.llvm import binding, compilation_cache, layout
from unfork.program.llvm.compiler import compiler_home
from unfork.program.llvm.module import FUZZ_TARGET, Program
from unfork.world.libc.library_build import SEEN_AS, LibrarySource, Recipe, zig_version

OURS = Path(__file__).parent / "fuzz"
_PARTS = {"main": OURS / "driver.c", "unfork_afl_loop": OURS / "afl_loop.c", "unfork_afl_data": OURS / "afl.c"}
"""The files, each by a function that it defines."""
NATIVE_FUZZER = OURS / "native_fuzzer.c"
"""Our fuzzer, for native builds that count edges."""
NATIVE_PROCESS = OURS / "native_process.c"
"""What our fuzzer is linked with to run a program with a main, each time in a process of its own."""
NATIVE_GATE = OURS / "native_gate.c"
"""What libFuzzer is linked with, so that it can wait and go on."""
_OF_DRIVER = "LLVMFuzzerMutate"
"""A function that only our main comes with."""
_FLAGS = (
    *("-c", "-emit-llvm", "-O1", "-gline-tables-only", "-std=c99", "-ffreestanding", "-w", "-nostdinc"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-fno-sanitize=all", "-Qunused-arguments"),
    *(f"--target={layout.TRIPLE}", "-fdebug-compilation-dir=/", f"-ffile-prefix-map={OURS}={SEEN_AS}/unfork"),
)


def needs(defined: Collection[str], wanted: Collection[str]) -> set[str]:
    """The functions of ours that a module needs which defines and wants these names."""
    of_target = {"main"} if FUZZ_TARGET in defined and "main" not in defined else set[str]()
    return of_target | {name for name in wanted if name.startswith("unfork_afl_")}


def native(program: Program) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """The files, with their flags, that a native build of a program with our functions compiles too."""
    linked = program.library if _OF_DRIVER in program.library else program.library - {"main"}
    return tuple([(file, ()) for name, file in _PARTS.items() if name in linked])


def source(program: Program) -> str:
    """Our functions that the program is linked with, as C or C++."""
    files = [file.read_text("utf-8") for file, _ in native(program)]
    included = (OURS / "input.h").read_text("utf-8")
    return "".join([included, *files]).replace('#include "input.h"\n', "") if files else ""


def is_target(program: Program) -> bool:
    """Whether the program is a fuzz target with our main."""
    return {"main", _OF_DRIVER} <= program.library


def _key() -> str:
    contents = [file.read_bytes() for file in sorted(OURS.iterdir())]
    return compilation_cache.key("libfuzz", zig_version(), binding.version(), *_FLAGS, *contents)


DRIVER = Recipe(
    "the main of fuzz targets",
    _key,
    lambda: [LibrarySource(f"unfork/{file.name}", file) for file in _PARTS.values()],
    lambda folder: [str(compiler_home() / "zig"), "clang", *_FLAGS],
    lambda source, folder: source.path,
)
