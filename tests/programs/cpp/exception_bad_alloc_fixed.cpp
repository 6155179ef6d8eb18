/* Requests that cannot be met, by exception and by null pointer.
   expect: safe
   native: gcc */
#include <cassert>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>
#include "unfork.h"

int main() {
  unsigned char kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  volatile std::size_t huge = PTRDIFF_MAX / 2;
  int result = 0;
  try {
    if (kind == 0) delete[] new char[huge];
    if (kind == 1) delete[] new double[huge];
    if (kind == 2) {
      assert(new (std::nothrow) char[huge] == nullptr);
      result = 2;
    }
    if (kind == 3) std::vector<double> many(huge);
  } catch (const std::bad_array_new_length &) {
    result = 3;
  } catch (const std::bad_alloc &) {
    result = 1;
  } catch (const std::length_error &) {
    result = 4;
  }
  assert(result == (kind == 0 ? 1 : kind == 1 ? 3 : kind == 2 ? 2 : kind == 3 ? 4 : 0));
  return 0;
}
