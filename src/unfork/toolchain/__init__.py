"""``unfork cc`` and ``unfork ar``: a C compiler and an archiver that keep bitcode beside machine code."""
