"""Calls of functions of the C library: which arguments are texts, bytes or streams, and who makes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from unfork.program.facts.cfg import closure
from unfork.program.llvm.ir import Call, GlobalAddress, Instruction, Operand
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, Program
from unfork.program.llvm.uses import operands_of

STREAMS: Mapping[str, int] = {
    **dict.fromkeys(("clearerr", "fclose", "feof", "ferror", "fflush", "fgetc", "fileno", "fprintf", "fscanf"), 0),
    **dict.fromkeys(("fseek", "fseeko", "ftell", "ftello", "getc", "rewind", "setvbuf", "vfprintf"), 0),
    **dict.fromkeys(("fputc", "fputs", "putc", "ungetc"), 1),
    **dict.fromkeys(("fgets", "getline"), 2),
    **dict.fromkeys(("fread", "fwrite", "getdelim"), 3),
}
"""The functions that take a ``FILE *``, and at which position."""
SIZED_BYTES: Mapping[str, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "memcmp"), ((0, 2), (1, 2))),
    **dict.fromkeys(("memset", "memchr"), ((0, 2),)),
    **dict.fromkeys(("read", "write", "recv", "send"), ((1, 2),)),
}
"""Where functions take a pointer to bytes of any object, and where their number."""
_BLOCKS = frozenset(("fread", "fwrite"))
"""Those that first take a pointer to bytes, whose number is a product."""
_PLAIN_TEXTS = frozenset(
    ("atoi", "atol", "fputs", "puts", "stpcpy", "strcasecmp", "strcat", "strchr", "strcmp", "strcpy", "strcspn")
) | frozenset(("strdup", "strlen", "strpbrk", "strrchr", "strspn", "strstr"))
TEXTS = _PLAIN_TEXTS | frozenset(("strtod", "strtol", "strtoul"))
"""Those that take characters up to a NUL."""
NEVER_NULL = _PLAIN_TEXTS | frozenset(("memcmp", "strncasecmp", "strncat", "strncmp", "strncpy"))
"""Those for which a null pointer is nothing but a fault."""
_VARIABLES = frozenset(
    ("optarg", "optind", "opterr", "optopt", "environ", "__environ", "tzname", "timezone", "daylight", "signgam")
) | frozenset(("h_errno", "program_invocation_name", "program_invocation_short_name"))
"""Variables of the C library that hold what others left there."""
_INTRINSIC = re.compile(r"llvm\.(mem\w+)\.")
"""How the compiler calls some of them."""


class NamedCall(NamedTuple):
    """A direct call. Functions of the C library have their names there, also where the compiler has others."""

    name: str
    arguments: tuple[Operand, ...]

    def pointers_to_bytes(self) -> tuple[Operand, ...]:
        """The arguments that lead to bytes of any object."""
        places = (0,) if self.name in _BLOCKS else tuple([pointer for pointer, _ in SIZED_BYTES.get(self.name, ())])
        return tuple([self.arguments[each] for each in places if each < len(self.arguments)])

    def sized_bytes(self) -> tuple[tuple[int, int], ...]:
        """The positions of pointers to bytes, each with that of their number."""
        return tuple([each for each in SIZED_BYTES.get(self.name, ()) if max(each) < len(self.arguments)])


def named_call(instruction: Instruction | None) -> NamedCall | None:
    """The direct call that an instruction makes; None for any other."""
    match instruction:
        case Call(callee=GlobalAddress(name=name), arguments=arguments):
            intrinsic = _INTRINSIC.match(name)
            return NamedCall(name if intrinsic is None else intrinsic[1], arguments)
    return None


def variables_of_library(program: Program, function: Function) -> list[str]:
    """The variables of the C library that a function uses, and that others set before."""
    operands = (operand for each in function.instructions() for operand in operands_of(each))
    names = dict.fromkeys(each.name for each in operands if isinstance(each, GlobalAddress) and each.name in _VARIABLES)
    return [name for name in names if not _is_own_variable(program, name)]


def _is_own_variable(program: Program, name: str) -> bool:
    position = program.globals[name].position if name in program.globals else None
    return position is not None and LIBRARY_FOLDER not in position.file


def is_of_library(program: Program, name: str) -> bool:
    """Whether a function of that name is none of the program's own."""
    return name not in program.defined or name in program.library


def calling(program: Program, functions: Set[str]) -> list[str]:
    """The program's own functions that call some functions themselves."""
    return [name for name in program.own if not functions.isdisjoint(program.outlines.called(name))]


def leading_to(program: Program, names: Iterable[str]) -> frozenset[str]:
    """Some of the program's own functions, and those that call one of them, themselves or by others."""
    own = frozenset(program.own)
    return frozenset(closure(names, lambda name: own.intersection(program.callers(name))))
