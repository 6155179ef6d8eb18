"""On inputs of a bounded size, proofs and exhaustive runs agree."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings

from tests.commands.verify.known_loops import small_loops
from tests.commands.verify.small_loops import SmallLoop
from tests.support.power import examples
from tests.support.runs import options_of
from unfork.cli import parse
from unfork.commands.run.run import run
from unfork.commands.verify.verify import verify
from unfork.errors import InputError

SECONDS = "20"


def verdicts(loop: SmallLoop, folder: Path, *words: str) -> tuple[str, str]:
    """What a proof says, and, if a run can tell, what a run of all small inputs does (else nothing)."""
    function, program = folder / "function.c", folder / "program.c"
    function.write_text(loop.function())
    program.write_text(loop.program())
    options = parse(["verify", str(function), "--quiet", "--max-time", SECONDS, "--out", str(folder / "proof"), *words])
    try:
        proof = verify([function], options[1])
    except InputError as refused:  # of a loop whose first turn ends it
        assert "has no loop here" in str(refused)
        return "refused", ""
    broken = [each.broken for each in proof.functions if each.broken is not None]
    is_seen = any(each.kind != "contract" or each.what == loop.promise.acsl for each in broken)
    if proof.verdict == "unknown" or (proof.verdict == "unsafe" and not is_seen):
        return proof.verdict, ""
    chosen = options_of(folder / "run", "--check", "overflow", "--max-time", SECONDS)
    return proof.verdict, run([program], chosen).verdict


@settings(max_examples=examples(12, 3), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(small_loops)
def test_a_proof_and_a_run_of_all_small_inputs_agree(loop: SmallLoop) -> None:
    with TemporaryDirectory() as folder:
        proof, run_of_all = verdicts(loop, Path(folder))
    assert (proof, run_of_all) not in {("safe", "unsafe"), ("unsafe", "safe")}, loop.function()
