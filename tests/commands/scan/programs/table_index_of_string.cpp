/* The table has three weights, and the digit 3 is let through.
   scan: certain out-of-bounds 11 */
#include <stdexcept>
#include <string>

static const int weights[3] = {1, 3, 9};

int weight(const std::string &name) {
  if (name.empty() || name.front() < '0' || name.front() > '3')
    throw std::invalid_argument(name + " is no digit");
  return weights[name.front() - '0'];
}
