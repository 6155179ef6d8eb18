/* The vector that the function makes has four weights, and index four is refused.
   scan: nothing certain */
#include <vector>

int weight(unsigned kind) {
  std::vector<int> weights = {1, 3, 9, 27};
  if (kind >= weights.size())
    return 0;
  return weights[kind];
}
