/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <string>
#include <unordered_map>
#include "unfork.h"

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool more = input & 1;
  std::unordered_map<std::string, int> counts;
  for (const char *word : {"one", "two", "one", "a word that does not fit inside of a string"}) counts[word]++;
  if (more)
    for (int i = 0; i < 20; i++) counts[std::to_string(i)] = i;
  assert(counts.size() == (more ? 23 : 3));
  assert(counts["one"] == 2);
  assert(counts.count("17") == more);
  counts.erase("two");
  assert(counts.find("two") == counts.end());
  return 0;
}
