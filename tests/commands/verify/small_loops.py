"""Small functions with contracts, right and wrong ones, on an array of a few elements; and the same as a program."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

MOST = 3
LEAST_VALUE, LARGEST_VALUE = -2, 2


@dataclass(frozen=True, slots=True)
class SmallLoop:
    """A loop over ``a[0 .. n-1]``, with what its contract says of it; ``promise`` holds in C and in ACSL."""

    body: tuple[str, ...]
    invariants: tuple[str, ...]
    frame: str
    promise: Promise
    callee: str

    def function(self) -> str:
        """The function with its contract."""
        invariants = "".join(f"        loop invariant {each};\n" for each in self.invariants)
        body = "".join(f"        {each}\n" for each in self.body)
        return f"""{self.callee}
/*@ requires 0 <= n <= {MOST} && \\valid(a + (0 .. n-1));
    requires \\forall integer k; 0 <= k < n ==> {LEAST_VALUE} <= a[k] <= {LARGEST_VALUE};
    assigns a[0 .. n-1];
    ensures {self.promise.acsl}; */
int f(int *a, int n)
{{
    int x = 0;
    /*@ loop invariant 0 <= i <= n + 1;
{invariants}        loop assigns i, x, {self.frame}; */
    for (int i = 0; i < n; i++) {{
{body}    }}
    return x;
}}
"""

    def program(self) -> str:
        """A program that calls the function with any inputs that it allows, and checks what it promises."""
        return f"""#include <assert.h>
#include <stdlib.h>
#include "unfork.h"
{self.function()}
static void check(int n)
{{
    int values[{MOST}], old[{MOST}];
    unfork_symbolic(values, sizeof values, "values");
    int *a = malloc(n * sizeof *a);
    if (a == NULL)
        exit(0);
    for (int k = 0; k < n; k++) {{
        unfork_assume({LEAST_VALUE} <= values[k] && values[k] <= {LARGEST_VALUE});
        a[k] = old[k] = values[k];
    }}
    int result = f(a, n);
{self.promise.c}
    (void)result;
    (void)old;
    free(a);
}}
int main(void)
{{
    int n;
    unfork_symbolic(&n, sizeof n, "n");
    for (int length = 0; length <= {MOST}; length++)
        if (n == length)
            check(length);
    return 0;
}}
"""


@dataclass(frozen=True, slots=True)
class Promise:
    """What a function ensures, and statements of C that check it."""

    acsl: str
    c: str


def of_all(condition: str) -> Promise:
    """Of each ``a[k]``."""
    text = condition.replace("OLD", "\\old(a[k])")
    checked = condition.replace("OLD", "old[k]")
    return Promise(
        f"\\forall integer k; 0 <= k < n ==> {text}", f"    for (int k = 0; k < n; k++)\n        assert({checked});"
    )


def of_result(condition: str) -> Promise:
    return Promise(condition.replace("RESULT", "\\result"), f"    assert({condition.replace('RESULT', 'result')});")


_values = st.sampled_from(["0", "1", "x", "a[i]", "-a[i]", "a[0]", "a[n-1]", "a[i] + 1", "i", "x + a[i]", "n - i"])
_places = st.sampled_from(["a[i]", "a[i]", "a[n - 1 - i]", "a[0]", "x", "x", "a[i + 1]"])
_questions = st.sampled_from(["a[i] > 0", "a[i] < x", "i > 0", "i + 1 < n", "x == 0", "a[i] == a[0]", "a[n-1] >= 1"])
_plain = st.builds("{} = {};".format, _places, _values) | st.sampled_from(
    ["x++;", "break;", "continue;", "return x;", "set(a + i, x);", "set(&x, a[i]);", "i++;"]
)
statements = st.recursive(
    _plain,
    lambda inner: (
        st.builds("if ({}) {{ {} }}".format, _questions, inner)
        | st.builds("if ({}) {{ {} }} else {{ {} }}".format, _questions, inner, inner)
        | st.builds("{} {}".format, inner, inner)
    ),
    max_leaves=4,
)
invariants = st.sampled_from(
    [
        "i <= n",
        "x >= 0",
        "x <= i",
        "x == i",
        "x == 0",
        "\\forall integer k; 0 <= k < i && k < n ==> a[k] == 0",
        "\\forall integer k; 0 <= k < i && k < n ==> a[k] >= 0",
        "\\forall integer k; 0 <= k < n ==> a[k] <= 2",
        "\\forall integer k; i <= k < n ==> a[k] == \\at(a[k], Pre)",
        "\\forall integer k; 0 <= k < n ==> a[k] == \\at(a[k], Pre)",
        "\\forall integer k; 0 <= k < n ==> -100 <= a[k] <= 100",
        "-100 <= x <= 100",
        "n > 0 ==> a[0] == \\at(a[0], LoopEntry)",
        "\\exists integer k; 0 <= k <= i && x <= k",
    ]
)
_frames = st.sampled_from(["a[0 .. n-1]", "a[0 .. n-1]", "a[0 .. i-1]", "a[i-1]", "a[0]", "a[i .. n-1]", "a[1 .. 0]"])
promises = st.sampled_from(
    [
        *map(of_all, ("a[k] == 0", "a[k] >= 0", "a[k] == OLD", "a[k] <= 2", "a[k] <= OLD", "a[k] == OLD || a[k] == 0")),
        *map(of_result, ("RESULT == 0", "RESULT >= 0", "RESULT <= n", "RESULT == n")),
        Promise("n > 0 ==> a[0] == \\old(a[0])", "    if (n > 0)\n        assert(a[0] == old[0]);"),
        Promise(
            "\\exists integer k; 0 <= k <= n && \\result == k",
            "    int seen = 0;\n    for (int k = 0; k <= n; k++)\n        seen |= result == k;\n    assert(seen);",
        ),
    ]
)
_CALLEE = "/*@ requires \\valid(p); assigns {}; ensures {}; */\nstatic void set(int *p, int v)\n{{\n    {}\n}}"
_callees = st.builds(
    _CALLEE.format,
    st.sampled_from(["*p", "*p", "\\nothing"]),
    st.sampled_from(["*p == v", "*p >= v", "*p == \\old(*p) || *p == v", "\\true"]),
    st.sampled_from(["*p = v;", "if (v > 0) *p = v;", "(void)p, (void)v;"]),
)
random_loops = st.builds(
    SmallLoop,
    st.lists(statements, min_size=1, max_size=3).map(tuple),
    st.lists(invariants, max_size=5, unique=True).map(tuple),
    _frames,
    promises,
    _callees,
)
