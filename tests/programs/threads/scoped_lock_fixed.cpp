/* expect: safe */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int counter;

int main() {
  std::thread one([] {
    std::scoped_lock both(left, right);
    counter++;
  });
  std::thread two([] {
    std::scoped_lock both(right, left);
    counter++;
  });
  one.join();
  two.join();
  assert(counter == 2);
}
