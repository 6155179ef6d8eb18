/* Two threads append to a vector, and nothing orders them.
   expect: unsafe
   native: none */
#include <thread>
#include <vector>

int main() {
  std::vector<int> values;
  std::thread appending([&values] { values.push_back(1); }); /* BUG: data-race */
  values.push_back(2); /* BUG: data-race */
  appending.join();
  return 0;
}
