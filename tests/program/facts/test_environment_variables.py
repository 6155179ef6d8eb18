"""Which variables of the environment a function looks up, itself or by a call."""

from __future__ import annotations

from tests.support.compiling import Compile
from unfork.program.facts.environment_variables import looked_up_variables

CODE = """
#include <stdlib.h>
static const char *colour(void) { return getenv("COLOUR"); }
int home(void) { return getenv("HOME") != 0; }
int both(void) { return home() && colour() != 0; }
int any(const char *name) { return getenv(name) != 0; }
int none(void) { return 0; }
"""


def test_variables_with_constant_names_are_known_up_the_callers(compile_c: Compile) -> None:
    found = looked_up_variables(compile_c(CODE))
    assert {name: set(variables) for name, variables in found.items()} == {
        "colour": {"COLOUR"},
        "home": {"HOME"},
        "both": {"COLOUR", "HOME"},
    }
