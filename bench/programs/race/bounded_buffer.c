/* A producer and a consumer around a ring of SIZE places, scheduled at will for ever: what is taken out comes in the order
   in which it was put in.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

#ifndef SIZE
#define SIZE 4
#endif
#define ITEMS 8

extern _Bool __VERIFIER_nondet_bool(void);

static int ring[SIZE], first, count;

static void put(int item) {
  assert(count < SIZE);
  ring[(first + count) % SIZE] = item;
  ++count;
}

static int take(void) {
  int item = ring[first];

  assert(count > 0);
  first = (first + 1) % SIZE;
  --count;
  return item;
}

int main(void) {
  int produced = 0, consumed = 0;

  while (1) {
    if (__VERIFIER_nondet_bool()) {
      if (count == SIZE)
        continue;
      put(produced);
      produced = (produced + 1) % ITEMS;
    } else {
      if (count == 0)
        continue;
      int item = take();
      assert(item == consumed);
      consumed = (consumed + 1) % ITEMS;
    }
  }
}
