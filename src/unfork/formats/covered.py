"""What a run has covered, in the terms of gcov: the lines with code, the branches on them, the functions.

Which lines have code is for a compiler to say. The table here follows gcc, as far as it can be told from what clang
says and from the source: the line of a function's name counts, and those of ``case`` and other labels; the declaration
of a variable without a value does not, nor does the end of a block. docs/formats.md says where the two differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

from unfork.errors import InputError
from unfork.explore.distance import branch_targets
from unfork.formats.c_places import Source
from unfork.formats.gcc_branches import GccBranches
from unfork.formats.kept_run import KeptRun
from unfork.llvm.decisions import ends_of_blocks, is_made
from unfork.llvm.ir import Branch, Call, ConditionalBranch, GlobalAddress, Instruction, Register, Return
from unfork.llvm.module import Block, Function, Program
from unfork.llvm.types import Position
from unfork.report.database import DatabaseError, read_database

Edge = tuple[str, int, int]
_UNCOUNTED = ("llvm.lifetime.", "llvm.dbg.", "llvm.stack")
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


def covered(run: KeptRun, program: Program, decided: Collection[Edge]) -> dict[str, FileCoverage]:
    """The coverage of each source file of the program, by the user's name for it. Raises InputError.

    In ``program``, which is as the compiler wrote it, each decision is a branch (llvm/decisions.py). ``decided`` are
    the edges of the branches that were made for that, as far as the run's tests have taken them.
    """
    edges, ran = _kept(run)
    taken = set(decided)
    for name, block, successor in edges:
        if name in program.defined and name not in program.library:
            taken.add((name, ends_of_blocks(program.function(name))[block], successor))
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
            data = run.contents(place.file)
            sources[place.file] = None if data is None else Source(data.decode("latin-1"))
        _count(files, function, place, sources, reach)
    return files


def _kept(run: KeptRun) -> tuple[set[Edge], set[str]]:
    """The covered edges and the functions that have run."""
    path = run.root / "run.db"
    try:
        with closing(read_database(path)) as database:
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
            elif any(is_made(blocks[target].label) for target in branch_targets(block)):
                waiting += branch_targets(block)  # which no path of the run took, but they do nothing
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
    gcc = GccBranches(function, partial(_is_jump, sources))
    for block in function.blocks:
        if block.index not in gcc.live:
            continue
        length = run.get(block.index, 0)
        positions = list(_positions(function, block, gcc, sources))
        for number, position in positions:
            files.setdefault(position.file, FileCoverage()).note(position.line, number < length)
        for line, file in _labels(block, sources):
            files.setdefault(file, FileCoverage()).note(line, length > 0)
        at, sides = _decision(gcc, block, positions, sources), gcc.sides(block)
        if at is not None and sides:
            files.setdefault(at.file, FileCoverage()).note(at.line, length == len(block.body))
            taken = tuple([any(reach.took(function, block.index, number) for number in side) for side in sides])
            branches = files.setdefault(at.file, FileCoverage()).branches
            number = sum(each.line == at.line for each in branches)
            branches.append(Branching(at.line, number, taken, length == len(block.body)))


def _decision(
    gcc: GccBranches, block: Block, positions: Iterable[tuple[int, Position]], sources: Mapping[str, Source | None]
) -> Position | None:
    """Where gcov sees the decision at the end of a block: at the last line of what gcc does after the last call."""
    place = gcc.calculation(block)
    if place is not None or not isinstance(block.body[-1], ConditionalBranch):
        return place or gcc.place(block)
    place = gcc.place(block)
    source = None if place is None else sources.get(place.file)
    if place is None or source is None:
        return place
    calls = [number for number, instruction in enumerate(block.body) if _is_call(instruction)]
    behind = calls[-1] if calls else -1
    lines = [position.line for number, position in positions if number > behind and position.file == place.file]
    return replace(place, line=max([source.decision(place.line, place.column, gcc.converting), *lines]))


def _is_call(instruction: Instruction) -> bool:
    match instruction:
        case Call(callee=GlobalAddress(name=name)):
            return not name.startswith("llvm.")
        case _:
            return isinstance(instruction, Call)


def _positions(
    function: Function, block: Block, gcc: GccBranches, sources: Mapping[str, Source | None]
) -> Iterator[tuple[int, Position]]:
    """The places of a block's instructions that count, with their numbers."""
    for number, instruction in enumerate(block.body):
        position = instruction.position
        if instruction.result in gcc.uncounted:
            continue
        if position is not None and _counts(function, block, gcc, instruction, position, sources.get(position.file)):
            here = sources.get(position.file)
            line = position.line if here is None else here.returned(position.line, position.column)
            yield number, replace(position, line=line)
    left = _left_by_jump(block)
    source = None if left is None else sources.get(left.file)
    if left is not None and source is not None:
        jump = source.jump_before(left.line, left.column)
        if jump is not None:
            yield len(block.body) - 1, replace(left, line=jump)


def _left_by_jump(block: Block) -> Position | None:
    """Where the scope ends that a block leaves by a jump without a place, as clang makes of a break at its end."""
    if len(block.body) > 1 and isinstance(block.body[-1], Branch) and block.body[-1].position is None:
        match block.body[-2]:
            case Call(callee=GlobalAddress(name=name)) as call if name.startswith("llvm.lifetime.end"):
                return call.position
    return None


def _counts(
    function: Function,
    block: Block,
    gcc: GccBranches,
    instruction: Instruction,
    position: Position,
    source: Source | None,
) -> bool:
    match instruction:
        case Call(callee=GlobalAddress(name=name)) if name.startswith(_UNCOUNTED):
            return False
        case Branch():
            word = "" if source is None else source.word(position.line, position.column)
            beside = source is not None and source.is_beside_else(position.line, position.column)
            return word in _JUMPS and not (word == "break" and gcc.absorbs_break(block, is_beside_else=beside))
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


def _is_jump(sources: Mapping[str, Source | None], place: Position) -> bool:
    """Whether a statement that jumps stands at a place; so it is taken where the source is gone."""
    source = sources.get(place.file)
    return source is None or source.word(place.line, place.column) in _JUMPS


def _condition(block: Block) -> Position | None:
    """Where the condition of the block's last branch is computed, if that is in the block."""
    last = block.body[-1]
    if isinstance(last, ConditionalBranch) and isinstance(last.condition, Register):
        for instruction in reversed(block.body[:-1]):
            if instruction.result == last.condition.index:
                return instruction.position
    return None


def _labels(block: Block, sources: Mapping[str, Source | None]) -> Iterator[tuple[int, str]]:
    """The line of the label that a block begins with, if it does, and its file."""
    place = next((instruction.position for instruction in block.body if instruction.position is not None), None)
    source = None if place is None else sources.get(place.file)
    if place is not None and source is not None:
        line = source.label(place.line, place.column)
        if line is not None:
            yield line, place.file
