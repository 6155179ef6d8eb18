"""The changes that bench/mutants_of_proofs.py makes are of code, and not of what is stated about it."""

from __future__ import annotations

from pathlib import Path

from bench.mutants_of_proofs import SOURCES, bodies_of, broken, changes, code_of

PROGRAM = """\
/* sum(a, 8): the sum */
int sum(const int *a, int n)
__contract__(requires(n <= 8 + 1) assigns());

int sum(const int *a, int n)
__contract__(
  requires(n <= 8 + 1)
)
{
  int parts[2] = {0, 0};
  for (int i = 0; i < n; i++)
  __loop__(invariant(i <= n))
  {
    parts[i & 1] += mlk_barrett_reduce(a[i]);
  }
  return parts[0] + parts[1];
}
"""
PROVED = """\
#define __contract__(x) x
int pick(const int *a, unsigned i)
__contract__(__CPROVER_requires(i < 4 && __CPROVER_is_fresh(a, 16)))
{
#ifdef LEFT_OUT
  i = i + 7;
#endif
  return a[i] & 1;
}
"""


def made(text: str, name: str) -> list[str]:
    """The changes of a function, in words."""
    code = code_of(text)
    (body,) = bodies_of(code, name)
    return [change.shown(text) for change in changes(code, *body)]


def test_a_change_of_each_kind_comes_first() -> None:
    assert made(PROGRAM, "sum")[:3] == [
        "line 11: `<=` for `<`",
        "line 14: `(int16_t)(a[i])` for `mlk_barrett_reduce(a[i])`",
        "line 14: `(i & 1) + 1` for `i & 1`",
    ]


def test_what_is_stated_and_what_is_declared_stays() -> None:
    lines = {shown.split(":")[0] for shown in made(PROGRAM, "sum")}
    assert lines <= {"line 10", "line 11", "line 14", "line 16"}
    assert not any("`2`" in shown for shown in made(PROGRAM, "sum"))


def test_a_broken_function_is_not_proved(tmp_path: Path) -> None:
    source = tmp_path / SOURCES / "pick.c"
    source.parent.mkdir(parents=True)
    source.write_text(PROVED)
    found = list(broken(tmp_path, source, "pick", ["--max-time", "20"]))
    assert [(cells[1], cells[2]) for cells, _ in found] == [
        ("line 8: `(i) + 1` for `i`", "unsafe"),
        ("line 8: `\\|` for `&`", "safe"),
        ("line 8: `(4 * 1 + 5)` for `1`", "safe"),
        ("line 8: `(a[i] & 1) + 1` for `a[i] & 1`", "safe"),
    ]
    assert [is_good for _, is_good in found] == [True, False, False, False]
    assert source.read_text() == PROVED
