"""The kinds of errors of a program, by the names that users, tests and reports have for them."""

ERROR_KINDS = (
    "assert",
    "reach-error",
    "abort",
    "out-of-bounds",
    "null-dereference",
    "use-after-free",
    "double-free",
    "invalid-free",
    "uninitialised",
    "read-only",
    "div-by-zero",
    "overflow",
    "shift",
    "unreachable",
    "leak",
    "contract",
    "user",
    "stack-overflow",
    "invalid-call",
    "nontermination",
)
