"""The kinds of errors for readers who do not know unfork: title, text, weakness (CWE)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CWE_URI = "https://cwe.mitre.org/data/definitions/{}.html"


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of error. ``weakness`` is its number in the Common Weakness Enumeration.

    ``severity`` is a CVSS score for security; None for kinds that are no security matter in themselves.
    """

    title: str
    text: str
    remedy: str
    weakness: int
    severity: str | None = None


RULES: Mapping[str, Rule] = {
    "assert": Rule(
        "Assertion fails",
        "An assertion of the program is false for the inputs of the test.",
        "Correct the code that leads here, or the assertion if it asks for too much.",
        617,
    ),
    "reach-error": Rule(
        "Error function is reached",
        "A function that must never be called (reach_error, __VERIFIER_error) is called for the inputs of the test.",
        "Follow the path from the inputs to the call, and close it.",
        617,
    ),
    "abort": Rule(
        "Program aborts",
        "The program calls abort() for the inputs of the test.",
        "Handle the condition, or say --abort end if aborting is how the program is meant to end.",
        617,
    ),
    "out-of-bounds": Rule(
        "Access out of bounds",
        "The program reads or writes beyond the end, or before the beginning, of an object in memory.",
        "Check the index or the size before the access.",
        119,
        "8.1",
    ),
    "null-dereference": Rule(
        "Null pointer is dereferenced",
        "The program reads, writes or calls through a null pointer.",
        "Check the pointer where it may be null.",
        476,
        "5.5",
    ),
    "use-after-free": Rule(
        "Use after free",
        "The program uses memory that was freed, or a local variable whose function has returned.",
        "Free the memory after its last use, and keep no pointer to it.",
        416,
        "8.1",
    ),
    "double-free": Rule(
        "Double free",
        "The program frees the same memory twice.",
        "Let one owner free the memory, and set the pointer to null there.",
        415,
        "8.1",
    ),
    "invalid-free": Rule(
        "Invalid free",
        "The program frees what malloc and its relatives did not return.",
        "Free exactly the pointers that were allocated.",
        590,
        "7.5",
    ),
    "uninitialised": Rule(
        "Use of uninitialised memory",
        "What the program does depends on bytes that it never wrote.",
        "Initialise the variable on every path to its use.",
        457,
        "5.5",
    ),
    "read-only": Rule(
        "Write to read-only memory",
        "The program writes to a string literal, a constant or code.",
        "Write to a copy.",
        758,
        "5.5",
    ),
    "div-by-zero": Rule(
        "Division by zero", "The program divides by zero.", "Check the divisor before the division.", 369, "5.5"
    ),
    "overflow": Rule(
        "Signed integer overflow",
        "The result of a signed operation does not fit its type, which C leaves undefined.",
        "Check the operands, or calculate in a wider or an unsigned type.",
        190,
        "5.5",
    ),
    "shift": Rule(
        "Invalid shift",
        "The program shifts by a negative number of bits, or by as many as the value has or more.",
        "Check the distance before the shift.",
        1335,
    ),
    "unreachable": Rule(
        "Unreachable code is reached",
        "The program reaches a place that it declares unreachable.",
        "Handle the case, or make sure that it cannot occur.",
        758,
    ),
    "leak": Rule(
        "Memory leak",
        "Memory is still allocated at the end of the program, and nothing points to it any more.",
        "Free the memory before the last pointer to it is lost.",
        401,
    ),
    "contract": Rule(
        "Contract is broken",
        "A condition is false that a function requires, ensures or claims to be invariant.",
        "Correct the function, or the contract if it promises too much.",
        684,
    ),
    "user": Rule(
        "Error reported by the program",
        "The program itself reports an error (klee_report_error) for the inputs of the test.",
        "Follow the path from the inputs to the report.",
        617,
    ),
    "stack-overflow": Rule(
        "Stack overflow",
        "The program runs out of stack, mostly because a recursion does not end.",
        "Bound the recursion, or the size of local arrays.",
        674,
        "5.5",
    ),
    "invalid-call": Rule(
        "Invalid call",
        "A call does not fit the function: its type, its arguments, or what it demands of them.",
        "Call the function as it is declared and documented.",
        628,
        "5.5",
    ),
    "nontermination": Rule(
        "Program does not end",
        "The program comes back to a state that it was in before, so that it runs for ever.",
        "Make sure that every turn of the loop comes nearer to its end.",
        835,
        "5.5",
    ),
    "data-race": Rule(
        "Data race",
        "Two threads access the same memory, one of them writes, and nothing orders the two. C gives it no meaning.",
        "Let both hold the same lock, make the accesses atomic, or let one wait for the other.",
        362,
        "7.0",
    ),
    "deadlock": Rule(
        "Deadlock",
        "No thread can go on: each waits for another one.",
        "Take locks in the same order everywhere, and look at what a wait is for under its lock, in a loop.",
        833,
        "5.5",
    ),
    "lock-misuse": Rule(
        "Lock is misused",
        "A thread does with a lock or a thread what POSIX leaves undefined, such as to unlock what it does not hold.",
        "Let the thread that has taken a lock give it back, once, and destroy only what nobody holds.",
        667,
        "5.5",
    ),
    "uncaught-exception": Rule(
        "Uncaught exception",
        "An exception leaves main: nothing catches it, and the program ends as by abort().",
        "Catch it where something can be done about it, or rule out what it is thrown for.",
        248,
        "5.5",
    ),
    "terminate": Rule(
        "std::terminate is called",
        "An exception leaves a noexcept function or a destructor, or there is none to be thrown again.",
        "Keep the exception within the function, or let the function throw.",
        248,
        "5.5",
    ),
    "hardening": Rule(
        "Assertion of the C++ library",
        "The program uses the C++ library as the standard does not allow.",
        "Look at what the function demands: an element that is there, a range that is valid, a comparison that orders.",
        628,
        "5.5",
    ),
}
"""By the kinds of unfork.options.error_kinds.ERROR_KINDS."""

WEAKNESSES: Mapping[int, str] = {
    119: "Improper Restriction of Operations within the Bounds of a Memory Buffer",
    125: "Out-of-bounds Read",
    190: "Integer Overflow or Wraparound",
    362: "Concurrent Execution using Shared Resource with Improper Synchronization ('Race Condition')",
    248: "Uncaught Exception",
    369: "Divide By Zero",
    401: "Missing Release of Memory after Effective Lifetime",
    415: "Double Free",
    416: "Use After Free",
    457: "Use of Uninitialized Variable",
    476: "NULL Pointer Dereference",
    590: "Free of Memory not on the Heap",
    617: "Reachable Assertion",
    628: "Function Call with Incorrectly Specified Arguments",
    667: "Improper Locking",
    674: "Uncontrolled Recursion",
    684: "Incorrect Provision of Specified Functionality",
    758: "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior",
    787: "Out-of-bounds Write",
    833: "Deadlock",
    835: "Loop with Unreachable Exit Condition ('Infinite Loop')",
    1335: "Incorrect Bitwise Shift of Integer",
}
"""Names of the weaknesses in rules and results."""
_OF_ACCESSES = {"read": 125, "write": 787}


def weakness(kind: str, access: Mapping[str, Any] | None) -> int:
    """The weakness of an error, which may be narrower than its kind's. ``access`` comes from the summary."""
    if kind == "out-of-bounds" and access is not None:
        return _OF_ACCESSES[access["verb"]]
    return RULES[kind].weakness


def kind_of(word: str) -> str:
    """The kind of error of a proof obligation (``ensures``, ``overflow``, ...)."""
    return word if word in RULES else "contract"
