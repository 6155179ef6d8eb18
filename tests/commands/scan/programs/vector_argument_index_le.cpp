/* The index behind the last element of the caller's vector is let through.
   scan: certain out-of-bounds 7 */
#include <cstddef>
#include <vector>

int element(const std::vector<int> &values, std::size_t index) {
  return index <= values.size() ? values[index] : 0;
}
