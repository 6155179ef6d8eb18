"""How certain the faults of a whole program are: its users choose arguments, input and files, so every fault counts."""

from __future__ import annotations

from unfork.commands.scan.certainty import WHOLE_PROGRAM
from unfork.commands.scan.judgement import CERTAIN, Grounds, Judgement
from unfork.engine.protocols.outcome import Failed


class ProgramJudge:
    """Judges the faults of ``main``, which has no caller that could exclude them; or all for some other ``reason``."""

    def __init__(self, reason: str = "the program fails when it is started like this") -> None:
        self._reason = reason

    def judge(self, failed: Failed) -> Judgement:
        """How certain a fault is."""
        return Judgement(WHOLE_PROGRAM, CERTAIN, Grounds(self._reason))
