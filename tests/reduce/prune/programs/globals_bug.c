/* Globals, and pointers among them.
   expect: unsafe
   input: x=51 x=51 x=0 x=51 */
#include "unfork.h"

static int first = 1, second = 2;
static int *chosen = &first;
static struct {
  int *there;
  int turns;
} table;

static void turn(unsigned char x) {
  if (x < 50)
    chosen = &second;
  else if (x < 100)
    chosen = &first;
  table.there = x & 1 ? chosen : &second;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    turn(x);
    table.turns++;
  }
  unfork_check(table.there == &second || table.turns < 4); /* BUG: assert */
  return *table.there;
}
