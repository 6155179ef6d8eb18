"""Programs for ILP32 (int, long and pointers of 32 bits) that mean the same with pointers of 64 bits.

Clang compiles for i386: it decides the widths of types, and folds every sizeof. Its output is read as a module for
x86-64 if that changes nothing: pointers stay in variables of their own, which are not read otherwise and whose
addresses do not escape; no integer becomes a pointer, or the reverse; no struct has a member with another alignment;
and no function is called whose parameters have other widths. Everything else is refused, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from unfork.errors import InputError
from unfork.program.c.location_calls import PASSED, SEEN
from unfork.program.llvm.layout import DATA_LAYOUT, TRIPLE

TRIPLE_32 = "i386-unknown-linux-musl"
FLAGS_32 = ("-march=pentium4", "-fsanitize-trap=all")
_DEBUG = re.compile(r"^\s*#dbg_|^!|^;|^attributes |^\s*$")
_STRING = re.compile(r'c?"(?:[^"\\]|\\.)*"')
_LINE_COMMENT = re.compile(r"\s;.*$|, ![\w.]+ ![\w]+|(?<=\)) ![\w.]+ ![\w]+")
_TOKENS = (
    (re.compile(r"\bptrtoint\b"), "a pointer as a number"),
    (re.compile(r"\binttoptr\b"), "a number as a pointer"),
    (re.compile(r"\bx ptr\b"), "an array of pointers"),
    (re.compile(r"\bgetelementptr\b[\w ]*\(?ptr,"), "arithmetic on pointers to pointers"),
    (re.compile(r"\bgetelementptr\b.*\bi64 %"), "an index of 64 bits"),
    (re.compile(r"\b(?:x86_fp80|fp128|i128|x86_mmx)\b"), "a type of more than 64 bits"),
    (re.compile(r"<\d+ x |\bvscale\b"), "a vector"),
    (re.compile(r"\basm\b"), "inline assembly"),
    (re.compile(r'[@%]""'), "a name that is no plain word"),
    (re.compile(r'^target triple = (?!"i386-)'), "a compiler that is told to take another target"),
    (re.compile(r"\b(?:cmpxchg|atomicrmw)\b.*, ptr [%@]\S+ |\batomicrmw xchg ptr [%@]\S+, ptr"), "an atomic pointer"),
    (re.compile(r"\b(?:invoke|callbr|indirectbr|blockaddress|va_arg|addrspacecast)\b"), "computed control or varargs"),
    (re.compile(r"\balloca\b.*, i\d+ %"), "an array of variable length"),
    (re.compile(r"= (?:[\w()]+ )*(?:alias|ifunc) "), "an alias"),
    (re.compile(r"^@.*= (?:[\w()]+ )*(?:external|extern_weak) "), "a variable that is defined elsewhere"),
    (re.compile(r"^define .*\.\.\.\)"), "a function with varargs"),
)
"""Constructs that a line must not have, each with its name."""
_GROUP = re.compile(r"\{([^{}]*)\}")
_MISALIGNED = re.compile(r"\bptr\b|\bdouble\b|\bi(?:3[3-9]|[4-9]\d|\d{3,})\b")
_OVERFLOW_RESULT = re.compile(r"\s*i64, i1\s*")
_POINTER_VARIABLE = re.compile(r"^\s*(%[\w.$-]+) = alloca ptr\b|^(@[\w.$-]+) = .*?\b(?:global|constant) ptr\b")
_POINTER_LOAD = re.compile(r"= load (?:volatile )?ptr, ptr ([%@][\w.$-]+)(?=,|$)")
_POINTER_STORE = re.compile(r"^\s*store (?:volatile )?ptr (.*), ptr ([%@][\w.$-]+)(?=,|$)")
_POINTER_ACCESS = re.compile(r"\bload (?:volatile |atomic )*ptr,|\bstore (?:volatile |atomic )*ptr\b")
_LIFETIME = re.compile(r"(@llvm\.lifetime\.\w+\.p0\()i64 \d+")
_NAME = re.compile(r"[%@][\w.$-]+")
_DECLARED = re.compile(r"^declare (.*?)@([\w.$]+)\(")
_KNOWN = frozenset(("abort", "exit", "_Exit", "__assert_fail", "reach_error", PASSED, SEEN))
_VERIFIER = "__VERIFIER_"
_TOLD_POINTER = re.compile(rf"\bcall\b.*@(?:{'|'.join(sorted(_KNOWN - {'__assert_fail'}))}|{_VERIFIER}\w+)\(.*\bptr\b")
"""A call of a known function, declared without its parameters' types, with a pointer among them."""
_PURE = re.compile(
    r"llvm\.(?:mem(?:cpy|move|set)\.p0(?:\.p0)?\.i32|lifetime\.|dbg\.|[su](?:add|sub|mul)\.with\.overflow\.i|ubsantrap"
    r"|trap|expect\.i|fabs\.f|fmuladd\.f|bswap\.i|ct(?:pop|lz|tz)\.i|abs\.i|assume|is\.fpclass\.f)"
)


class NotThe64BitProgram(InputError):
    """The program depends, or may depend, on 32-bit pointers."""


def as_64_bit(text: str, name: str) -> str:
    """Clang's LLVM text for i386 as a module for x86-64. Raises NotThe64BitProgram."""
    _check(text, name)
    text = _LIFETIME.sub(r"\1i64 -1", text)  # of the whole variable, which may be wider now
    text = re.sub(r'^target datalayout = ".*"$', f'target datalayout = "{DATA_LAYOUT}"', text, count=1, flags=re.M)
    return re.sub(r'^target triple = ".*"$', f'target triple = "{TRIPLE}"', text, count=1, flags=re.M)


def _check(text: str, name: str) -> None:
    """Check each line, and each function's variables. Raises NotThe64BitProgram."""
    lines = list(_code(text))
    for line in lines:
        if (reason := _objection(line)) is not None:
            raise _refusal(name, reason, line)
    variables = {match[2] for line in lines if (match := _POINTER_VARIABLE.match(line)) and match[2]}
    for line in lines:
        if line.startswith("@") and variables.intersection(_NAME.findall(line)[1:]):
            raise _refusal(name, "the address of a pointer", line)
    for body in _bodies(lines):
        own = variables | {match[1] for line in body if (match := _POINTER_VARIABLE.match(line)) and match[1]}
        for line in body:
            _check_pointers(line, own, name)


def _code(text: str) -> Iterator[str]:
    """The lines of code, without debug information, strings and comments."""
    for line in text.splitlines():
        if _DEBUG.match(line) is None:
            yield line if line.startswith("target triple") else _LINE_COMMENT.sub("", _STRING.sub('""', line))


def _bodies(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each function."""
    body: list[str] = []
    for line in lines:
        if line.startswith("define ") or body:
            body.append(line)
        if line.startswith("}"):
            yield body
            body = []


def _objection(line: str) -> str | None:
    """The construct in a line that, in any context, may mean something else."""
    for pattern, reason in _TOKENS:
        if pattern.search(line):
            return reason
    rest = line
    while group := _GROUP.search(rest):
        is_result = _OVERFLOW_RESULT.fullmatch(group[1])
        if is_result is None and _MISALIGNED.search(group[1]):
            return "a struct with a pointer or a member of 64 bits"
        rest = rest[: group.start()] + rest[group.end() :]
    if _TOLD_POINTER.search(line):
        return "a pointer as a number"
    declared = _DECLARED.match(line)
    if declared is None or _PURE.match(declared[2]):
        return None
    is_known = declared[2] in _KNOWN or (declared[2].startswith(_VERIFIER) and not declared[2].endswith("_memory"))
    if not is_known or re.search(r"\bptr\b", declared[1]):
        return f"a call of {declared[2]}"
    return None


def _check_pointers(line: str, variables: set[str], name: str) -> None:
    """A pointer is only kept in a variable of its own, and only its value is used. Raises NotThe64BitProgram."""
    load, store = _POINTER_LOAD.search(line), _POINTER_STORE.match(line)
    variable = load[1] if load is not None else store[2] if store is not None else None
    if _POINTER_ACCESS.search(line) and variable not in variables:
        raise _refusal(name, "a pointer in memory", line)
    used = _NAME.findall(line)
    if load is not None or _POINTER_VARIABLE.match(line) or "@llvm.lifetime" in line:
        used = []
    elif store is not None:
        used = _NAME.findall(store[1])
    if variables.intersection(used):
        raise _refusal(name, "the address of a pointer", line)


def _refusal(name: str, reason: str, line: str) -> NotThe64BitProgram:
    return NotThe64BitProgram(f"{name}: ILP32 is not supported with {reason} ({line.strip()[:80]})")
