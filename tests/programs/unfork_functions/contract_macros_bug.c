/* Contracts in executable C are checked where they stand; what they compare with has a name.
   expect: unsafe
   native: asan
   input: item=10 first=0
   input: item=9 first=0 */
#include "unfork.h"

struct stack {
  int size;
  int items[4];
};

static int pop(struct stack *s) {
  UNFORK_REQUIRES(s->size > 0);
  UNFORK_OLD(int, before, s->size);
  int sum = 0;
  for (int i = 0; i < s->size; i++) {
    UNFORK_INVARIANT(i >= 0 && sum <= 10 * i);
    UNFORK_INVARIANT(sum < 20); /* BUG: contract */
    sum += s->items[i];
  }
  s->size--;
  UNFORK_RESULT(int, top, s->items[s->size]);
  UNFORK_ENSURES(s->size == before - 1 && top == s->items[s->size]);
  UNFORK_ENSURES(top + sum < 31); /* BUG: contract */
  return top;
}

int main(void) {
  struct stack s = {3, {10, 3, 6}};
  unfork_symbolic(&s.items[1], sizeof s.items[1], "item");
  unfork_assume(s.items[1] >= 0 && s.items[1] <= 10);
  pop(&s);
  s.items[1] = 4;
  unfork_symbolic(&s.items[0], sizeof s.items[0], "first");
  unfork_assume(s.items[0] >= 0 && s.items[0] <= 10);
  int top = pop(&s);
  return top == 4 && s.size == 1 ? 0 : 1;
}
