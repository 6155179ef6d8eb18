/* expect: safe */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "unfork.h"

// A queue of strings between two threads; what is in it is made by the one and freed by the other.
class Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<std::string>> waiting;

public:
  void put(std::string text) {
    std::lock_guard<std::mutex> guard(mutex);
    waiting.push_back(std::make_unique<std::string>(std::move(text)));
    changed.notify_one();
  }
  std::unique_ptr<std::string> take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return !waiting.empty(); });
    auto text = std::move(waiting.back());
    waiting.pop_back();
    return text;
  }
};

std::atomic<int> made{0};

const std::string &greeting() {
  static const std::string text = (made++, "hello");
  return text;
}

int main() {
  bool is_long = unfork::symbolic<unsigned char>("is_long") & 1;
  Queue queue;
  std::thread giver([&] { queue.put(greeting() + (is_long ? ", everybody who is there" : "")); });
  assert(queue.take()->size() == (is_long ? 29 : 5));
  assert(greeting().size() == 5 && made == 1);
  giver.join();
}
