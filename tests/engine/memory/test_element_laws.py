"""Array elements at unknown places: each path's test, replayed natively, ends with the status that the path says."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.power import IS_FULL, examples
from tests.support.runs import explore
from unfork.cli import main

PLACES = st.sampled_from(["i", "j", "1"])
SMALL = st.integers(1, 3)
COPY = st.builds("a[{0}] = a[{1}];".format, PLACES, PLACES)
OPERATION = st.one_of(
    st.builds("got = a[{0}].to;".format, PLACES),
    st.builds("a[{0}].to = got;".format, PLACES),
    st.builds("a[{0}].n = {1};".format, PLACES, SMALL),
    st.builds("status = status * 3 + (a[{0}].to == got);".format, PLACES),
    st.builds("status = status * 3 + (a[{0}].n == {1});".format, PLACES, SMALL),
)
ARRAYS = {
    "alone": ("", "struct s *a", "!a"),
    "a member": ("struct w { int before; struct s own[3]; struct s *after; };\n#define a w->own", "struct w *w", "!w"),
    "a variable": ("static struct s a[3];", "int none", "0"),
    "a member of a variable": ("static struct { struct s *before, own[3]; } w;\n#define a w.own", "int none", "0"),
    "of an element": (
        "struct w { int before; struct s own[3]; };\n#define a w[k].own",
        "struct w *w, unsigned k",
        "!w || k > 1",
    ),
    "of a member's element": (
        "struct w { struct { char before; struct s own[3]; } rows[2]; };\n#define a w->rows[k].own",
        "struct w *w, unsigned k",
        "!w || k > 1",
    ),
    "a flexible member": ("struct w { int before; struct s own[]; };\n#define a w->own", "struct w *w", "!w"),
}
"""By name: declarations, parameters, and which of these are no arrays."""
TEXT = """#include <stdlib.h>
struct s { struct s *to; int n; %s };
%s
void f(%s, unsigned i, unsigned j)
{
    struct s *got = 0;
    unsigned status = 0;
    if (%s || i > 2 || j > 2) exit(99);
    %s
    exit((status * 3 + a[i].n) %% 97);
}
"""


@given(st.data(), st.sampled_from(["", "long more;", "char more[13];"]), st.sampled_from([*ARRAYS]))
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_tests_of_functions_that_index_arrays_replay_natively(data: st.DataObject, member: str, array: str) -> None:
    """A copy of a struct makes all elements known, which are too many in an element."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    is_nested = "[k]" in ARRAYS[array][0]
    operations = data.draw(st.lists(OPERATION if is_nested else OPERATION | COPY, min_size=3, max_size=4))
    with TemporaryDirectory() as folder:
        source = Path(folder, "f.c")
        declarations, parameters, refused = ARRAYS[array]
        source.write_text(TEXT % (member, declarations, parameters, refused, "\n    ".join(operations)))
        options = f"--function f --max-objects 4 --strategy plain --max-tests {8 if IS_FULL else 3}".split()
        # Copies of an array of any length have more paths than anyone waits for.
        options += ["--max-forks", "500" if IS_FULL else "60"]
        result = explore(source, Path(folder, "run"), *options, "--globals", "symbolic")
        assert not result.errors
        assert main(["replay", str(result.directory), "--native", "--unenclosed"]) == 0
