"""What a loop may leave unwritten stays so where joins and loops forget numbers: they prove nothing that fails."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.support.power import every
from tests.support.runs import explore, written
from unfork.commands.run.run import Result

VARIABLES = {
    "a number": ("int x", "int y = 1", "x", "y"),
    "a fraction": ("double x", "double y = 1", "x > 0", "y > 0"),
    "a field": ("struct pair x; x.other = 1", "struct pair y = {1, 1}", "x.value", "y.value"),
    "an address": ("int *x", "int *y = &known", "x == &known", "y == &known"),
    "in memory": ("int x; keep(&x)", "int y = 1; keep(&y)", "x", "y"),
}
"""How ``x``, which is not written, and ``y``, which is, are declared, and how they are looked at."""
TURNS = {
    "one turn writes": ("if (i == 2) x = y;", "n > 1 && {x}"),
    "one turn copies": ("if (i == 2) y = x;", "n > 4 && {y}"),
    "each turn passes it on": ("y = x;", "n > 1 && {y}"),
    "a turn within a turn copies": ("for (unsigned j = 0; j < n; j++) if (j == 1) y = x;", "n > 4 && {y}"),
    "all turns write": ("x = y;", "n > 0 && {x}"),
}
"""What turns do, and the condition behind the loop."""
WAYS = (
    "--loops abstract",
    *[f"--merge static --similar always --join {join}" for join in ("abstract:interval", "abstract:inferred")],
)


def ran(text: str, way: str, folder: Path) -> Result:
    folder.mkdir()
    words = ("--check", "memory,uninitialised", "--libc", "none", "--max-time", "300", "--native-check", "never")
    result = explore(written(text, folder.parent, "p.c"), folder / "run", *words, *way.split())
    assert result.summary["internal_error"] is None
    return result


def program(variables: tuple[str, str, str, str], turns: tuple[str, str]) -> str:
    x, y, at_x, at_y = variables
    body, condition = turns
    return f"""#include "unfork.h"
struct pair {{ int value, other; }};
static int known;
void *kept;
static void keep(void *pointer) {{ kept = pointer; }}
int main(void)
{{
    {x};
    {y};
    unsigned n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n < 7);
    for (unsigned i = 0; i < n; i++) {{
        {body}
    }}
    return {condition.format(x=f"({at_x})", y=f"({at_y})")};
}}
"""


@pytest.mark.parametrize(("kind", "turn"), every([*list(product(VARIABLES, TURNS))], 3))
def test_what_forgets_proves_nothing_that_fails(kind: str, turn: str, tmp_path: Path) -> None:
    text = program(VARIABLES[kind], TURNS[turn])
    plain = ran(text, "--merge none --loops run", tmp_path / "plain")
    assert plain.verdict == ("safe" if turn == "all turns write" else "unsafe")
    ways = WAYS if kind == "a number" else WAYS[:1]
    verdicts = {way: ran(text, way, tmp_path / str(place)).verdict for place, way in enumerate(ways)}
    assert plain.verdict == "safe" or "safe" not in verdicts.values(), verdicts
