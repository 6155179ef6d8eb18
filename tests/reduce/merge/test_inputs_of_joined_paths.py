"""Tests of joined states list the inputs of the path that their model takes, under the names that it gives them."""

from __future__ import annotations

from pathlib import Path

from tests.reduce.merge.driver import explore
from tests.support.runs import build
from unfork.commands.assemble import replaying
from unfork.engine.protocols.join import Join
from unfork.engine.protocols.outcome import Failed, Halted
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.names import Names
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import NoSolver
from unfork.logic.terms.evaluate import evaluate
from unfork.options.options import Options
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.states import ExactJoin, Origins
from unfork.world.inputs.command import PLAIN
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.inputs.testcase import expectation, of_state

PROGRAM = """
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int first = __VERIFIER_nondet_int(), sum = 0;
  if (first > 3) { sum = __VERIFIER_nondet_int(); if (sum < 0) sum = 0; if (sum > 9) sum = 9; }
  int last = __VERIFIER_nondet_int();
  if (first < 2 && last == 77) reach_error();
  if (first == 12 && sum == 4 && last == 78) reach_error();
  return 0;
}
"""


def test_numbered_inputs_are_those_of_the_path(tmp_path: Path) -> None:
    """The last input is the second of its name on one side of the join, the third on the other: both errors replay."""
    file = tmp_path / "numbered.c"
    file.write_text(PROGRAM)
    options = Options(libc="none")

    def summary(chain: Chain) -> Join:
        live = LiveRegisters(FactsTable(), as_it_is)
        return ExactJoin(SymbolicInputs(), chain, Origins(Names()), Frames(live, keeps_all=False))

    program = build([file], options)
    explored = explore(program, options, (), summary)
    assert explored.joins > 1
    replayer = replaying.replayer(options, program, BranchCoverage(), lambda state: False, NoSolver())
    failed = [one for one in explored.outcomes if isinstance(one, Failed)]
    assert {one.fault.position.line for one in failed if one.fault.position} == {8, 9}
    for outcome in explored.outcomes:
        assert isinstance(outcome, Failed | Halted)
        expect = expectation(outcome, outcome.state)
        test = of_state(outcome.state, outcome, (str(file),), PLAIN, ())
        assert replayer.replay(test).end == expect, test
    (late,) = [one for one in failed if one.fault.position and one.fault.position.line == 8]
    names = [one.name for one in of_state(late.state, None, (), PLAIN, ()).inputs]
    assert len(names) == 2
    assert names[1].endswith("#2")
    model = late.state.path.model()
    assert [evaluate(one.guard, model) for one in late.state.inputs] == [1, 0, 1]
