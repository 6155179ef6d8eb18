/* cprover.h: what CBMC knows without a declaration. A program that uses it is compiled with this file in front. */
#ifndef UNFORK_CPROVER_H
#define UNFORK_CPROVER_H

typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

/* --- what is assumed and proved --- */

void __CPROVER_assume(__CPROVER_bool condition);
void __CPROVER_assert(__CPROVER_bool condition, const char *text);
void __CPROVER_precondition(__CPROVER_bool condition, const char *text);
void __CPROVER_postcondition(__CPROVER_bool condition, const char *text);

/* Goals of coverage and notes for traces: they change nothing. */
void __CPROVER_cover(__CPROVER_bool condition);
void __CPROVER_input(const char *name, ...);
void __CPROVER_output(const char *name, ...);

/* --- objects and pointers --- */

/* Whether the bytes may be read, written, or both; those that a pointer points to, unless a number of them is given. */
__CPROVER_bool __CPROVER_r_ok(const void *pointer, __CPROVER_size_t size);
__CPROVER_bool __CPROVER_w_ok(const void *pointer, __CPROVER_size_t size);
__CPROVER_bool __CPROVER_rw_ok(const void *pointer, __CPROVER_size_t size);
#define __CPROVER_first(first, ...) (first)
#define __CPROVER_second(first, second, ...) (second)
#define __CPROVER_bytes(...) \
  __CPROVER_first(__VA_ARGS__, 0), __CPROVER_second(__VA_ARGS__, sizeof *__CPROVER_first(__VA_ARGS__, 0), 0)
#define __CPROVER_r_ok(...) __CPROVER_r_ok(__CPROVER_bytes(__VA_ARGS__))
#define __CPROVER_w_ok(...) __CPROVER_w_ok(__CPROVER_bytes(__VA_ARGS__))
#define __CPROVER_rw_ok(...) __CPROVER_rw_ok(__CPROVER_bytes(__VA_ARGS__))

__CPROVER_bool __CPROVER_same_object(const void *first, const void *second);
__CPROVER_size_t __CPROVER_POINTER_OBJECT(const void *pointer);
__CPROVER_ssize_t __CPROVER_POINTER_OFFSET(const void *pointer);
__CPROVER_size_t __CPROVER_OBJECT_SIZE(const void *pointer);
__CPROVER_bool __CPROVER_DYNAMIC_OBJECT(const void *pointer);

void *__CPROVER_allocate(__CPROVER_size_t size, __CPROVER_bool is_zeroed);
void __CPROVER_havoc_object(void *pointer);
void __CPROVER_havoc_slice(void *pointer, __CPROVER_size_t size);

/* As with CBMC's 8 bits for the number of an object. */
#define __CPROVER_max_malloc_size ((__CPROVER_size_t)1 << 55)

/* --- arithmetic --- */

#define __CPROVER_overflow_plus(a, b) \
  __extension__({ __typeof__((a) + (b)) __CPROVER_result; __builtin_add_overflow((a), (b), &__CPROVER_result); })
#define __CPROVER_overflow_minus(a, b) \
  __extension__({ __typeof__((a) - (b)) __CPROVER_result; __builtin_sub_overflow((a), (b), &__CPROVER_result); })
#define __CPROVER_overflow_mult(a, b) \
  __extension__({ __typeof__((a) * (b)) __CPROVER_result; __builtin_mul_overflow((a), (b), &__CPROVER_result); })
#define __CPROVER_overflow_unary_minus(a) __CPROVER_overflow_minus((__typeof__(a))0, a)

/* --- contracts, which `unfork verify` proves. A run skips them, as CBMC does unless it is asked to check them. --- */

#ifndef UNFORK_VERIFY
#define __CPROVER_requires(...)
#define __CPROVER_ensures(...)
#define __CPROVER_assigns(...)
#define __CPROVER_frees(...)
#define __CPROVER_decreases(...)
#define __CPROVER_loop_invariant(...)
#endif

#endif
