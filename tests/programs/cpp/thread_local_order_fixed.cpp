/* main's own variables are destroyed before statics and exit handlers; one that an exit handler makes is left.
   expect: safe
   native: asan */
#include <cassert>
#include <cstdlib>

static int stage;

struct Turn {
  int number;
  explicit Turn(int number) : number(number) {}
  ~Turn() {
    assert(stage == number);
    stage++;
  }
};

static Turn first(4);
static thread_local Turn late(1), early(0);

static void handler() {
  static thread_local Turn never(77);
  assert(stage == 3 && never.number == 77);
  stage++;
}

int main() {
  std::atexit(handler);
  assert(late.number == 1);
  static Turn local(2);
  assert(local.number == 2);
  return 0;
}
