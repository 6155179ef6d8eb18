/* A vector by reference is as long as it says, and no longer.
   expect: unsafe
   options: --function largest --max-size 3
   native: none (a function that is run alone) */
#include <vector>

int largest(const std::vector<int> &values) {
  int best = values[0]; /* BUG: null-dereference */
  for (int value : values)
    if (value > best) best = value;
  return best;
}
