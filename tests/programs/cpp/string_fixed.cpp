/* Strings that fit inside, and those that do not.
   expect: safe
   native: asan */
#include <cassert>
#include <string>
#include "unfork.h"

int main() {
  char letters[2];
  unfork_symbolic(letters, sizeof letters, "letters");
  std::string text = "name=";
  text += letters[0];
  text.push_back(letters[1]);
  assert(text.size() == 7);
  assert(text.back() == letters[1]);
  std::string longer = text + " and a tail that makes it long enough for the heap";
  assert(longer.compare(0, 7, text) == 0);
  assert(longer.find('=') == 4);
  std::size_t found = text.find('q');
  assert((found == std::string::npos) == (letters[0] != 'q' && letters[1] != 'q'));
  std::string copy = longer.substr(5, 2);
  assert((copy == "ok") == (letters[0] == 'o' && letters[1] == 'k'));
  copy.insert(1, "--").erase(0, 1);
  assert(copy.size() == 3 && copy[0] == '-');
  std::swap(copy, longer);
  assert(longer.length() == 3 && copy.capacity() >= copy.length());
  return 0;
}
