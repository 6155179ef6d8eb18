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

/* A bug of kind "contract" wherever `condition` may be false: what UNFORK_INVARIANT checks. */
void unfork_invariant(UNFORK_BOOLEAN condition);

/* Contracts, which `unfork verify` proves for all inputs. `unfork run` checks them where they stand: a requirement is
 * assumed and stands at a function's head; a guarantee stands in front of a return; an invariant is the first statement
 * in the braces of a loop's body.
 *
 * UNFORK_OLD, at a function's head, names what a value was at the function's entry; UNFORK_RESULT, in front of a return,
 * names what the function returns. Both declare constants:
 *
 *   int pop(struct stack *s) {
 *     UNFORK_REQUIRES(s->size > 0);
 *     UNFORK_OLD(int, before, s->size);
 *     s->size--;
 *     UNFORK_RESULT(int, top, s->items[s->size]);
 *     UNFORK_ENSURES(s->size == before - 1 && top == s->items[s->size]);
 *     return top;
 *   }
 */
#ifndef UNFORK_VERIFY
#define UNFORK_REQUIRES(condition) unfork_assume(condition)
#define UNFORK_ENSURES(condition) unfork_ensure(condition)
#define UNFORK_INVARIANT(condition) unfork_invariant(condition)
#define UNFORK_OLD(type, name, value) type const name = (value)
#define UNFORK_RESULT(type, name, value) type const name = (value)
#endif

#undef UNFORK_BOOLEAN

#ifdef __cplusplus
}

namespace unfork {

/* An input of type T called `name`. */
template <class T> T symbolic(const char *name) {
  static_assert(__is_trivially_copyable(T), "only types that may be copied byte by byte can be inputs");
  alignas(T) unsigned char bytes[sizeof(T)];
  unfork_symbolic(bytes, sizeof bytes, name);
  return *reinterpret_cast<T *>(bytes);
}

}  // namespace unfork
#endif

#endif
