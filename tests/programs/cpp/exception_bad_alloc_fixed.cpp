/* Requests that cannot be met, by exception and by null pointer. An array that is too long for new is one of them: gcc
   throws std::bad_array_new_length then, which is a std::bad_alloc, and clang that alone.
   expect: safe
   native: gcc */
#include <cassert>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>
#include "unfork.h"

int main() {
  unsigned char kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  volatile std::uintptr_t huge = SIZE_MAX - 7;
  int result = 0;
  try {
    if (kind == 0) delete[] new char[huge];
    if (kind == 1) delete[] new double[huge];
    if (kind == 2) {
      assert(operator new(huge, std::nothrow) == nullptr);
      result = 2;
    }
    if (kind == 3) std::vector<double> many(huge);
  } catch (const std::bad_alloc &) {
    result = 1;
  } catch (const std::length_error &) {
    result = 4;
  }
  assert(result == (kind == 0 ? 1 : kind == 1 ? 1 : kind == 2 ? 2 : kind == 3 ? 4 : 0));
  return 0;
}
