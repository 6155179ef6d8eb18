"""Makes the kit: musl's libraries as zig builds them, its headers in one tree, and a linker that keeps bitcode."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from unfork.environment.libc import only_process
from unfork.llvm import cache
from unfork.llvm.commands import Finished, run
from unfork.toolchain.kit import CPP_LIBRARY, TRIPLE, NoKit, python_code

HEADERS = ("x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any")
"""Folders of headers in ziglang; where two have the same header, the first wins."""
STARTS = ("crt1.o", "Scrt1.o", "rcrt1.o")
EMPTY_OBJECTS = ("crti.o", "crtn.o")
EMPTY_LIBRARIES = ("m", "pthread", "rt", "dl", "crypt", "util", "xnet", "resolv", "gcc", "gcc_eh", "gcc_s")
"""musl has all of these in libc.a; programs name them all the same."""
STUB = ("-DARCH_x86_64", "-DPTR64", "-DFAMILY_x86")


def main(words: Sequence[str]) -> int:
    """Make the kit; ``words`` are zig and the kit's folder, then c++ for its part of a kit. Returns an exit status."""
    zig, home, *part = words
    try:
        (make_cpp if part else make)(zig, Path(home))
    except (NoKit, OSError) as problem:
        sys.stderr.write(f"unfork cc: {problem}\n")
        return 1
    return 0


def make(zig: str, home: Path) -> None:
    """Make the kit at ``home``, whole or not at all. Of two processes that start at once, one waits for the other."""
    folder = cache.make_folder()
    if folder is None:
        raise NoKit(f"{cache.folder()} cannot be made a folder that only you write to; set UNFORK_CACHE to another")
    with only_process(folder / "toolchain.lock"):
        if home.is_dir():
            return
        if sys.stderr.isatty():
            sys.stderr.write("unfork cc: making the C library ready (once)...\n")
        temporary = Path(tempfile.mkdtemp(prefix="new-toolchain-", dir=folder))
        try:
            fill(zig, temporary, home)
            os.rename(temporary, home)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def make_cpp(zig: str, home: Path) -> None:
    """Add the libraries of C++ to the kit at ``home``, in one file."""
    with only_process(cache.folder() / "toolchain.lock"):
        target = home / CPP_LIBRARY
        if target.exists():
            return
        if sys.stderr.isatty():
            sys.stderr.write("unfork c++: making the C++ library ready (once)...\n")
        scratch = Path(tempfile.mkdtemp(prefix="new-toolchain-", dir=home.parent))
        try:
            built = built_libraries(zig, scratch, "c++")
            parts = [str(built[name]) for name in ("libc++.a", "libc++abi.a", "libunwind.a")]
            output_of(run([zig, "ar", "qcsL", str(scratch / "whole.a"), *parts]))
            os.rename(scratch / "whole.a", target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def fill(zig: str, kit: Path, home: Path) -> None:
    """Put all parts in ``kit``, which will be moved to ``home``."""
    library = Path(zig).parent / "lib"
    sysroot = kit / "sysroot" / "usr"
    merge_headers([library / "libc" / "include" / name for name in HEADERS], sysroot / "include")
    resources = kit / "resources"
    resources.mkdir()
    (resources / "include").symlink_to(library / "include")
    runtime = resources / "lib" / TRIPLE
    runtime.mkdir(parents=True)
    libraries = sysroot / "lib"
    libraries.mkdir()
    empty = libraries / "crti.o"
    output_of(run([zig, "clang", f"--target={TRIPLE}", "-c", "-x", "assembler", os.devnull, "-o", str(empty)]))
    built = built_libraries(zig, kit)
    for name in STARTS:
        shutil.copyfile(built["crt1.o"], libraries / name)
    for path in (*(libraries / name for name in EMPTY_OBJECTS[1:]), *(runtime / name for name in crt_names())):
        shutil.copyfile(empty, path)
    shutil.copyfile(built["libc.a"], libraries / "libc.a")
    shutil.copyfile(built["libcompiler_rt.a"], runtime / "libclang_rt.builtins.a")
    shutil.rmtree(kit / "zig-cache", ignore_errors=True)
    for name in EMPTY_LIBRARIES:
        (libraries / f"lib{name}.a").write_bytes(b"!<arch>\n")
    stub(zig, library / "libc" / "musl" / "libc.S", kit / "sysroot" / "shared" / "libc.so")
    programs = kit / "bin"
    programs.mkdir()
    for name in ("ld.lld", "ld"):
        script = programs / name
        script.write_text(linker_script(zig, str(home)), "utf-8")
        script.chmod(0o755)


def crt_names() -> list[str]:
    """The files that clang puts around a program for constructors of old; musl needs none of them."""
    return ["clang_rt.crtbegin.o", "clang_rt.crtend.o"]


def merge_headers(sources: Sequence[Path], target: Path) -> None:
    """One tree with a link to each header."""
    for source in sources:
        for folder, _, files in os.walk(source):
            copy = target / os.path.relpath(folder, source)
            copy.mkdir(parents=True, exist_ok=True)
            for name in files:
                if not (copy / name).is_symlink():
                    (copy / name).symlink_to(os.path.join(folder, name))


def built_libraries(zig: str, kit: Path, language: str = "cc") -> dict[str, Path]:
    """musl's start file and archive and the compiler's run-time library, which zig builds when it links a program.

    For the ``language`` c++ there are its libraries as well.
    """
    source = kit / "empty.c"
    source.write_text("int main(void) { return 0; }\n", "ascii")
    # With optimisation, zig does not add the run-time library of its sanitizers. Shared libraries link the compiler's
    # run-time library, so it must be position-independent.
    flags = ["-O2", "-fPIC", "-fno-sanitize=all", "--verbose"]
    command = [zig, language, "-target", "x86_64-linux-musl", *flags, str(source)]
    command += ["-o", str(kit / "empty")]
    printed = output_of(run(command, environment={**os.environ, **zig_caches(kit)})).splitlines()
    links = [line for line in printed if line.startswith("ld.lld") and "libc.a" in line]
    if not links:
        raise NoKit("zig does not say where the C library is")
    files = {os.path.basename(word): Path(word) for word in shlex.split(links[-1])}
    for name in ("empty.c", "empty"):
        (kit / name).unlink()
    return files


def zig_caches(kit: Path) -> dict[str, str]:
    """Variables that give zig a cache in the kit, if it cannot write to its own: zig would not end without one."""
    shared = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    usual = os.environ.get("ZIG_GLOBAL_CACHE_DIR") or os.path.join(shared, "zig")
    if os.access(usual, os.W_OK):
        return {}
    return dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(kit / "zig-cache"))


def stub(zig: str, source: Path, target: Path) -> None:
    """A libc.so without code, so that links of shared libraries report what is missing."""
    target.parent.mkdir()
    stub_object = target.with_suffix(".o")
    output_of(run([zig, "clang", f"--target={TRIPLE}", *STUB, "-c", str(source), "-o", str(stub_object)]))
    output_of(run([zig, "ld.lld", "-shared", "-soname", "libc.so", str(stub_object), "-o", str(target)]))
    stub_object.unlink()


def linker_script(zig: str, home: str) -> str:
    """The program that clang runs as its linker."""
    start = shlex.join([sys.executable, "-I", "-S", "-c", python_code("linker"), zig, home])
    return f'#!/bin/sh\nexec {start} "$@"\n'


def output_of(finished: Finished) -> str:
    """What a command wrote to standard error. Raises NoKit if it failed."""
    if finished.status:
        raise NoKit(f"making the library ready failed: {finished.complaint.strip()}")
    return finished.complaint
