"""Array elements at unknown places: each path's test, replayed natively, ends with the status that the path says."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.runs import explore
from unfork.cli import main

PLACES = st.sampled_from(["i", "j", "1"])
SMALL = st.integers(1, 3)
OPERATIONS = st.lists(
    st.one_of(
        st.builds("got = a[{0}].to;".format, PLACES),
        st.builds("a[{0}].to = got;".format, PLACES),
        st.builds("a[{0}].n = {1};".format, PLACES, SMALL),
        st.builds("a[{0}] = a[{1}];".format, PLACES, PLACES),
        st.builds("status = status * 3 + (a[{0}].to == got);".format, PLACES),
        st.builds("status = status * 3 + (a[{0}].n == {1});".format, PLACES, SMALL),
    ),
    min_size=3,
    max_size=4,
)
TEXT = """#include <stdlib.h>
struct s { struct s *to; int n; %s };
void f(struct s *a, unsigned i, unsigned j)
{
    struct s *got = 0;
    unsigned status = 0;
    if (!a || i > 2 || j > 2) exit(99);
    %s
    exit((status * 3 + a[i].n) %% 97);
}
"""


@given(OPERATIONS, st.sampled_from(["", "long more;", "char more[13];"]))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_tests_of_functions_that_index_arrays_replay_natively(operations: list[str], member: str) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    with TemporaryDirectory() as folder:
        source = Path(folder, "f.c")
        source.write_text(TEXT % (member, "\n    ".join(operations)))
        result = explore(source, Path(folder, "run"), "--function", "f", "--max-objects", "4", "--max-tests", "12")
        assert not result.errors
        assert main(["replay", str(result.directory), "--native", "--unenclosed"]) == 0
