/* Native stand-ins for the engine's functions: input values come from the environment.
   CORPUS_INPUT is "name=value;name=value"; the n-th use of a name takes its n-th value. A value is hex:BYTES, a quoted
   string, a number with a point (float or double by size) or a comma list of integers that share the size evenly.
   A name without a value is filled according to CORPUS_SEED: 0 zeros, 1 ones, 2 small numbers, else a mixture. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "klee/klee.h"
#include "unfork.h"

__attribute__((weak)) void __sanitizer_print_stack_trace(void);

static struct { char name[64]; int count; } used[64];

static int occurrence(const char *name) {
  for (int i = 0; i < 64; i++) {
    if (used[i].count == 0) strncpy(used[i].name, name, 63);
    if (strcmp(used[i].name, name) == 0) return used[i].count++;
  }
  return 0;
}

static uint64_t random_bits(void) {
  static uint64_t state;
  const char *seed = getenv("CORPUS_SEED");
  if (state == 0) state = 88172645463325252ull + 7919ull * (seed ? (uint64_t)atol(seed) : 0);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void fill_by_seed(unsigned char *bytes, size_t size) {
  const char *text = getenv("CORPUS_SEED");
  long seed = text ? atol(text) : 0;
  size_t step = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
  if (size % 4 == 0 && (random_bits() & 1)) step = 4;
  memset(bytes, seed == 1 ? 255 : 0, size);
  for (size_t at = 0; seed >= 2 && at < size; at += step) {
    uint64_t value = random_bits();
    switch (seed == 2 ? 0 : random_bits() % 4) {
    case 0: value %= 8; break;
    case 1: value = 1ull << (value % (8 * step)); break;
    case 2: value = (value & 1 ? ~0ull : ~0ull >> 1) >> (value >> 8 & 1 ? 64 - 8 * step : 0); break;
    default: break;
    }
    memcpy(bytes + at, &value, step);
  }
}

static void fill_by_text(unsigned char *bytes, size_t size, const char *value, size_t length) {
  char text[512] = {0};
  memcpy(text, value, length < 511 ? length : 511);
  memset(bytes, 0, size);
  if (strncmp(text, "hex:", 4) == 0) {
    for (size_t i = 0; i < size && text[4 + 2 * i]; i++) {
      char digits[3] = {text[4 + 2 * i], text[5 + 2 * i], 0};
      bytes[i] = (unsigned char)strtol(digits, 0, 16);
    }
  } else if (text[0] == '"') {
    for (size_t i = 0; i < size && text[1 + i] && text[1 + i] != '"'; i++) bytes[i] = (unsigned char)text[1 + i];
  } else if (strchr(text, '.') || strstr(text, "nan") || strstr(text, "inf")) {
    double wide = strtod(text, 0);
    float narrow = (float)wide;
    if (size == 4) memcpy(bytes, &narrow, 4);
    else memcpy(bytes, &wide, size < 8 ? size : 8);
  } else {
    size_t parts = 1;
    for (char *c = text; *c; c++) parts += *c == ',';
    char *rest = text;
    for (size_t i = 0; i < parts; i++) {
      int64_t number = text[0] == '-' || *rest == '-' ? strtoll(rest, &rest, 0) : (int64_t)strtoull(rest, &rest, 0);
      if (*rest == ',') rest++;
      size_t each = size / parts;
      for (size_t b = 0; b < each; b++)
        bytes[i * each + b] = (unsigned char)(b < 8 ? (uint64_t)number >> (8 * b) : number < 0 ? 255 : 0);
    }
  }
}

static void input(void *to, size_t size, const char *name) {
  int wanted = occurrence(name);
  const char *text = getenv("CORPUS_INPUT");
  size_t name_length = strlen(name);
  while (text && *text) {
    const char *end = strchr(text, ';');
    size_t length = end ? (size_t)(end - text) : strlen(text);
    if (strncmp(text, name, name_length) == 0 && text[name_length] == '=' && wanted-- == 0) {
      fill_by_text(to, size, text + name_length + 1, length - name_length - 1);
      return;
    }
    text = end ? end + 1 : 0;
  }
  fill_by_seed(to, size);
}

static _Noreturn void end_silently(void) { _exit(0); }

static _Noreturn void bug(const char *kind) {
  fprintf(stderr, "corpus bug: %s\n", kind);
  if (__sanitizer_print_stack_trace) __sanitizer_print_stack_trace();
  fflush(stderr);
  _exit(99);
}

void unfork_symbolic(void *object, size_t size, const char *name) { input(object, size, name); }
void unfork_assume(_Bool condition) {
  if (!condition) end_silently();
}
void unfork_check(_Bool condition) {
  if (!condition) bug("assert");
}
void unfork_ensure(_Bool condition) {
  if (!condition) bug("contract");
}
void unfork_invariant(_Bool condition) {
  if (!condition) bug("contract");
}
void unfork_merge_begin(void) {}
void unfork_merge_end(void) {}
void unfork_subsume(int id) { (void)id; }
void unfork_index(long index) { (void)index; }
void unfork_cover(int id) { (void)id; }
void unfork_print(long value) { (void)value; }

void klee_make_symbolic(void *object, size_t size, const char *name) { input(object, size, name); }
void klee_assume(uintptr_t condition) { unfork_assume(condition != 0); }
int klee_int(const char *name) {
  int value;
  input(&value, sizeof value, name);
  return value;
}
int klee_range(int begin, int end, const char *name) {
  unsigned value = (unsigned)klee_int(name);
  return value - (unsigned)begin < (unsigned)end - (unsigned)begin
             ? (int)value
             : (int)((unsigned)begin + value % ((unsigned)end - (unsigned)begin));
}
uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value;
  input(&value, sizeof value, "klee_choose");
  return value % n;
}
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_silent_exit(int status) {
  (void)status;
  end_silently();
}
void klee_abort(void) { bug("abort"); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  bug("user");
}
int32_t klee_get_value_i32(int32_t value) { return value; }
int klee_get_errno(void) { return errno; }
void klee_print_expr(const char *message, ...) { (void)message; }
void klee_print_range(const char *name, int value) { (void)name, (void)value; }
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_stack_trace(void) {}
void klee_mark_global(void *object) { (void)object; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}
void klee_join(const char *name, ...) { (void)name; }
void klee_set_forking(unsigned enable) { (void)enable; }

#define NONDET(type, suffix)            \
  type __VERIFIER_nondet_##suffix(void) { \
    type value;                         \
    input(&value, sizeof value, "nondet"); \
    return value;                       \
  }
NONDET(char, char)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(unsigned long long, ulonglong)
NONDET(float, float)
NONDET(double, double)
NONDET(size_t, size_t)
NONDET(unsigned __int128, uint128)
_Bool __VERIFIER_nondet_bool(void) { return __VERIFIER_nondet_uchar() & 1; }
void __VERIFIER_nondet_memory(void *object, size_t size) { input(object, size, "nondet_memory"); }
void __VERIFIER_assume(int condition) { unfork_assume(condition != 0); }
void __VERIFIER_error(void) { bug("reach-error"); }
__attribute__((weak)) void reach_error(void) { bug("reach-error"); }
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
