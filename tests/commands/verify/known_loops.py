"""Small functions whose contracts follow from what they do: true ones, and the same with one thing changed."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.commands.verify.small_loops import (
    LARGEST_VALUE,
    LEAST_VALUE,
    Promise,
    SmallLoop,
    invariants,
    of_all,
    of_result,
    promises,
    random_loops,
    statements,
)

SET = "/*@ requires \\valid(p); assigns *p; ensures *p == v; */\nstatic void set(int *p, int v)\n{\n    *p = v;\n}"
NO_CALLEE = ""
ALL = "a[0 .. n-1]"
DONE, LEFT, NONE = "0 <= k < i && k < n", "i <= k < n", "a[1 .. 0]"
_UNCHANGED = "\\forall integer k; 0 <= k < n ==> a[k] == \\at(a[k], Pre)"
_REST = f"\\forall integer k; {LEFT} ==> a[k] == \\at(a[k], Pre)"


def _done(condition: str) -> str:
    """Of each ``a[k]`` that the loop has come to."""
    return f"\\forall integer k; {DONE} ==> {condition}"


def _loop(body: str, frame: str, promise: Promise, *invariants: str) -> SmallLoop:
    return SmallLoop((body,), ("i <= n", *invariants), frame, promise, SET if "set(" in body else NO_CALLEE)


def fill(value: int) -> SmallLoop:
    """All elements become a number."""
    return _loop(f"a[i] = {value};", "a[0 .. i-1]", of_all(f"a[k] == {value}"), _done(f"a[k] == {value}"))


def fill_by_call(value: int) -> SmallLoop:
    """The same, by a function with a contract."""
    return replace(fill(value), body=(f"set(a + i, {value});",), frame=ALL, callee=SET)


def fill_from_behind(value: int) -> SmallLoop:
    """All elements become a number, the last one first."""
    done = f"\\forall integer k; n - i <= k < n && k >= 0 ==> a[k] == {value}"
    return _loop(f"a[n - 1 - i] = {value};", ALL, of_all(f"a[k] == {value}"), done)


def at_most(value: int) -> SmallLoop:
    """No element is left above a number."""
    body = f"if (a[i] > {value}) a[i] = {value};"
    return _loop(body, ALL, of_all(f"a[k] <= {value}"), _done(f"a[k] <= {value}"))


def grown(value: int) -> SmallLoop:
    """Each element grows by a number."""
    done = _done(f"a[k] == \\at(a[k], Pre) + {value}")
    return _loop(f"a[i] += {value};", ALL, of_all(f"a[k] == OLD + {value}"), done, _REST)


def erased(value: int) -> SmallLoop:
    """A number becomes zero, the others stay."""
    done = _done("a[k] == \\at(a[k], Pre) || a[k] == 0")
    return _loop(f"if (a[i] == {value}) a[i] = 0;", ALL, of_all("a[k] == OLD || a[k] == 0"), done, _REST)


def counted(value: int) -> SmallLoop:
    """How many elements are above a number: some of them."""
    promise = of_result("0 <= RESULT && RESULT <= n")
    return _loop(f"if (a[i] > {value}) x++;", NONE, promise, "0 <= x <= i")


def all_counted(value: int) -> SmallLoop:
    """How many elements there are, times a number."""
    return _loop(f"x += {value};", NONE, of_result(f"RESULT == {value} * n"), f"x == {value} * i")


def largest(value: int) -> SmallLoop:
    """The largest element, but at least 0. (The number does not matter.)"""
    promise = Promise(
        "\\forall integer k; 0 <= k < n ==> a[k] <= \\result",
        "    for (int k = 0; k < n; k++)\n        assert(a[k] <= result);",
    )
    return _loop(f"if (x < a[i] + 0 * {value}) x = a[i];", NONE, promise, _done("a[k] <= x"), _UNCHANGED)


def sought(value: int) -> SmallLoop:
    """Whether a number is there."""
    promise = Promise(
        f"\\result == 0 ==> \\forall integer k; 0 <= k < n ==> a[k] != {value}",
        f"    for (int k = 0; k < n; k++)\n        assert(result != 0 || a[k] != {value});",
    )
    return _loop(f"if (a[i] == {value}) {{ x = 1; break; }}", NONE, promise, "x == 0", _done(f"a[k] != {value}"))


def summed(value: int) -> SmallLoop:
    """The sum of the elements, each less a number: within bounds."""
    low, high = LEAST_VALUE - value, LARGEST_VALUE - value
    promise = of_result(f"{low} * n <= RESULT && RESULT <= {high} * n")
    bounds = f"\\forall integer k; 0 <= k < n ==> {LEAST_VALUE} <= a[k] <= {LARGEST_VALUE}"
    return _loop(f"x += a[i] - {value};", NONE, promise, f"{low} * i <= x <= {high} * i", bounds)


_known = st.builds(
    lambda shape, value: shape(value),
    st.sampled_from(
        [
            *(fill, fill_by_call, fill_from_behind, at_most, grown, erased),
            *(counted, all_counted, largest, sought, summed),
        ]
    ),
    st.integers(LEAST_VALUE, LARGEST_VALUE),
)


def _around(loop: SmallLoop, question: str) -> SmallLoop:
    """The same, whatever a question is answered."""
    [body] = loop.body
    return replace(loop, body=(f"if ({question}) {{ {body} }} else {{ {body} }}",))


_true = _known | st.builds(_around, _known, st.sampled_from(["a[0] > 0", "i > 0", "x == 0", "a[n-1] >= 1"]))
_changed = st.one_of(
    st.builds(lambda loop, more: replace(loop, body=(*loop.body, more)), _true, statements),
    st.builds(lambda loop, promise: replace(loop, promise=promise), _true, promises),
    st.builds(lambda loop, place: replace(loop, invariants=loop.invariants[:place]), _true, st.integers(0, 2)),
    st.builds(lambda loop, more: replace(loop, invariants=(*loop.invariants, more)), _true, invariants),
    st.builds(lambda loop, other: replace(loop, body=other.body, callee=other.callee), _true, _true),
    st.builds(lambda loop: replace(loop, frame="a[1 .. n-1]"), _true),
).map(lambda loop: replace(loop, callee=loop.callee or SET))
small_loops = st.one_of(_true, _true, _changed, random_loops)
"""True ones, as often as not; those with one thing changed; and any."""
