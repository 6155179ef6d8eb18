"""C that stands for a caller's: callbacks, which return anything and write anything where they may, functions that the
project only declares, and streams.

The name of each says its type: PREFIX, the letter of its result, and one for each parameter; and which undefined
function it stands for, if it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

PREFIX = "unfork_callback_"
FILE = "unfork/include/callbacks.c"
"""The end of the path of a file with such functions: it is no source of the project."""
SCALARS = {
    "_Bool": "B",
    "char": "c",
    "signed char": "a",
    "unsigned char": "h",
    "short": "s",
    "unsigned short": "t",
    "int": "i",
    "unsigned int": "j",
    "long": "l",
    "unsigned long": "m",
    "long long": "x",
    "unsigned long long": "y",
    "float": "f",
    "double": "d",
}
"""Letters of the types of numbers."""
NOTHING, READ, BYTES, ANY, BLOCK, STRUCT = "v", "p", "b", "w", "q", "S"
"""No result; a pointer through which nothing is written; one to bytes, whose number comes next; ``void *``, which is
the same unless it comes first, where it is the caller's own; a result that is null or a new block of as many bytes as
the only parameter says; with the letters of its members, a pointer to a struct of numbers, which may be filled.
"""
_TYPES = {letter: name for name, letter in SCALARS.items()} | {NOTHING: "void", READ: "void *", BYTES: "void *"}
GAP = "k"
"""A byte of a struct that is no member, or a part of one: it stays as it is."""
ANYTHING = "callback"
"""The name of the inputs that they make."""
_OF_USERS, _OF_OTHERS = "_0", "_1"
"""Before the name of the undefined function that a function stands for: one that a header of the project declares, for
its users to define; and another library's. No letter of a type is a digit.
"""
_NAME = re.compile(f"{PREFIX}([A-Za-z_]*?)(?:({_OF_USERS}|{_OF_OTHERS})(.+))?")
CALL_OF, GIVEN_BY = "call of ", "what is given by "
"""The beginnings of the names of inputs that say that an undefined function was called, and of what one of another
library gives.
"""
_APART = 8
"""The first bytes that a callback writes, each of which is anything; all others are one byte."""
_ALL_APART = 512
"""If it knows how many bytes it writes, as many of them are apart: a header that is read at once."""
_SIZES = frozenset("ijlmxy")
HEAD = """\
extern void klee_make_symbolic(void *to, __SIZE_TYPE__ size, const char *name);
extern void *memset(void *to, int byte, __SIZE_TYPE__ size);
extern void *malloc(__SIZE_TYPE__ size);
extern unsigned klee_is_symbolic(unsigned long value);
extern void klee_assume(unsigned long holds);
"""


def name_of_callback(result: str, parameters: Iterable[str], *, has_context: bool = True) -> str | None:
    """The function for a result and parameters by their letters; None if there is none.

    A parameter of two letters, BYTES and one, is a pointer to a number that may be written; STRUCT comes before the
    letters of the members. ``has_context``: a first
    ``void *`` is the caller's own.
    """
    letters = list(parameters)
    if result[0] in (READ, BYTES, ANY, STRUCT):
        if len(letters) != 1 or letters[0] not in _SIZES:
            return None
        result = BLOCK
    for at, letter in enumerate(letters):
        has_size = at + 1 < len(letters) and letters[at + 1] in _SIZES
        letters[at] = READ if letter in (ANY, BYTES) and not has_size else letter
        if letters[at] == ANY:
            letters[at] = BYTES if at or not has_context else READ
    return f"{PREFIX}{result}_{'_'.join(letters)}"


def makes_blocks(callback: str) -> bool:
    """Whether a callback returns a block."""
    return callback.startswith(f"{PREFIX}{BLOCK}_")


def returns_nothing(callback: str) -> bool:
    """Whether a callback has no result."""
    return callback.startswith(f"{PREFIX}{NOTHING}_")


def name_of_stand_in(callback: str, name: str, *, is_of_users: bool) -> str:
    """The function that stands for an undefined one of the same type as a callback."""
    return f"{callback}{_OF_USERS if is_of_users else _OF_OTHERS}{name}"


def stands_for(name: str) -> str:
    """The undefined function that a function stands for; "" if it stands for none."""
    return _parts(name)[2]


def _parts(name: str) -> tuple[str, str, str]:
    """The letters of a function, and of what undefined function it stands for: of whom, and its name."""
    found = _NAME.fullmatch(name)
    return ("", "", "") if found is None else (found[1], found[2] or "", found[3] or "")


def text_of_callback(name: str, label: str = "") -> str:
    """The definition of a function by its name, with a ``label`` for the linker after its declaration."""
    type_of, whose, undefined = _parts(name)
    given = f"{GIVEN_BY}{undefined}" if whose == _OF_OTHERS else ANYTHING
    result, *letters = type_of.split("_")
    letters = [letter for letter in letters if letter]
    parameters = [f"{_parameter(letter)}a{at}" for at, letter in enumerate(letters)]
    kind = "void *" if result == BLOCK else f"{_TYPES[result]} "
    body = [_any("char", "called", f"{CALL_OF}{undefined}")] if undefined else []
    body += [line for at, letter in enumerate(letters) for line in _written(letter, at, given)]
    if result == BLOCK:
        body += [_any("_Bool", "fails", given), "return fails ? 0 : malloc(a0);"]
    elif result != NOTHING:
        body += [_any(_TYPES[result], "result", given), "return result;"]
    head = f"{kind}{name}({', '.join(parameters) or 'void'})"
    return f"{head}{label};\n{head} {{ {' '.join(body)} }}\n"


def text_of_stand_in(name: str, *, is_beside_declaration: bool = False) -> str:
    """The definition of an undefined function by the name of what stands for it. Beside its declaration, which may have
    other types, only the linker gets to know its name.
    """
    undefined = stands_for(name)
    if is_beside_declaration:
        return text_of_callback(name, f' __asm__("{undefined}")')
    return f'{text_of_callback(name)}extern __typeof__({name}) {undefined} __attribute__((alias("{name}")));\n'


def _parameter(letter: str) -> str:
    kind = "void *" if len(letter) > 1 else _TYPES[letter]
    return kind if kind.endswith("*") else f"{kind} "


def _written(letter: str, at: int, given: str) -> list[str]:
    """What is written through a parameter."""
    if letter == BYTES:
        to, size = f"((unsigned char *)a{at})", f"(unsigned long)a{at + 1}"
        each = f"{_any('unsigned char', 'byte', given)} {to}[at] = byte;"
        rest = f"{_any('unsigned char', 'rest', given)} memset({to} + apart, rest, {size} - apart);"
        known = f"(!klee_is_symbolic({size}) && {size} <= {_ALL_APART})"
        return [
            f"if (a{at} && a{at + 1} > 0) {{ unsigned long at, apart = {_APART};",
            f"if ({size} > apart) {{ {_any('_Bool', 'all', given)}",
            f"klee_assume(!klee_is_symbolic(all) || all == {known});",  # a native run does as the run that it repeats
            f"if (all) apart = {size}; }}",
            f"for (at = 0; at < apart && at < {size}; at++) {{ {each} }}",
            f"if ({size} > apart) {{ {rest} }} }}",
        ]
    if letter[0] == STRUCT:
        return _filled(letter[1:], at, given)
    if len(letter) > 1:
        kind = _TYPES[letter[1:]]
        return [f"if (a{at}) {{ {_any(kind, 'number', given)} *({kind} *)a{at} = number; }}"]
    return []


def _filled(members: str, at: int, given: str) -> list[str]:
    """What fills a struct whose members have these letters, if it does: it may be for reading alone."""
    kinds = [_TYPES.get(letter, "") for letter in members]
    declared = " ".join(f"{kind or 'char'} m{number};" for number, kind in enumerate(kinds))
    lines = [f"if (a{at}) {{ struct {{ {declared} }} *to; to = (__typeof__(to))a{at};"]
    lines += [_any("_Bool", "fills", given), "if (fills) {"]
    for number, kind in enumerate(kinds):
        taken = f"{_any(kind, f'n{number}', given)} {kind} *to{number} = &to->m{number}; *to{number} = n{number};"
        lines += [taken] if kind else []
    return [*lines, "} }"]


def _any(kind: str, name: str, given: str) -> str:
    if kind == "_Bool":
        taken = f'unsigned char any_{name}; klee_make_symbolic(&any_{name}, 1, "{given}");'
        return f"{taken} _Bool {name} = any_{name} & 1;"
    return f'{kind} {name}; klee_make_symbolic(&{name}, sizeof {name}, "{given}");'


def text_of_callbacks(names: Iterable[str]) -> str:
    """A file with some of the functions; "" for none."""
    bodies = [text_of_stand_in(each) if stands_for(each) else text_of_callback(each) for each in sorted(set(names))]
    return HEAD + "".join(bodies) if bodies else ""


# --- streams

_TYPE = "struct _IO_FILE"
"""The type that musl's headers declare for ``FILE``: without members in C, with one character in C++."""
STREAMS = {"stdin": "__stdin_FILE", "stdout": "__stdout_FILE"}
"""Streams by their names in C, in the order in which they are tried, with their linker names in musl."""
TEXT_OF_STREAMS = "".join(
    f"extern const char {symbol}[];\n__attribute__((used)) static const void *const unfork_{name} = {symbol};\n"
    for name, symbol in STREAMS.items()
)
"""C that links the streams into a program."""


def is_stream(name: str, size: int) -> bool:
    """Whether a type is the ``FILE`` of musl's headers, of which only musl knows the members."""
    return name == _TYPE and size <= 1
