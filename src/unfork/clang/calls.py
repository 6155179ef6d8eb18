"""The functions whose calls unfork puts into C texts: they show where in a program a source location is."""

BEGIN, END = "unfork_merge_begin", "unfork_merge_block"
"""Before and after a block with an annotation. The second gets the annotation, its number and its line."""
ASSERTED = "unfork_asserted"
"""Where an assertion stands, with the line and column of the statement after it."""
PASSED, SEEN = "unfork_probe", "unfork_value"
"""With the number of a location and a truth value, or with a number of 64 bits."""
OF_CBMC = (
    "typedef _Bool __CPROVER_bool; typedef unsigned long __CPROVER_size_t; typedef long __CPROVER_ssize_t; "
    "void __CPROVER_assume(_Bool), __CPROVER_cover(_Bool), __CPROVER_assert(_Bool, const char *), "
    "__CPROVER_precondition(_Bool, const char *), __CPROVER_postcondition(_Bool, const char *);"
)
"""What CBMC declares for every program."""
