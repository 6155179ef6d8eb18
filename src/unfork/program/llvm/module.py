"""Blocks, functions and the linked program, which hold the instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unfork.program.c.contracts import NO_CONTRACTS, Contracts
from unfork.program.c.libcxx import SEEN_AS
from unfork.program.llvm.c_type_reader import NO_TYPES, CTypes
from unfork.program.llvm.debug_expression import StackComputation
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.ir import Instruction, Operand, Phi
from unfork.program.llvm.types import DebugVariable, FunctionType, Position, Type

if TYPE_CHECKING:
    from unfork.program.c.object_calls import ObjectDriver

LABEL = re.compile(r'^(?:[-\w.$]+|"[^"]*"):.*$', re.M)
BRANCH = re.compile(r"^  br i1 ", re.M)
INSERTED = re.compile(r"^  br i1 .*, !nosanitize ", re.M)
"""A branch of a check that the compiler inserted."""
SWITCH = re.compile(r"^  switch (.*?)^  \]", re.M | re.S)
TARGET = re.compile(r'label (%(?:[-\w.$]+|"[^"]*"))')
INDIRECT = re.compile(r"^  indirectbr .*$", re.M)
LOCATION = re.compile(r", !dbg (!\d+)")
CALLED = re.compile(r'\b(?:call|invoke) [^\n]*?([@%])("[^"]*"|[-\w.$]+)\(')
OF_TARGET = re.compile(r"\bx86_fp80\b|\bcall [^\n]*\basm ")
ATOMIC = re.compile(r"\b(?:atomicrmw|cmpxchg|load atomic|store atomic) ")
PLACE = re.compile(r"(?:distinct )?!DILocation\(line: (\d+),.* scope: (!\d+)(?:, inlinedAt: (!\d+))?")

Line = tuple[str, int]

FUZZ_TARGET = "LLVMFuzzerTestOneInput"
"""The function that a fuzzer calls."""
LIBRARY_FOLDER = f"{SEEN_AS}/"
"""Source files below this path, as debug information names them, belong to a library."""
OUR_HEADERS = ("/unfork/include/unfork_objects.hpp", "/unfork/include/fuzzer/FuzzedDataProvider.h")
"""The ends of the paths of headers with code that is not part of a program."""


@dataclass(frozen=True, slots=True)
class DebugRecord:
    """Before instruction ``index`` of its block, ``variable`` is in ``operand`` (or at that address when
    ``indirect``).

    Without an operand, its value is not available from here on. ``part`` has the first bit and the number of bits,
    if this is about some of them.
    """

    index: int
    variable: DebugVariable
    operand: Operand | StackComputation | None
    indirect: bool
    part: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Straight-line code: ``phis``, then ``body``, whose last instruction is the terminator."""

    index: int
    label: str
    phis: tuple[Phi, ...]
    body: tuple[Instruction, ...]
    debug: tuple[DebugRecord, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A defined function. ``blocks[0]`` is the entry."""

    name: str
    type: FunctionType
    parameter_byval: tuple[Type | None, ...]
    register_count: int
    blocks: tuple[Block, ...]
    position: Position | None
    source_name: str
    """The name in the source (from debug info), or ``name``."""
    is_as_written: bool = False
    """Whether its branches are those of the source: by debug information, nothing was optimised."""
    parameter_room: tuple[int | None, ...] = ()
    """The bytes that attributes guarantee behind each pointer: 0 for one that is merely not null."""
    is_static: bool = False
    own_variables: int = 0
    """How many initial instructions find the thread's own variables; they are not in the text."""

    def instructions(self) -> Iterator[Instruction]:
        """All instructions, block by block; each block's phis first."""
        for block in self.blocks:
            yield from block.phis
            yield from block.body


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """``initializer`` is None for a declaration (an external object of unknown contents)."""

    name: str
    type: Type
    initializer: Operand | None
    constant: bool
    alignment: int
    thread_local: bool
    position: Position | None
    variable: DebugVariable | None = None
    """The source variable."""
    reference: str = ""
    """The reference of its debug information, for CTypes.variable."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A file's declaration of a function without a body: its name there, and the reference of the debug information."""

    source_name: str
    reference: str


class Outlines:
    """What coverage is measured against, counted in the text of functions without parsing them.

    ``bodies`` has the offsets of each in the module's text.
    """

    def __init__(self, text: str, bodies: Mapping[str, tuple[int, int]], debug: DebugInfo) -> None:
        self._text = text
        self._bodies = bodies
        self._debug = debug

    @property
    def names(self) -> Set[str]:
        """The names of all functions."""
        return self._bodies.keys()

    def edges(self, name: str) -> int:
        """The number of branch edges in a function."""
        start, end = self._bodies[name]
        text = self._text[start:end]
        choices = (*SWITCH.findall(text), *INDIRECT.findall(text))
        return 2 * len(BRANCH.findall(text)) + sum(len(set(TARGET.findall(choice))) for choice in choices)

    def checks(self, name: str) -> frozenset[int]:
        """The blocks of a function that end in a check that the compiler inserted, such as that of a shift."""
        return frozenset([number for number, text in enumerate(self._blocks(name)) if INSERTED.search(text)])

    def called(self, name: str) -> frozenset[str]:
        """The functions that a function calls by name; includes "" if it calls any through a pointer."""
        start, end = self._bodies[name]
        calls = CALLED.findall(self._text, start, end)
        return frozenset([called.strip('"') if kind == "@" else "" for kind, called in calls])

    def is_atomic(self, name: str) -> bool:
        """Whether a function has an atomic operation."""
        return ATOMIC.search(self._text, *self._bodies[name]) is not None

    def depends_on_target(self, name: str) -> bool:
        """Whether a function has inline assembly or values that only the target's processor knows (long double)."""
        return OF_TARGET.search(self._text, *self._bodies[name]) is not None

    def locations(self, name: str) -> list[list[str]]:
        """The locations of each block's instructions, as ``lines`` takes them."""
        return [LOCATION.findall(text) for text in self._blocks(name)]

    def _blocks(self, name: str) -> list[str]:
        """The text of each block."""
        start, end = self._bodies[name]
        pieces = LABEL.split(self._text[self._text.index("\n", start) : end])
        return pieces if pieces[0].strip() else pieces[1:]  # where it is empty, the entry has its own label

    def lines(self, locations: Collection[str]) -> dict[str, Line]:
        """The source lines of ``locations``, without code that the compiler added."""
        places = ((reference, self._place(reference)) for reference in locations)
        return {reference: place for reference, place in places if place is not None}

    def _place(self, reference: str) -> Line | None:
        """The line of a location; for code inlined from a library, that of the call."""
        at: str | None = reference
        line = None
        while at is not None and (place := PLACE.match(self._debug.line(int(at[1:])) or "")) and place[1] != "0":
            line = self._debug.scope(place[2])[0], int(place[1])
            at = place[3] if line[0].startswith(LIBRARY_FOLDER) else None
        return line


@dataclass(frozen=True, slots=True)
class ProgramReading:
    """What a program was read from: the module as LLVM prints it, and the reader's other inputs.

    ``names`` are the user's names of sources, by absolute path; relative ones start in ``folder``.
    """

    text: str
    names: Mapping[str, str]
    folder: str
    optimize: int


@dataclass(slots=True, eq=False, repr=False)
class Program:
    """A linked module. Functions are parsed on first use: ``function(name)`` caches what ``parse`` returns."""

    globals: Mapping[str, GlobalVariable]
    aliases: dict[str, Operand]
    declarations: dict[str, FunctionType]
    """Functions without a body."""
    defined: tuple[str, ...]
    """Names of functions with a body, in program order."""
    parse: Callable[[str], Function]
    constructors: tuple[str, ...]
    """llvm.global_ctors, by priority, then order."""
    destructors: tuple[str, ...]
    sources: tuple[str, ...]
    """The source files of the compile units, as the user named them."""
    bitcode: bytes
    """The linked module before any pass, for the run directory."""
    outlines: Outlines
    """What coverage counts in each function."""
    weak: frozenset[str] = frozenset()
    """Declarations that are null when nothing defines them (extern_weak)."""
    library: frozenset[str] = frozenset()
    """Functions linked from a library. Coverage leaves them out, and no fault is reported inside them."""
    of_headers: frozenset[str] = frozenset()
    """The library's functions that the program's own files have from its headers."""
    first_globals: tuple[str, ...] = ()
    """Globals that must be read before the program starts: they may be very large, or hold addresses of labels."""
    c_types: CTypes = NO_TYPES
    """The C types of debug information."""
    callers: Callable[[str], tuple[str, ...]] = lambda name: ()
    """The functions that call a function by name, in program order."""
    mentioned: Callable[[Iterable[str]], frozenset[str]] = frozenset
    """The functions and variables that given functions, or the program's own data, name, called or not."""
    names: Callable[[], frozenset[str]] = frozenset
    """The names that debug information gives to variables and types."""
    checksums: Callable[[], Mapping[str, str]] = dict
    """The MD5 sums of the sources that the compiler read, by name."""
    warnings: str = ""
    """The compiler's messages on success, such as warnings."""
    notes: tuple[str, ...] = ()
    """Notes to the user about how the program was read, one line each."""
    driver: str = ""
    """C++ that includes the program's file and makes objects for a function that runs alone
    (world/inputs/object_drivers.py).
    """
    object_drivers: Mapping[str, ObjectDriver] = field(default_factory=dict)
    """Functions that were appended to the program to make objects by its own calls, by name."""
    contracts: Contracts = NO_CONTRACTS
    """The source's contracts, if requested (CompileOptions.contracts)."""
    prototypes: Mapping[str, tuple[Declaration, ...]] = field(default_factory=dict)
    """The declarations of functions in files with contracts, by the functions' names here."""
    stubs: Mapping[str, Function] = field(default_factory=dict)
    """Functions without a body that have a contract (program/llvm/stubs.py)."""
    is_narrow: bool = False
    """Whether pointers and longs have 32 bits."""
    functions: dict[str, Function] = field(default_factory=dict)
    reading: ProgramReading | None = None
    """None for a program that was not read."""

    def __repr__(self) -> str:
        own = self.own
        return f"<Program {' '.join(self.sources)} with {', '.join(own[:3])}{', ...' if len(own) > 3 else ''}>"

    @property
    def own(self) -> tuple[str, ...]:
        """The names of the program's own functions with a body, in program order."""
        return tuple([name for name in self.defined if name not in self.library])

    def function(self, name: str) -> Function:
        """The parsed body of the defined function ``name``."""
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = self.parse(name)
        return function
