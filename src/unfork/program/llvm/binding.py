"""LLVM itself: parses, checks, links, runs passes, prints; the only user of llvmlite."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import llvmlite.binding as binding

from unfork import host
from unfork.errors import InputError
from unfork.program.llvm.layout import (
    DATA_LAYOUT,
    NARROW_DATA_LAYOUT,
    NARROW_TRIPLE,
    TRIPLE,
    assumption,
    is_narrow,
    narrow_objection,
    objection,
)

BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
"""The first bytes of bitcode: bare, and in a wrapper."""

LIBRARY = "unfork.library"
"""Named metadata: functions that are not the program's own."""

_FLOATING = re.compile(r"\b(?:half|float|double|x86_fp80|fp128)\b")

Module: TypeAlias = binding.ModuleRef


def parse_file(path: Path, data: bytes) -> Module:
    """Parse a user's .bc or .ll file. Raises InputError with a one-line message.

    LLVM may abort on broken bitcode, so call this in a process of its own (program/llvm/apart.py).
    """
    if path.suffix == ".bc" and not data.startswith(BITCODE):
        raise InputError(f"{path}: is not LLVM bitcode")
    try:
        is_bitcode = data[:2] in (b"BC", b"\xde\xc0")
        return binding.parse_bitcode(data) if is_bitcode else binding.parse_assembly(data.decode())
    except (RuntimeError, UnicodeError) as error:
        raise InputError(f"{path}: LLVM cannot read this file ({one_line(str(error))})") from None


def is_verified_when_read(data: bytes) -> bool:
    """Whether LLVM may verify this bitcode or text while reading it; ``was_verified_when_read`` says if it did."""
    return b"Debug Info Version" in data


def was_verified_when_read(text: str) -> bool:
    """Whether the module has debug information of this LLVM's version: then it is verified while it is read."""
    return '!"Debug Info Version", i32 3' in text


def verify(path: Path, module: Module) -> None:
    """Raise InputError if a module from the user's file ``path`` is not well formed."""
    try:
        module.verify()
    except RuntimeError as error:
        raise InputError(f"{path}: LLVM cannot read this file ({one_line(str(error))})") from None


def parse(data: bytes) -> Module:
    """The module in bitcode or text that is known to be valid. Raises InputError otherwise."""
    try:
        return binding.parse_bitcode(data) if data.startswith(BITCODE) else binding.parse_assembly(data.decode())
    except (RuntimeError, UnicodeError) as error:
        raise InputError(f"LLVM cannot read what the compiler wrote: {one_line(str(error))}") from None


def take_for_ours(path: Path, module: Module) -> str:
    """Give a module for x86-64, or for i386, the target and the data layout that all such modules share.

    Returns the assumption made, in words, or "". Raises InputError for a module for another machine.
    """
    if is_narrow(module.triple):
        problem = narrow_objection(module.triple, module.data_layout)
        if problem is not None:
            taken = f"of 32 bits, only i386 Linux can be run (clang -target {NARROW_TRIPLE})"
            raise InputError(f"{path}: {problem}; {taken}")
        module.triple, module.data_layout = NARROW_TRIPLE, NARROW_DATA_LAYOUT
        return ""
    problem = objection(module.triple, module.data_layout)
    if problem is not None:
        raise InputError(f"{path}: {problem}; only x86-64 and i386 Linux can be run (clang -target {TRIPLE})")
    assumed = assumption(module.triple, module.data_layout)
    module.triple = TRIPLE
    module.data_layout = DATA_LAYOUT
    return assumed


def link(target: Module, module: Module, path: Path) -> None:
    """Add ``module`` to ``target``. Raises InputError for symbols that both define."""
    if is_narrow(target.triple) != is_narrow(module.triple) and module.triple:
        raise InputError(f"{path}: has pointers of another width than the files before it")
    try:
        target.link_in(module)
    except RuntimeError as error:
        raise InputError(f"{path}: cannot be linked: {one_line(str(error))}") from None


def symbols(module: Module) -> tuple[list[str], list[str]]:
    """The functions and variables that ``module`` defines, and those that it needs, without aliases and intrinsics."""
    defined: list[str] = []
    declared: list[str] = []
    for symbol in (*module.functions, *module.global_variables):
        name = symbol.name
        if not name.startswith("llvm.") and symbol.linkage != binding.Linkage.external_weak:
            (declared if symbol.is_declaration else defined).append(name)
    return defined, declared


def yield_to(module: Module, names: Collection[str]) -> None:
    """Make ``module``'s definitions of ``names`` weak, so that other definitions win at linking."""
    for symbol in (*module.functions, *module.global_variables) if names else ():
        if symbol.name in names:
            symbol.linkage = "weak"


def record_library(module: Module, names: Iterable[str]) -> None:
    """Note in ``module`` which functions and variables belong to a library; ``ModuleReader.library`` reads the note."""
    listed = ", ".join(f'!"{name}"' for name in sorted(names))
    link(module, binding.parse_assembly(f"!{LIBRARY} = !{{!0}}\n!0 = !{{{listed}}}\n"), Path("libc"))


def version() -> str:
    """The version of LLVM that reads and links."""
    return ".".join(str(part) for part in binding.llvm_version_info)


class TextRejected(Exception):
    """LLVM rejected text generated here."""


def take_locals_out_of_memory(text: str) -> str:
    """The module's text after scalar replacement of aggregates and removal of trivially dead instructions.

    Raises TextRejected. Leaves nothing behind: type names live in a context of their own.
    """
    context = binding.create_context()
    try:
        module = binding.parse_assembly(text, context)
    except RuntimeError as error:
        raise TextRejected(one_line(str(error))) from None
    _passes().run(module, _pass_builder())
    return str(module)


def inline(text: str) -> Module:
    """The module in ``text``, with ``alwaysinline`` functions inlined."""
    module = parse(text.encode())
    manager = binding.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.run(module, _pass_builder())
    return module


@cache
def _passes() -> Any:
    """The passes for functions, made once: making them costs as much as running them on a small function."""
    manager = binding.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_dead_code_elimination_pass()
    return manager


@cache
def _pass_builder() -> Any:
    binding.initialize_all_targets()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine()
    return binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=0))


class NoMachineCode(Exception):
    """Nothing can be compiled for this machine."""


class MachineCode(NamedTuple):
    """The address of a function; the code lives as long as its ``owner``."""

    address: int
    owner: object


def machine_code(text: str, name: str) -> MachineCode:
    """Compile the function ``name`` of a module for this machine. Raises NoMachineCode.

    The module may call functions of C's mathematical library; LLVM would abort on a function that is not in this
    process. Other processors than the target's make other NaNs, so they compute no floating point.
    """
    if not host.this().is_target_processor and _FLOATING.search(text):
        raise NoMachineCode("this processor makes other NaNs than the program's")
    try:
        context, manager, builder, machine = _native_passes()
        module = binding.parse_assembly(text, context)
        for needed in symbols(module)[1]:
            if binding.address_of_symbol(needed) is None:
                raise NoMachineCode(f"it lacks the function {needed}")
        manager.run(module, builder)
        engine = binding.create_mcjit_compiler(module, machine())
        engine.finalize_object()
        return MachineCode(engine.get_function_address(name), engine)
    except (RuntimeError, OSError) as error:
        raise NoMachineCode(one_line(str(error))) from None


def object_file(text: str) -> bytes:
    """A position-independent object file of a module, not optimised. Raises InputError."""
    return bytes(_emitted(text, lambda machine, module: machine.emit_object(module)))


def assembly(text: str) -> str:
    """As object_file(), in assembly. Raises InputError."""
    return str(_emitted(text, lambda machine, module: machine.emit_assembly(module)))


def _emitted(text: str, emit: Callable[[Any, Module], object]) -> Any:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        module = binding.parse_assembly(text, binding.create_context())
        return emit(
            binding.Target.from_triple(TRIPLE).create_target_machine(opt=0, reloc="pic", codemodel="small"), module
        )
    except RuntimeError as error:
        raise InputError(f"native replay: {one_line(str(error))}") from None


@cache
def _native_passes() -> tuple[Any, Any, Any, Callable[[], Any]]:
    """A context, passes for machine code, their builder, and a factory of target machines, one for each engine.

    The context stays, as engines need it at their end.

    A loop is compiled while its program waits. These passes take a fifth of the time of LLVM's own first level;
    without optimisation, the last phase takes an eighth, and code takes nearly twice the time, a small part of the
    interpreter's.
    """
    if sys.byteorder != "little":
        raise NoMachineCode("its numbers are big-endian")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    with suppress(RuntimeError):  # where no such file is, its functions are part of another library
        binding.load_library_permanently("libm.so.6")
    target = binding.Target.from_default_triple()

    def machine() -> Any:
        return target.create_target_machine(opt=0, jit=True)

    manager = binding.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_instruction_combine_pass()
    manager.add_simplify_cfg_pass()
    manager.add_new_gvn_pass()
    manager.add_simplify_cfg_pass()
    builder = binding.create_pass_builder(machine(), binding.create_pipeline_tuning_options(speed_level=1))
    return binding.create_context(), manager, builder, machine


def one_line(text: str) -> str:
    """An LLVM message on one line."""
    return " ".join(text.split())
