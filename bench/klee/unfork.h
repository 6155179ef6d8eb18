/* Stands in for unfork.h where a benchmark program is compiled for KLEE. */
#include <klee/klee.h>

#define unfork_symbolic(pointer, size, name) klee_make_symbolic(pointer, size, name)
#define unfork_assume(condition) klee_assume(condition)
