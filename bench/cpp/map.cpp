#include <cassert>
#include <map>
#include "unfork.h"

int main() {
  int keys[4];
  unfork_symbolic(keys, sizeof keys, "keys");
  std::map<int, int> map;
  for (int i = 0; i < 4; i++) map[keys[i]] = i;
  assert(map.at(keys[3]) == 3);
  int last = map.begin()->first;
  for (auto &[key, value] : map) {
    assert(last <= key);
    last = key;
  }
  return 0;
}
