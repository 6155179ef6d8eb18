"""Which paths to faults are judged, and when: the shortest, and none waits for all of another fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.scan.functions import found_in
from unfork.commands.scan import function_scan
from unfork.commands.scan.certainty import OUT_OF_TIME, Judge
from unfork.commands.scan.court import FaultCourt
from unfork.commands.scan.judgement import Judgement
from unfork.engine.protocols.outcome import Failed
from unfork.world.inputs.testcase import Error, error_of

TWO_FAULTS = """
int many(unsigned kind, unsigned a, unsigned b) {
    static const int table[3] = {1, 2, 3};
    int sum = 0;
    if (a == 1) sum++;
    if (a == 2) sum += 2;
    if (b == 3) sum += 3;
    if (kind == 5)
        return table[sum + kind];
    return table[kind + sum];
}
"""
JUDGED = 2
MANY_PATHS = """
int last(const char *text, int length, int n) {
    static const int table[4] = {1, 2, 3, 4};
    int sum = 0;
    for (int at = 0; at < length; at++)
        if (text[at] == 'a') sum++;
        else if (text[at] == 'b') sum += 2;
    if (n > 4 || n < 0) return sum;
    return table[n];
}
"""


def test_each_fault_is_judged_once_before_one_is_judged_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Error] = []

    class CountedJudge(Judge):
        def judge(self, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
            judged.append(error_of(failed.fault))
            return super().judge(failed, paths)

    def court(*given: object) -> FaultCourt:
        judge, demands, recorder, second, folder, _, options, program = given
        ended = [judge, demands, recorder, second, folder, lambda: len(judged) >= JUDGED, options, program]
        return FaultCourt(*ended)  # type: ignore[arg-type]

    monkeypatch.setattr("unfork.commands.scan.scanning.Judge", CountedJudge)
    monkeypatch.setattr(function_scan, "FaultCourt", court)
    found = found_in(TWO_FAULTS, "many", tmp_path / "in")
    assert len(found) == JUDGED
    assert len(set(judged)) == JUDGED
    assert not any(each.rule == OUT_OF_TIME for each in found)


def test_the_shortest_paths_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock_of_seconds: None) -> None:
    judged: list[int] = []

    class NotingJudge(Judge):
        def judge(self, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
            judged.append(failed.state.path.length)
            return super().judge(failed, paths)

    def lengths(search: str) -> list[int]:
        judged.clear()
        found_in(MANY_PATHS, "last", tmp_path / search, search=(search,), max_size=3, loop_turns=1)
        return sorted(judged)

    monkeypatch.setattr("unfork.commands.scan.scanning.Judge", NotingJudge)
    assert lengths("dfs") == lengths("bfs") != []
