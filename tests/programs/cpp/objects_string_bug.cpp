/* A reference to a string: it may be empty, and its characters are any.
   expect: unsafe
   options: --function first_word --max-size 3
   native: none (a function that is run alone) */
#include <string>

std::string first_word(const std::string &line) {
  std::string::size_type space = line.find(' ');
  if (space == 2 && line[0] == '#') throw space; /* BUG: uncaught-exception */
  return line.substr(0, space);
}
