"""What a run has covered, in the terms of gcov: the lines with code, the branches on them, the functions.

Which lines have code is for a compiler to say. The table here follows gcc, as far as it can be told from what clang
says and from the source: the line of a function's name counts, and those of ``case`` and other labels; the declaration
of a variable without a value does not, nor does the end of a block. docs/formats.md says where the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from unfork.errors import InputError
from unfork.explore.distance import branch_targets
from unfork.formats.c_places import Source
from unfork.formats.kept_run import KeptRun
from unfork.program.ir import Branch, Call, ConditionalBranch, GlobalAddress, Instruction, Register, Return
from unfork.program.module import Block, Function, Program
from unfork.program.types import Position
from unfork.report.database import DatabaseError, read_database

Edge = tuple[str, int, int]
_UNCOUNTED = ("llvm.lifetime.", "llvm.dbg.", "llvm.stack")
_CHECKS = ("__ubsan_", "llvm.ubsantrap")
_JUMPS = frozenset(["break", "continue", "goto", "return"])
"""Statements that are nothing but a jump; the jumps at the ends of blocks and loops are no statements."""


@dataclass(frozen=True, slots=True)
class Branching:
    """A place with several ways on. ``taken`` says which were taken, in the order of the compiler's blocks."""

    line: int
    number: int
    """Its number among those of the line."""
    taken: tuple[bool, ...]
    is_reached: bool


@dataclass(slots=True)
class FileCoverage:
    """One source file: functions by name (their line, whether they ran), lines (whether they ran), and branches."""

    functions: dict[str, tuple[int, bool]] = field(default_factory=dict)
    lines: dict[int, bool] = field(default_factory=dict)
    branches: list[Branching] = field(default_factory=list)

    def note(self, line: int, is_run: bool) -> None:
        """Count a line; it ran if any of its code did."""
        self.lines[line] = self.lines.get(line, False) or is_run


def covered(run: KeptRun) -> dict[str, FileCoverage]:
    """The coverage of each source file of the program, by the user's name for it. Raises InputError."""
    program = run.as_compiled()
    taken, ran = _kept(run)
    reach = _Reach(program, taken, ran)
    files: dict[str, FileCoverage] = {}
    sources: dict[str, Source | None] = {}
    for name in program.defined:
        if name in program.library:
            continue
        function = program.function(name)
        place = function.position
        if place is None:
            continue
        if place.file not in sources:
            path = run.source(place.file)
            text = None if path is None else path.read_bytes().decode("latin-1")
            sources[place.file] = None if text is None else Source(text)
        _count(files, function, place, sources, reach)
    return files


def _kept(run: KeptRun) -> tuple[set[Edge], set[str]]:
    """The covered edges and the functions that have run."""
    path = run.root / "run.db"
    try:
        with read_database(path) as database:
            edges = database.execute("SELECT function, block, successor FROM coverage WHERE covered = 1").fetchall()
            names = database.execute("SELECT function FROM ran").fetchall()
    except DatabaseError as problem:
        raise InputError(f"{path} does not hold the coverage: {problem}") from None
    if run.summary["coverage"] is None:
        raise InputError(f"{run.root}: the run was cut off before its coverage was kept")
    return set(edges), {name for (name,) in names}


class _Reach:
    """How far each block ran: the number of its instructions, to the first call that never came back.

    An edge that was taken shows that its block ran to the end. Other blocks end in a jump or a return; whether they
    came so far is found from the functions that they call, starting from the belief that none comes back.
    """

    def __init__(self, program: Program, taken: set[Edge], ran: set[str]) -> None:
        self._taken = taken
        self._own = frozenset(program.defined) - program.library
        self._back: set[str] = set()
        """The functions that came back at least once."""
        self._runs: dict[str, dict[int, int]] = {}
        functions = [program.function(name) for name in program.defined if name in ran and name in self._own]
        known = -1
        while known != len(self._back):
            known = len(self._back)
            for function in functions:
                self._runs[function.name] = self._run_of(function)

    def of(self, function: Function) -> Mapping[int, int]:
        """The instructions that ran, by block."""
        return self._runs.get(function.name, {})

    def took(self, function: Function, block: int, successor: int) -> bool:
        """Whether an edge was taken."""
        return (function.name, block, successor) in self._taken

    def _run_of(self, function: Function) -> dict[int, int]:
        blocks = function.blocks
        choices = [
            [self.took(function, block.index, number) for number in range(len(branch_targets(block)))]
            for block in blocks
        ]
        waiting = [0, *(index for index, taken in enumerate(choices) if any(taken))]
        run: dict[int, int] = {}
        while waiting:
            index = waiting.pop()
            if index in run:
                continue
            block = blocks[index]
            run[index] = len(block.body) if any(choices[index]) else self._length(block)
            if run[index] < len(block.body):
                continue
            last = block.body[-1]
            if isinstance(last, Return):
                self._back.add(function.name)
            elif isinstance(last, Branch):
                waiting.append(last.target)
            else:
                waiting += [target for target, hit in zip(branch_targets(block), choices[index], strict=True) if hit]
        return run

    def _length(self, block: Block) -> int:
        for number, instruction in enumerate(block.body, 1):
            match instruction:
                case Call(callee=GlobalAddress(name=name)) if name in self._own and name not in self._back:
                    return number
        return len(block.body)


def _count(
    files: dict[str, FileCoverage],
    function: Function,
    place: Position,
    sources: Mapping[str, Source | None],
    reach: _Reach,
) -> None:
    """Count one function."""
    run = reach.of(function)
    here = files.setdefault(place.file, FileCoverage())
    here.functions[function.source_name] = (place.line, bool(run))
    here.note(place.line, bool(run))
    for block in function.blocks:
        length = run.get(block.index, 0)
        positions = list(_positions(function, block, sources))
        for number, position in positions:
            files.setdefault(position.file, FileCoverage()).note(position.line, number < length)
        for line, file in _labels(block, positions, sources):
            files.setdefault(file, FileCoverage()).note(line, length > 0)
        targets = branch_targets(block)
        at = _deciding(block)
        if len(targets) > 1 and at is not None and not _is_check(function, block):
            taken = tuple(reach.took(function, block.index, number) for number in range(len(targets)))
            branches = files.setdefault(at.file, FileCoverage()).branches
            number = sum(each.line == at.line for each in branches)
            branches.append(Branching(at.line, number, taken, length == len(block.body)))


def _positions(
    function: Function, block: Block, sources: Mapping[str, Source | None]
) -> Iterator[tuple[int, Position]]:
    """The places of a block's instructions that count, with their numbers."""
    for number, instruction in enumerate(block.body):
        position = instruction.position
        if position is not None and _counts(function, block, instruction, position, sources.get(position.file)):
            yield number, position
    left = _left_by_jump(block)
    source = None if left is None else sources.get(left.file)
    if left is not None and source is not None:
        line = source.jump_before(left.line, left.column)
        if line is not None:
            yield len(block.body) - 1, replace(left, line=line)


def _left_by_jump(block: Block) -> Position | None:
    """Where the scope ends that a block leaves by a jump without a place, as clang makes of a break at its end."""
    if len(block.body) > 1 and isinstance(block.body[-1], Branch) and block.body[-1].position is None:
        match block.body[-2]:
            case Call(callee=GlobalAddress(name=name)) as call if name.startswith("llvm.lifetime.end"):
                return call.position
    return None


def _counts(
    function: Function, block: Block, instruction: Instruction, position: Position, source: Source | None
) -> bool:
    match instruction:
        case Call(callee=GlobalAddress(name=name)) if name.startswith(_UNCOUNTED):
            return False
        case Branch():
            return source is not None and source.word(position.line, position.column) in _JUMPS
        case Return(value=None) if not _says_return(function, source):
            return True
        case ConditionalBranch() if _condition(block) is not None:
            return False
        case _:
            return source is None or source.word(position.line, position.column) != "}"


def _says_return(function: Function, source: Source | None) -> bool:
    """Whether a statement of the function is a ``return``: then gcc counts that, and not the end of the function."""
    if source is None:
        return False
    jumps = [block.body[-1].position for block in function.blocks if isinstance(block.body[-1], Branch)]
    return any(place is not None and source.word(place.line, place.column) == "return" for place in jumps)


def _is_check(function: Function, block: Block) -> bool:
    """Whether the branch that ends a block is a check that the compiler has put there for unfork."""
    return any(
        isinstance(instruction, Call)
        and isinstance(instruction.callee, GlobalAddress)
        and instruction.callee.name.startswith(_CHECKS)
        for target in branch_targets(block)
        for instruction in function.blocks[target].body
    )


def _condition(block: Block) -> Position | None:
    """Where the condition of the block's last branch is computed, if that is in the block."""
    last = block.body[-1]
    if isinstance(last, ConditionalBranch) and isinstance(last.condition, Register):
        for instruction in reversed(block.body[:-1]):
            if instruction.result == last.condition.index:
                return instruction.position
    return None


def _deciding(block: Block) -> Position | None:
    """Where gcc sees the decision at the end of a block: where the condition is, which may have a line of its own."""
    return _condition(block) or block.body[-1].position


def _labels(
    block: Block, positions: Iterable[tuple[int, Position]], sources: Mapping[str, Source | None]
) -> Iterator[tuple[int, str]]:
    """The line of the label that a block begins with, if it does, and its file."""
    first = next(iter(positions), None)
    source = None if first is None else sources.get(first[1].file)
    if first is not None and source is not None:
        line = source.label(first[1].line, first[1].column)
        if line is not None:
            yield line, first[1].file
