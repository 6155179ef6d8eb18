"""Inlines small functions of a C++ library's headers: without an optimiser, they are most of the calls.

Only functions of one block with a few instructions are inlined, so the branches stay the program's. Their
instructions keep their positions, with the call's around them. The program's own functions are called as before.
"""

from __future__ import annotations

import re

from unfork.program.llvm import binding
from unfork.program.llvm.module import LIBRARY_FOLDER, ProgramReading
from unfork.program.llvm.reader import ModuleReader

LONGEST = 20
"""Instructions of the largest function to inline."""
_INSTRUCTION = re.compile(r"^  \S", re.M)
_LABEL = re.compile(r"^[-\w.$\"]+:", re.M)
_GROUP = re.compile(r" #(\d+)(?= )")
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = \{(.*)\}$", re.M)


def are_called(data: bytes) -> bool:
    """Whether bitcode or text may call functions of such headers."""
    return f"{LIBRARY_FOLDER}libcxx/".encode() in data


def inlined(module: binding.Module) -> binding.Module:
    """The module with its wrappers inlined; unchanged if it has none."""
    text = str(module)
    reader = ModuleReader(ProgramReading(text, {}, "", 0))
    bodies = [reader.bodies[name] for name in reader.library & reader.bodies.keys() if not reader.is_simplified(name)]
    attributes = {int(number): words for number, words in _ATTRIBUTES.findall(text)}
    free = max(attributes, default=0) + 1
    groups: set[int] = set()
    pieces = []
    at = 0
    for start, stop in sorted(bodies):
        if not _is_small(text, start, stop):
            continue
        end = text.index("\n", start)
        group = _GROUP.search(text, start, end)
        if group is not None:
            groups.add(int(group[1]))
            pieces += [text[at : group.start()], f" #{free + int(group[1])}"]
            at = group.end()
    if not groups:
        return module
    pieces.append(text[at:])
    pieces += [
        f"attributes #{free + number} = {{{attributes[number].replace(' noinline ', ' alwaysinline ')}}}\n"
        for number in sorted(groups)
    ]
    return binding.inline("".join(pieces))


def _is_small(text: str, start: int, end: int) -> bool:
    first = text.index("\n", start)
    labels = len(_LABEL.findall(text, first, end))
    return labels <= 1 and len(_INSTRUCTION.findall(text, first, end)) <= LONGEST
