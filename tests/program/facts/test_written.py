"""Which variables a program's functions may write."""

from __future__ import annotations

from tests.support.compiling import Compile
from unfork.program.facts.written import written_variables

VARIABLES = """
struct pair { int left, right; };
int stored, passed, kept, element[4], copied_to, other;
struct pair source = {1, 2}, target;
static const int *table[] = {&other};
int only_read = 3, read_in[4] = {1, 2, 3, 4}, compared;
void take(int *);
int f(int i, int **out)
{
    stored = read_in[i] + only_read;
    take(&passed);
    *out = &kept;
    element[i & 3] = 1;
    target = source;
    return *table[0] + (out[0] == &compared);
}
"""


def test_what_is_only_read_copied_or_compared_is_not_written(compile_c: Compile) -> None:
    program = compile_c(VARIABLES)
    own = {"stored", "passed", "kept", "element", "source", "target", "other", "only_read", "read_in", "compared"}
    assert own & written_variables(program) == {"stored", "passed", "kept", "element", "target", "other"}
