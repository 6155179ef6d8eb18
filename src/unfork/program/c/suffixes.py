"""The suffixes of program files, and flags for them."""

import os
from collections.abc import Iterable, Iterator, Sequence

C_SUFFIXES = frozenset((".c", ".i"))
CPP_SUFFIXES = frozenset((".cpp", ".cc", ".cxx", ".C", ".c++", ".ii"))
COMPILED = C_SUFFIXES | CPP_SUFFIXES
"""Suffixes of sources."""
EXPANDED = frozenset((".i", ".ii"))
"""Suffixes of preprocessed text."""
IR_SUFFIXES = frozenset((".bc", ".ll"))

UNSUPPORTED = dict.fromkeys((".cppm", ".ccm", ".cxxm", ".c++m", ".ixx", ".mpp"), "a module of C++20")
UNSUPPORTED |= {".m": "Objective-C", ".mm": "Objective-C++", ".cu": "CUDA", ".hip": "HIP", ".cl": "OpenCL"}
"""The languages of other suffixes of the C family."""


FOLDERS = ("-isystem", "-iquote", "-idirafter", "-I")
"""Flags that name a folder, in the same word or in the next."""
_FILES = ("-include", "-imacros")
"""Flags that name a file, first one of the folder in which the compiler runs."""


def from_elsewhere(flags: Iterable[str], folder: str) -> Iterator[str]:
    """Flags that a compiler in ``folder`` understands, for one that runs elsewhere."""
    rest = iter(flags)
    for word in rest:
        flag = next((each for each in (*FOLDERS, *_FILES) if word.startswith(each)), None)
        value = "" if flag is None else word[len(flag) :] or next(rest, "")
        if flag is None or not value:
            yield word
        elif flag in FOLDERS or os.path.isfile(os.path.join(folder, value)):
            yield from (flag, os.path.join(folder, value))
        else:
            yield from (flag, value)


def folders_of(flags: Iterable[str]) -> list[str]:
    """The folders of headers that flags name."""
    words = from_elsewhere(flags, "")
    named = [next(words, "") for word in words if word in FOLDERS]
    return [each for each in named if each]


def flags_for(suffix: str, flags: Sequence[str]) -> tuple[str, ...]:
    """The flags for a file: a standard (-std=) applies to files of its language."""
    is_cpp = suffix in CPP_SUFFIXES
    return tuple([flag for flag in flags if not flag.startswith("-std=") or ("++" in flag) == is_cpp])


def has_cpp(files: Iterable[str]) -> bool:
    """Whether one of the files is C++, by name."""
    return any(os.path.splitext(file)[1] in CPP_SUFFIXES for file in files)
