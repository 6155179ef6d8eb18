// Two threads wait for a condition and add to a counter.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable changed;
bool ready;
std::atomic<int> counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back([i] {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [] { return ready; });
      counter += i + 1;
    });
  {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  changed.notify_all();
  for (auto &thread : threads) thread.join();
  assert(counter == 3);
}
