"""Joining every two states that wait at one place loses nothing and adds nothing: the corpus, with each exact join."""

from __future__ import annotations

import pytest

from tests.reduce.merge.driver import MakeJoin, disagreements, explore
from tests.support.corpus import Expected, programs, with_some_cpp
from tests.support.power import examples, part, some
from tests.support.runs import build
from unfork.cli import parse
from unfork.engine.protocols.join import Join
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.names import Names
from unfork.logic.solve.chain import Chain
from unfork.options.options import Options
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.states import ExactJoin, NoOrigins, Origins
from unfork.world.inputs.input_values import SymbolicInputs

FORKING = [one for one in with_some_cpp(programs(), 8) if one.verdict in ("safe", "unsafe") and one.forks]
CHOSEN = part(FORKING, lambda program: program.name)
JOINING = examples(40)
"""Programs of the corpus in which states really join, at least."""
HEAVY = {
    "libc_numbers/strtod_symbolic_bug",
    "libc_numbers/strtod_symbolic_fixed",
    "libc_stdio/overflow_bug",
    "libc_stdio/overflow_fixed",
}
"""Joining everything makes one formula of a whole conversion: whether that pays is not the question here."""

tried: set[str] = set()
seen_joining: set[str] = set()


def joins_of(options: Options) -> dict[str, MakeJoin]:
    """The exact joins, of which each program tries one, and both where everything is to run."""
    source = SymbolicInputs()

    def frames() -> Frames:
        return Frames(LiveRegisters(FactsTable(), as_it_is), keeps_all="leak" in options.check)

    def ite(chain: Chain) -> Join:
        return ExactJoin(source, chain, NoOrigins(), frames())

    def summary(chain: Chain) -> Join:
        return ExactJoin(source, chain, Origins(Names()), frames())

    return {"ite": ite, "summary": summary}


@pytest.mark.parametrize("program", CHOSEN, ids=[program.name for program in CHOSEN])
def test_joined_exploration_agrees_with_plain(program: Expected) -> None:
    """The same errors, branch edges and parts given up; a plain path's inputs end alike, on one joined path."""
    tried.add(program.name)
    if program.name in HEAVY:
        pytest.skip("one formula of a whole conversion")
    _, options, _ = parse([*program.options, "--quiet", "--no-progress", "--", *program.args])
    built = build(program.sources, options)
    plain = explore(built, options, program.args)
    if not plain.finished:
        pytest.skip("too long for plain exploration with rests at joins")
    for name, make_join in some(list(joins_of(options).items()), program.name):
        joined = explore(built, options, program.args, make_join)
        assert joined.finished, name
        assert joined.errors == plain.errors, name
        assert joined.killed == plain.killed, name
        assert joined.edges == plain.edges, name
        assert not disagreements(plain, joined), name
        if joined.joins:
            seen_joining.add(program.name)


def test_enough_programs_join() -> None:
    """The law is about something."""
    if len(tried) < len(CHOSEN):
        pytest.skip("only part of the corpus ran in this process")
    assert len(seen_joining) >= JOINING
