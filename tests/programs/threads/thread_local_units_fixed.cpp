/* Variables of another file: what has a constructor is asked for through functions that the compiler makes.
   expect: safe
   sources: thread_local_units_part.cpp
   native: asan */
#include <cassert>
#include <thread>
#include <vector>

extern thread_local std::vector<int> numbers;
extern thread_local int plain, computed;
int touch();

static int made_here;
static thread_local int here = ++made_here;

int main() {
  assert(plain == 4 && computed == 1 && numbers.size() == 1 && here == 1);
  numbers.push_back(1);
  plain = 9;
  int seen = 0;
  std::thread thread([&] {
    assert(plain == 4 && numbers.size() == 1);
    numbers.push_back(7);
    plain++;
    assert(computed == 2 && here == 2);
    seen = touch();
  });
  thread.join();
  assert(seen == 205);
  assert(touch() == 209);
  return 0;
}
