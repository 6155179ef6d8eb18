"""The suffixes of files that are a program."""

C_SUFFIXES = frozenset((".c", ".i"))
CPP_SUFFIXES = frozenset((".cpp", ".cc", ".cxx", ".C", ".c++", ".ii"))
COMPILED = C_SUFFIXES | CPP_SUFFIXES
"""Those of sources."""
IR_SUFFIXES = frozenset((".bc", ".ll"))
