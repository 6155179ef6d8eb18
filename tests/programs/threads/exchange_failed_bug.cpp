/* What std::atomic exchanges only where it finds what it expects is not written otherwise.
   expect: unsafe
   native: none (sanitizers of memory do not see races) */
#include <atomic>
#include <thread>

static std::atomic<int> value{3};
static int data;

static void run() {
  int expected = 7;
  data = 1; /* BUG: data-race */
  value.compare_exchange_strong(expected, 5);
}

int main() {
  std::thread one(run);
  int seen = value.load() == 3 ? data : 0; /* BUG: data-race */
  one.join();
  return seen == 9;
}
