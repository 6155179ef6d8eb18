/* klee/klee.h: the functions that programs written for KLEE call, as unfork provides them. */
#ifndef KLEE_H
#define KLEE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- inputs --- */

/* The `nbytes` bytes at `addr` become an input called `name`. unfork also takes a part of an object. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* A new input of type int; klee_range's is at least `begin` and less than `end`. */
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);

/* A new input less than `n`. */
uintptr_t klee_choose(uintptr_t n);

/* Explore only what satisfies `condition`. */
void klee_assume(uintptr_t condition);

/* Wishes about the values in tests; unfork has no use for them. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* --- ends and errors --- */

/* End this path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* End this path with an error of kind "abort". */
__attribute__((noreturn)) void klee_abort(void);

/* End this path with an error of kind "user" that says `message`. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);

#define klee_assert(expr) ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))

/* An error unless the `size` bytes at `address` belong to one object. */
void klee_check_memory_access(const void *address, size_t size);

/* --- questions --- */

/* The size of the object that `ptr` points into. */
size_t klee_get_obj_size(void *ptr);

/* Whether a value is symbolic, and whether the program runs natively on a test (never, under the engine). */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);

/* One of the values that an expression may have. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* errno, as the program sees it. */
int klee_get_errno(void);

/* --- messages --- */

void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_stack_trace(void);
void klee_dump_kquery_var(void);

/* --- how to explore --- */

/* Paths that part between these two are joined at the second. */
void klee_open_merge(void);
void klee_close_merge(void);

/* No effect: where states may be joined (an older KLEE) or found subsumed (TRACER-X), --merge and --prune say here. */
void klee_merge(void);
void klee_join(const char *name, ...);

/* Only klee_set_forking(1) is supported. */
void klee_set_forking(unsigned enable);

/* No effect: every object may be reached from everywhere. */
void klee_mark_global(void *object);

/* Not supported: these end the path that calls them, loudly. */
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_abstract(uintptr_t condition);
void klee_alias_function(const char *fn_name, const char *new_fn_name);
void klee_alias_function_regex(const char *fn_regex, const char *new_fn_name);

#ifdef __cplusplus
}
#endif

#endif
