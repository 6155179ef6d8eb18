/* Each thread has its own vector, string, number and guard.
   expect: safe
   native: asan */
#include <cassert>
#include <string>
#include <thread>
#include <vector>

static int order[16], count, next_number;

struct Notes {
  int value;
  explicit Notes(int value) : value(value) { order[count++] = value; }
  ~Notes() { order[count++] = -value; }
};

static int one = 1, two = 2;
static thread_local Notes a(one), b(two);
static thread_local int number = next_number++;
inline thread_local std::vector<int> numbers{1, 2};

struct Named {
  static thread_local std::string name;
};
thread_local std::string Named::name = "a name that is longer than what fits inside";

static int count_here() {
  static thread_local Notes here(one + two);
  return ++here.value;
}

static void use(int wanted) {
  assert(number == wanted);
  assert(a.value == 1 && b.value == 2 && Named::name.size() == 43 && numbers.size() == 2);
  numbers.push_back(wanted);
  assert(count_here() == 4 && count_here() == 5);
  Named::name += 'x';
}

int main() {
  use(0);
  assert(count == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
  for (int i = 1; i < 3; i++) {
    count = 0;
    std::thread thread([i] { use(i); });
    thread.join();
    assert(count == 6 && order[0] == 1 && order[1] == 2 && order[2] == 3);
    assert(order[3] == -5 && order[4] == -2 && order[5] == -1);
  }
  assert(numbers.size() == 3 && numbers[2] == 0 && Named::name.size() == 44);
  return 0;
}
