/* unfork.h: what a program may tell or ask the symbolic execution engine unfork.
 *
 * The functions have no body: unfork gives them their meaning. To compile the program without unfork, define them
 * yourself, or use the stand-alone C file that `unfork run --formats c` writes for a test.
 */
#ifndef UNFORK_H
#define UNFORK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define UNFORK_BOOLEAN bool
#else
#define UNFORK_BOOLEAN _Bool
#endif

/* The `size` bytes at `pointer` become an input called `name`: any value is possible. The bytes may be a whole object
 * or a part of one (a field, a slice of an array). */
void unfork_symbolic(void *pointer, size_t size, const char *name);

/* Only what satisfies `condition` is explored further. */
void unfork_assume(UNFORK_BOOLEAN condition);

/* A bug of kind "assert" wherever `condition` may be false. */
void unfork_check(UNFORK_BOOLEAN condition);

/* Paths that part between these two are joined at the end. */
void unfork_merge_begin(void);
void unfork_merge_end(void);

/* A place where states may be covered by earlier states that came by with the same `id`. */
void unfork_subsume(int id);

/* Array abstraction (--abstract array) keeps apart where this index variable is. In a function without such a call all
 * variables that index arrays count. */
void unfork_index(long index);

/* The number of elements of an array that a function was given (unfork run --function). Until it is asked for, accesses
 * lengthen the array; from then on, one beyond it is a bug. */
size_t unfork_length(const void *array);

/* A goal of coverage: a test is written for what first reaches it, and the summary lists the ids that were reached. */
void unfork_cover(int id);

/* Prints a value, or the term that it is. */
void unfork_print(long value);

/* A bug of kind "contract" wherever `condition` may be false. */
void unfork_ensure(UNFORK_BOOLEAN condition);

/* Contracts. A requirement is assumed and stands at a function's head; a guarantee is checked where it stands: in front
 * of a return. */
#define UNFORK_REQUIRES(condition) unfork_assume(condition)
#define UNFORK_ENSURES(condition) unfork_ensure(condition)
#define UNFORK_INVARIANT(condition) _Static_assert(0, "UNFORK_INVARIANT: not yet")

#undef UNFORK_BOOLEAN

#ifdef __cplusplus
}
#endif

#endif
