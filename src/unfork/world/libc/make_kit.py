"""Makes the kit: musl's libraries built by zig, its headers in one tree, and a linker that keeps bitcode."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from unfork.program.llvm import compilation_cache
from unfork.program.llvm.subprocesses import Finished, run
from unfork.world.libc import build_store
from unfork.world.libc.build_store import UNFINISHED, OneOff, Progress, Report
from unfork.world.libc.kit import CPP_LIBRARY, FUZZERS, TRIPLE, Kit, NoKit, kit, python_code

C_NAME, CPP_NAME = "the C library for native programs", "the C++ library for native programs"
OBJECTS = {"cc": 1353, "c++": 1445}
"""The number of files that zig compiles for a language, C's included; only shows progress."""
_LOCK = "toolchain.lock"
ZIG_CACHE = "ZIG_GLOBAL_CACHE_DIR"
HEADERS = ("x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any")
"""Folders of headers in ziglang; where two have the same header, the first wins."""
STARTS = ("crt1.o", "Scrt1.o", "rcrt1.o")
EMPTY_OBJECTS = ("crti.o", "crtn.o")
EMPTY_LIBRARIES = ("m", "pthread", "rt", "dl", "crypt", "util", "xnet", "resolv", "gcc", "gcc_eh", "gcc_s")
"""musl has all of these in libc.a; programs name them all the same."""
STUB = ("-DARCH_x86_64", "-DPTR64", "-DFAMILY_x86")


def obtain(progress: Progress, *, is_cpp: bool = False) -> Kit:
    """The kit, made if needed, with or without C++'s libraries. Raises NoKit and InputError."""
    own_kit = kit()
    for build in builds(own_kit, is_cpp=is_cpp):
        build_store.obtain(progress, build)
    return own_kit


def builds(own_kit: Kit, *, is_cpp: bool) -> list[OneOff]:
    """The parts of a kit to be made."""
    parts = [OneOff(C_NAME, _LOCK, own_kit.is_made, lambda home, report: _make(own_kit, home, report))]
    if is_cpp:
        parts.append(
            OneOff(
                CPP_NAME,
                _LOCK,
                lambda: own_kit.is_made(is_cpp=True),
                lambda home, report: _add_cpp(own_kit, home, report),
            )
        )
    return parts


def _make(own_kit: Kit, home: Path, report: Report) -> None:
    scratch = home / f"{UNFINISHED}toolchain"
    shutil.rmtree(scratch, ignore_errors=True)  # zig's own cache keeps its compilations
    scratch.mkdir()
    fill(own_kit.zig, scratch, Path(own_kit.home), report)
    os.rename(scratch, own_kit.home)


def _add_cpp(own_kit: Kit, home: Path, report: Report) -> None:
    scratch = home / f"{UNFINISHED}toolchain"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    built = built_libraries(own_kit.zig, scratch, report, "c++")
    parts = [str(built[name]) for name in ("libc++.a", "libc++abi.a", "libunwind.a")]
    output_of(run([own_kit.zig, "ar", "qcsL", str(scratch / "whole.a"), *parts]))
    os.rename(scratch / "whole.a", os.path.join(own_kit.home, CPP_LIBRARY))
    shutil.rmtree(scratch)


def fill(zig: str, kit: Path, home: Path, report: Report) -> None:
    """Put all parts in ``kit``, whose final place will be ``home``."""
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
    built = built_libraries(zig, kit, report)
    for name in STARTS:
        shutil.copyfile(built["crt1.o"], libraries / name)
    for path in (*(libraries / name for name in EMPTY_OBJECTS[1:]), *(runtime / name for name in crt_names())):
        shutil.copyfile(empty, path)
    shutil.copyfile(built["libc.a"], libraries / "libc.a")
    shutil.copyfile(built["libcompiler_rt.a"], runtime / "libclang_rt.builtins.a")
    for name in EMPTY_LIBRARIES:
        (libraries / f"lib{name}.a").write_bytes(b"!<arch>\n")
    stub(zig, library / "libc" / "musl" / "libc.S", kit / "sysroot" / "shared" / "libc.so")
    make_fuzzers(zig, kit)
    for folder, text in (("bin", linker_script(zig, str(home))), ("plain", plain_linker_script(zig))):
        (kit / folder).mkdir()
        for name in ("ld.lld", "ld"):
            script = kit / folder / name
            script.write_text(text, "utf-8")
            script.chmod(0o755)


def make_fuzzers(zig: str, kit: Path) -> None:
    """Make the archives that stand in for a fuzzer's run-time library in native programs."""
    made = Kit(zig, str(kit))
    for name, file in FUZZERS.items():
        source, output = Path(__file__).parent / "fuzz" / f"{file}.c", kit / f"{file}.o"
        words = [zig, "clang", f"--target={TRIPLE}", f"--sysroot={made.sysroot}", "-resource-dir", made.resources]
        output_of(run([*words, "-O1", "-c", str(source), "-o", str(output)]))
        output_of(run([zig, "ar", "qcs", made.archive(name), str(output)]))
        output.unlink()


def crt_names() -> list[str]:
    """Start files that clang links for old constructors; musl needs none."""
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


def built_libraries(zig: str, kit: Path, report: Report, language: str = "cc") -> dict[str, Path]:
    """musl's start file and archive, and the compiler's run-time library; zig builds them when it links a program.

    For the ``language`` c++, its libraries as well. zig caches its compilations, file by file.
    """
    source = kit / "empty.c"
    source.write_text("int main(void) { return 0; }\n", "ascii")
    # With optimisation, zig does not add its sanitizers' run-time library. Shared libraries link the compiler's
    # run-time library, so it must be position-independent.
    flags = ["-O2", "-fPIC", "-fno-sanitize=all", "--verbose"]
    command = [zig, language, "-target", "x86_64-linux-musl", *flags, str(source)]
    command += ["-o", str(kit / "empty")]
    objects = zig_cache() / "o"
    total = OBJECTS[language]

    def count() -> None:
        number = len(os.listdir(objects)) if objects.is_dir() else 0
        report(min(number, total - 1), total)

    count()
    caches = dict.fromkeys((ZIG_CACHE, "ZIG_LOCAL_CACHE_DIR"), str(zig_cache()))
    printed = output_of(run(command, environment={**os.environ, **caches}, meanwhile=count)).splitlines()
    links = [line for line in printed if line.startswith("ld.lld") and "libc.a" in line]
    if not links:
        raise NoKit("zig does not say where the C library is")
    files = {os.path.basename(word): Path(word) for word in shlex.split(links[-1])}
    for name in ("empty.c", "empty"):
        (kit / name).unlink()
    report(total, total)
    return files


def zig_cache() -> Path:
    """zig's cache: in ours, unless the user chose another folder for zig."""
    own = os.environ.get(ZIG_CACHE)
    return Path(own) if own else compilation_cache.folder().absolute() / "toolchain-zig"


def stub(zig: str, source: Path, target: Path) -> None:
    """A libc.so without code, so that links of shared libraries report missing symbols."""
    target.parent.mkdir()
    stub_object = target.with_suffix(".o")
    output_of(run([zig, "clang", f"--target={TRIPLE}", *STUB, "-c", str(source), "-o", str(stub_object)]))
    output_of(run([zig, "ld.lld", "-shared", "-soname", "libc.so", str(stub_object), "-o", str(target)]))
    stub_object.unlink()


def linker_script(zig: str, home: str) -> str:
    """The program that clang runs as its linker."""
    start = shlex.join([sys.executable, "-I", "-S", "-c", python_code("linker"), zig, home])
    return f'#!/bin/sh\nexec {start} "$@"\n'


def plain_linker_script(zig: str) -> str:
    """The program that clang runs as its linker if there is no bitcode."""
    return f'#!/bin/sh\nexec {shlex.join([zig, "ld.lld"])} "$@"\n'


def output_of(finished: Finished) -> str:
    """A command's standard error. Raises NoKit if it failed."""
    if finished.status:
        raise NoKit(f"making the library ready failed: {finished.complaint.strip()}")
    return finished.complaint
