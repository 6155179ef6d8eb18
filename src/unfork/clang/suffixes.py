"""The suffixes of files that are a program."""

C_SUFFIXES = frozenset((".c", ".i"))
IR_SUFFIXES = frozenset((".bc", ".ll"))
