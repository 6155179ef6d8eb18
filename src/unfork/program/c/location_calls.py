"""The functions whose calls unfork inserts into C texts to mark source locations in the program."""

BEGIN, END = "unfork_merge_begin", "unfork_merge_block"
"""Before and after an annotated block. The second gets the annotation, its number and its line."""
ASSERTED = "unfork_asserted"
"""At an assertion, with the line and column of the statement after it."""
PASSED, SEEN = "unfork_probe", "unfork_value"
"""With the number of a location and a truth value, or with a number of 64 bits."""
