/* expect: safe
   native: asan */
#include <cassert>
#include <sstream>
#include <string>
#include "unfork.h"

int main() {
  char digit;
  unfork_symbolic(&digit, 1, "digit");
  unfork_assume(digit >= '0' && digit <= '9');
  std::istringstream in(std::string("1") + digit + " word 2.5 x");
  int number, none = 3;
  std::string word;
  double real;
  in >> number >> word >> real;
  assert(number == 10 + digit - '0' && word == "word" && real == 2.5);
  assert(!(in >> none) && none == 0);
  std::ostringstream out;
  out << number << ',' << std::boolalpha << (number > 14);
  assert(out.str().size() == (number > 14 ? 7 : 8));
  assert(out.str()[0] == '1');
  return 0;
}
