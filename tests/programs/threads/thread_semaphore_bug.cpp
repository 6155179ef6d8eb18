/* A permit that nobody gives back.
   expect: unsafe
   options: --std c++20
   native: none (it depends on the order of the threads) */
#include <chrono>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> permits(1);
int first;

void work(int number) {
  if (permits.try_acquire_for(std::chrono::milliseconds(number)))
    first = number;
  else
    permits.acquire();  /* BUG: deadlock */
}

int main() {
  std::thread other(work, 1);
  work(2);
  other.join();  /* BUG: deadlock */
}
