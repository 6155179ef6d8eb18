"""The functions whose calls unfork puts into C texts: they show where in a program a source location is."""

BEGIN, END = "unfork_merge_begin", "unfork_merge_block"
"""Before and after a block with an annotation. The second gets the annotation, its number and its line."""
ASSERTED = "unfork_asserted"
"""Where an assertion stands, with the line and column of the statement after it."""
PASSED, SEEN = "unfork_probe", "unfork_value"
"""With the number of a location and a truth value, or with a number of 64 bits."""
