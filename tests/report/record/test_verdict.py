from __future__ import annotations

from itertools import product

import pytest

from unfork.report.record.verdict import Happened, Verdict, judge

UNKNOWN = Verdict("unknown", 3)
CASES = [
    (Happened(), Verdict("safe", 0)),
    (Happened(errors=1), Verdict("unsafe", 1)),
    (Happened(errors=1, stopped_by="max-time"), Verdict("unsafe", 1)),
    (Happened(errors=1, interrupted=True), Verdict("unsafe", 1)),
    (Happened(interrupted=True), Verdict("unknown", 130)),
    (Happened(interrupted=True, alarms=1), Verdict("unknown", 130)),
    (Happened(alarms=1), UNKNOWN),
    (Happened(solver_unknown=1), UNKNOWN),
    (Happened(unsupported=1), UNKNOWN),
    (Happened(capacity=1), UNKNOWN),
    (Happened(dropped=1), UNKNOWN),
    (Happened(stopped_by="max-time"), UNKNOWN),
    (Happened(stopped_by="disk-full"), UNKNOWN),
    (Happened(bounds_hit=frozenset(["max-depth"])), Verdict("bounded", 0)),
    (Happened(under_covers=1), Verdict("bounded", 0)),
    (Happened(under_covers=1, dropped=1), UNKNOWN),
]


@pytest.mark.parametrize(("happened", "expected"), CASES)
def test_table(happened: Happened, expected: Verdict) -> None:
    assert judge(happened) == expected


def test_all_combinations_follow_the_order_of_the_table() -> None:
    """Exhaustive: the first row that applies, with every subset of the rows' causes."""
    for bits in product((0, 1), repeat=9):
        error, interrupt, alarm, unknown, unsupported, capacity, dropped, stopped, bound = bits
        happened = Happened(
            errors=error,
            alarms=alarm,
            interrupted=bool(interrupt),
            solver_unknown=unknown,
            unsupported=unsupported,
            capacity=capacity,
            dropped=dropped,
            stopped_by="max-forks" if stopped else None,
            bounds_hit=frozenset(["max-depth"] if bound else []),
        )
        rows = (
            (error, Verdict("unsafe", 1)),
            (interrupt, Verdict("unknown", 130)),
            (alarm or unknown or unsupported or capacity or dropped or stopped, UNKNOWN),
            (bound, Verdict("bounded", 0)),
            (1, Verdict("safe", 0)),
        )
        assert judge(happened) == next(verdict for applies, verdict in rows if applies)
