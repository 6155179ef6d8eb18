"""C that stands for a caller's: callbacks, which return anything and write anything where they may, and streams.

The name of each says its type: PREFIX, the letter of its result, and one for each parameter.
"""

from __future__ import annotations

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
NOTHING, READ, BYTES, ANY, BLOCK = "v", "p", "b", "w", "q"
"""No result; a pointer through which nothing is written; one to bytes, whose number comes next; ``void *``, which is
the same unless it comes first, where it is the caller's own; a result that is null or a new block of as many bytes as
the only parameter says.
"""
_TYPES = {letter: name for name, letter in SCALARS.items()} | {NOTHING: "void", READ: "void *", BYTES: "void *"}
ANYTHING = "callback"
"""The name of the inputs that they make."""
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


def name_of_callback(result: str, parameters: Iterable[str]) -> str | None:
    """The function for a result and parameters by their letters; None if there is none.

    A parameter of two letters, BYTES and one, is a pointer to a number that may be written.
    """
    letters = list(parameters)
    if result[0] in (READ, BYTES, ANY):
        if len(letters) != 1 or letters[0] not in _SIZES:
            return None
        result = BLOCK
    for at, letter in enumerate(letters):
        has_size = at + 1 < len(letters) and letters[at + 1] in _SIZES
        letters[at] = READ if letter in (ANY, BYTES) and not has_size else letter
        if letters[at] == ANY:
            letters[at] = BYTES if at else READ
    return f"{PREFIX}{result}_{'_'.join(letters)}"


def text_of_callback(name: str) -> str:
    """The definition of a function by its name."""
    result, *letters = name.removeprefix(PREFIX).split("_")
    letters = [letter for letter in letters if letter]
    parameters = [f"{_parameter(letter)}a{at}" for at, letter in enumerate(letters)]
    kind = "void *" if result == BLOCK else f"{_TYPES[result]} "
    body = [line for at, letter in enumerate(letters) for line in _written(letter, at)]
    if result == BLOCK:
        body += [_any("_Bool", "fails"), "return fails ? 0 : malloc(a0);"]
    elif result != NOTHING:
        body += [_any(_TYPES[result], "result"), "return result;"]
    head = f"{kind}{name}({', '.join(parameters) or 'void'})"
    return f"{kind}{name}({', '.join(parameters) or 'void'});\n{head} {{ {' '.join(body)} }}\n"


def _parameter(letter: str) -> str:
    kind = "void *" if len(letter) > 1 else _TYPES[letter]
    return kind if kind.endswith("*") else f"{kind} "


def _written(letter: str, at: int) -> list[str]:
    """What is written through a parameter."""
    if letter == BYTES:
        to, size = f"((unsigned char *)a{at})", f"(unsigned long)a{at + 1}"
        each = f"{_any('unsigned char', 'byte')} {to}[at] = byte;"
        rest = f"{_any('unsigned char', 'rest')} memset({to} + apart, rest, {size} - apart);"
        known = f"(!klee_is_symbolic({size}) && {size} <= {_ALL_APART})"
        return [
            f"if (a{at} && a{at + 1} > 0) {{ unsigned long at, apart = {_APART};",
            f"if ({size} > apart) {{ {_any('_Bool', 'all')}",
            f"klee_assume(!klee_is_symbolic(all) || all == {known});",  # a native run does as the run that it repeats
            f"if (all) apart = {size}; }}",
            f"for (at = 0; at < apart && at < {size}; at++) {{ {each} }}",
            f"if ({size} > apart) {{ {rest} }} }}",
        ]
    if len(letter) > 1:
        kind = _TYPES[letter[1:]]
        return [f"if (a{at}) {{ {_any(kind, 'number')} *({kind} *)a{at} = number; }}"]
    return []


def _any(kind: str, name: str) -> str:
    if kind == "_Bool":
        taken = f'unsigned char any_{name}; klee_make_symbolic(&any_{name}, 1, "{ANYTHING}");'
        return f"{taken} _Bool {name} = any_{name} & 1;"
    return f'{kind} {name}; klee_make_symbolic(&{name}, sizeof {name}, "{ANYTHING}");'


def text_of_callbacks(names: Iterable[str]) -> str:
    """A file with some of the functions; "" for none."""
    bodies = [text_of_callback(name) for name in sorted(set(names))]
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
