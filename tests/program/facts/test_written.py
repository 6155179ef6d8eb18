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


CALLS = """
#include <string.h>
int summed[2] = {1, 2}, cleared[2], returned[2], in_turns[2], below[2];
const char *names[] = {"one", 0};
static int sum(const int *p, int n) { return n ? p[n - 1] + sum(p, n - 1) : 0; }
static void set(int *p) { *p = 0; }
static void clear(int *p) { set(p + 1); }
static int *same(int *p) { return p; }
static int odd(int *p, int n);
static int even(int *p, int n) { return n ? odd(p, n - 1) : p[0]; }
static int odd(int *p, int n) { return n ? even(p, n - 1) : (p[1] = 0); }
static int find(const char *name, const char **among) { return strcmp(name, among[0]); }
int f(int i)
{
    clear(cleared);
    *same(returned) = 1;
    return sum(summed, i & 1) + even(in_turns, i) + find("two", names) + sum(&below[1], 1);
}
"""


def test_what_is_passed_to_functions_that_only_read_it_is_not_written(compile_c: Compile) -> None:
    program = compile_c(CALLS)
    own = {"summed", "cleared", "returned", "in_turns", "below", "names"}
    assert own & written_variables(program) == {"cleared", "returned", "in_turns"}
