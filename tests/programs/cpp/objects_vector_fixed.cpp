/* Vectors by value and by reference, of numbers and of strings.
   expect: safe
   options: --function joined --max-size 2
   native: none (a function that is run alone) */
#include <string>
#include <vector>
#include "unfork.h"

std::size_t joined(std::vector<char> separators, std::vector<std::string> &words) {
  std::size_t size = 0;
  for (const std::string &word : words) size += word.size() + separators.size();
  words.clear();
  separators.push_back('.');
  unfork_check(size <= 2 * (2 + 2) && separators.back() == '.');
  return size;
}
