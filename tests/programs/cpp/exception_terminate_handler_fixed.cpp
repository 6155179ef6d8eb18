/* The program's own handler of std::terminate ends it with success, knowing the exception.
   expect: safe
   native: gcc */
#include <cstdlib>
#include <exception>
#include "unfork.h"

static void at_terminate() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (int number) {
    std::_Exit(number - 6);
  } catch (...) {
    std::abort();
  }
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::set_terminate(at_terminate);
  if (x == 6) throw x;
  return 0;
}
