"""For each rule that decides how certain a finding is: a program that it decides, and one that it does not."""

from __future__ import annotations

from collections.abc import Mapping

PROGRAMS: Mapping[str, tuple[str, str]] = {
    "assertion": ("assert_states_precondition.c", "own_array_loop.c"),
    "no-function": ("needs_a_function_in_union.c", "needs_a_callback_that_prints.c"),
    "outside-handler": ("needs_a_handler.cpp", "noexcept_throws.cpp"),
    "library-class": ("needs_a_list.cpp", "vector_argument_index_le.cpp"),
    "unknown-siblings": ("needs_a_large_struct.c", "needs_a_pointer.c"),
    "before-setup": ("needs_setup.c", "reset_before_use.c"),
    "chosen-function": ("needs_a_chosen_function.c", "chosen_function_passed.c"),
    "callback-block": ("needs_callers_free.c", "leak_beside_callback.c"),
    "addresses": ("pointers_in_order.c", "pointer_to_own_end.c"),
    "null-tested-late": ("null_test_after_use.c", "null_test_without_return.c"),
    "null-pointer": ("needs_a_pointer.c", "nonnull_attribute.c"),
    "pointer-target": ("needs_data_outside.c", "freed_twice_beside_null.c"),
    "class": ("needs_a_class.cpp", "class_of_two_bases.cpp"),
    "null-function": ("needs_a_callback_that_prints.c", "null_function_called.c"),
    "null-beside-size": ("needs_data_of_size.c", "null_with_size_zero.c"),
    "in-front": ("needs_bytes_in_front.c", "member_in_front.c"),
    "room-after-text": ("needs_room_behind_text.c", "own_buffer_strcpy.c"),
    "short-text": ("needs_four_bytes_behind.c", "text_read_by_four.c"),
    "undefined-function": ("undefined_function_gives.c", "undefined_function_called.c"),
    "untested-number": ("needs_a_divisor.c", "table_index_le.c"),
    "made-object": ("needs_a_made_queue.c", "member_index_le.c"),
    "text-without-size": ("size_or_text.c", "size_asked_as_text.c"),
    "untested-heap": ("needs_two_counters.c", "null_then_index.c"),
    "null-result": ("null_from_getter.c", "null_from_search.c"),
    "largest-size": ("largest_size.c", "large_size.c"),
    "every-input": ("own_array_loop.c", "table_index_le.c"),
    "tested-wrongly": ("table_index_le.c", "needs_a_divisor.c"),
    "number-let-by": ("table_index_negative.c", "table_index_le.c"),
    "contents": ("own_buffer_strcpy.c", "needs_room_behind_text.c"),
    "never-passed-null": ("duty_null_kept.c", "duty_null_broken.c"),
    "size-of-object": ("duty_size_of_array.c", "duty_size_sampled.c"),
    "room-of-object": ("duty_room_of_hash.c", "duty_room_counted.c"),
    "size-not-shown": ("duty_size_not_shown.c", "duty_size_shown.c"),
    "number-not-passed": ("duty_number_not_passed.c", "duty_number_passed.c"),
    "number-of-callers": ("duty_number_of_callers.c", "duty_number_of_user.c"),
    "step-of-number": ("duty_step_of_calls.c", "duty_step_sampled.c"),
    "documented": ("duty_documented.c", "duty_documented_otherwise.c"),
}
"""Programs of the folder ``programs``: test_programs.py scans them."""
BY_TIME = frozenset(("after-calls", "own-block", "on-contents"))
"""Rules that decide where time is short: test_programs.py and test_native_trials.py have tests of theirs."""

_BIG = "struct big { char room[1000000]; int k; };\n"
_PAIR = "struct pair { int *left, *right; };\n"
_PART = "int part(int *n) { if (*n < 4 || *n > 9) return 0; return 8 / (*n - 4); }\n"
_PASSES = "int h(void) { int n = 12; return f(part, &n); }\n"
_QUEUE = "struct queue { int *at, *end; };\nint next(struct queue *q) { return q && q->at < q->end ? *q->at++ : 0; }\n"
_SIGNALS = (
    "#include <signal.h>\n#include <stdlib.h>\nint f(int n) { char *p = malloc(8); sigset_t set; sigemptyset(&set); "
)
_SUMS = "#include <stddef.h>\nint f(const unsigned char *p, size_t n) { int s = 0; "
FUNCTIONS: Mapping[str, tuple[str, str]] = {
    "undefined-variable": (
        "extern int limit;\nint f(void) { if (limit > 3) return 1; return 0; }\n",
        "int f(int n) { int limit; if (n) limit = 2; if (limit > 3) return 1; return 0; }\n",
    ),
    "own-callback": (
        f"static {_PART}int f(int (*g)(int *), int *n) {{ if (!g || !n) return 0; return g(n); }}\n{_PASSES}",
        f"{_PART}int f(int (*g)(int *), int *n) {{ if (!g || !n) return 0; return g(n); }}\n{_PASSES}",
    ),
    "between-steps": (
        f"{_SUMS}for (size_t i = 0; i < n; i += 4) s += p[i] + p[i + 3]; return s; }}\n",
        f"{_SUMS}for (size_t i = 0; i < n; i += 1) s += p[i] + p[i + 1]; return s; }}\n",
    ),
    "equal-pointers": (
        f"{_PAIR}int f(struct pair *p) {{ if (!p || !p->left || p->left != p->right) return 0;"
        " return 1 / (*p->left - *p->right); }\n",
        f"{_PAIR}int f(struct pair *p) {{ if (!p || !p->left || p->left == p->right) return 0; return 1 / 0; }}\n",
    ),
    "pointer-to-nothing": (
        f"{_BIG}int f(const struct big *b) {{ if (b) return 0; return b->k; }}\n",
        f"{_BIG}int f(const struct big *b) {{ if (b) return 0; return b->room[0]; }}\n",
    ),
    "plain-pointers": (
        "#include <stddef.h>\n"
        "int f(char *p, size_t n, size_t i) { char t[4]; if (i + 1 < i) return t[4 + (n & 1)]; return 0; }\n",
        "int f(const int *a, const int *b, int i) { static int t[2]; if (a == b && i == 2) return t[i]; return 0; }\n",
    ),
    "huge-object": (
        "#include <stddef.h>\n"
        "int f(char *p, size_t n, size_t i) { char t[4]; if (i + 1 < i) return t[4 + (n & 1)]; return 0; }\n",
        "#include <stddef.h>\n"
        "int f(char *p, size_t n, size_t i) { char t[4]; if (i <= n && n <= 4) return t[i]; return 0; }\n",
    ),
    "broken-format": (
        "int f(const char *format, ...) {\n"
        "  if (!format || format[0] != '%') return 0;\n  return format[1] == 'd' ? 1 : format[2]; }\n",
        "int f(const char *text) {\n"
        "  if (!text || text[0] != '%') return 0;\n  return text[1] == 'd' ? 1 : text[2]; }\n",
    ),
    "empty-range": (
        f"#include <stdlib.h>\n{_QUEUE}"
        "int f(struct queue *q) { if (!q || q->at != q->end) return 0; int *p = malloc(2); if (!p) return 0;"
        " p[0] = 1; int n = *p; free(p); return n; }\n",
        f"{_QUEUE}int f(struct queue *q) {{ static int t[2]; if (!q || q->end - q->at != 3) return 0;"
        " return t[q->end - q->at]; }\n",
    ),
    "end-of-text": (
        "int f(const char *s, const char *end) { int n = 0; while (s != end) n += *s++; return n + *end; }\n",
        "int f(const char *s) { int n = 0; while (*s++ != 'x') n += *s; return n; }\n",
    ),
    "library-test": (
        f"{_SIGNALS}if (sigaddset(&set, n)) free(p); free(p); return 0; }}\n",
        f"{_SIGNALS}sigaddset(&set, n); if (n > 70) free(p); free(p); return 0; }}\n",
    ),
}
"""Functions ``f``, of which test_certainty.py judges all paths: another path makes the finding, or none does."""
