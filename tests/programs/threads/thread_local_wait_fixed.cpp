/* The turns of a loop that waits differ in the thread's own memory alone.
   expect: safe
   native: asan */
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

static std::atomic<int> go;
static thread_local char tries[4];

int main() {
  std::thread thread([] {
    while (!go.load()) {
      std::memmove(tries + 1, tries, 3);
      tries[0] = 1;
      if (tries[3]) break;
    }
    assert(go.load() || tries[3]);
  });
  thread.join();
  go = 1;
  return 0;
}
