/* The index is below the size of the caller's vector, whose begin is never behind its end.
   scan: nothing certain */
#include <cstddef>
#include <vector>

int element(const std::vector<int> &values, std::size_t index) {
  return index < values.size() ? values[index] : 0;
}

int last(const std::vector<int> &values) { return values.empty() ? 0 : values.back(); }
