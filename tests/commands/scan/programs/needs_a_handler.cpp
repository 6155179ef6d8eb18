/* A function that sorts out what a handler has caught, and that only handlers call.
   scan: nothing certain */
#include <stdexcept>

int code_of() {
  try {
    throw;
  } catch (const std::invalid_argument &) {
    return 22;
  } catch (...) {
    return 1;
  }
}

int run(int n) {
  try {
    if (n > 3) throw std::invalid_argument("n");
  } catch (...) {
    return code_of();
  }
  return 0;
}
