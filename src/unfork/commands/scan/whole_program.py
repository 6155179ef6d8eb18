"""How certain the faults of a whole program are: its users choose arguments, input and files, so every fault counts."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.commands.scan.certainty import WHOLE_PROGRAM
from unfork.commands.scan.failing_input import called_undefined, given_by_undefined, symbols_of
from unfork.commands.scan.judgement import CERTAIN, CONDITIONAL, UNDECIDED, Grounds, Judgement
from unfork.commands.scan.number_rules import NeedsMadeMember
from unfork.commands.scan.path_rules import UsesUndefinedFunction
from unfork.engine.protocols.outcome import Failed
from unfork.program.facts.makers import makers
from unfork.program.llvm.c_types import RecordType
from unfork.program.llvm.module import Program


def _behind(name: str, certainty: str) -> Judgement:
    """The judgement of a path on which an undefined function returned."""
    grounds = Grounds(f"it comes after a call of {name}, which no file here defines")
    return Judgement(UsesUndefinedFunction.name, certainty, grounds)


class ProgramJudge:
    """Judges the faults of ``main``, which has no caller that could exclude them."""

    def judge(self, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
        """How certain a fault is. What an undefined function does is no choice of the program's users."""
        for name in called_undefined(failed.state):
            return _behind(name, CONDITIONAL)
        return Judgement(WHOLE_PROGRAM, CERTAIN, Grounds("the program fails when it is started like this"))


class LineJudge:
    """Judges paths to a line: that there is one suffices, unless it needs a value in an object that the program makes,
    whose makers may never leave it so.
    """

    def __init__(self, program: Program) -> None:
        self._program = program

    def judge(self, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
        """Whether users can come there."""
        for name, _ in given_by_undefined(failed.state):
            return _behind(name, UNDECIDED)
        made, lazy = makers(self._program), failed.state.lazy
        needed = symbols_of(failed.state.path.constraints())
        read = [place for place, value in lazy.numbers.items() if needed & symbols_of([value])]
        for item, _ in (each for place in (*read, *lazy.pointers) for each in lazy.around(*place)):
            if isinstance(item.type, RecordType) and item.type in made:
                reason = f"it needs a value in {item.path}, which {made[item.type]} makes: it may never have it"
                return Judgement(NeedsMadeMember.name, UNDECIDED, Grounds(reason))
        return Judgement(WHOLE_PROGRAM, CERTAIN, Grounds("the function comes there when it is called like this"))
