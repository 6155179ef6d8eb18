/* The top is the same node again, but what is below it is not.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next[3], top, is_used[3];

static int pop(void) {
  int old = top;
  int node = old & 3;
  if (!node) {
    return 0;
  }
  int below = next[node];
  if (!atomic_compare_exchange_strong(&top, &old, below)) {
    return 0;
  }
  assert(!atomic_exchange(&is_used[node], 1)); /* BUG: assert */
  return node;
}

static void push(int node) {
  int old = top;
  is_used[node] = 0;
  next[node] = old & 3;
  atomic_compare_exchange_strong(&top, &old, node);
}

static void *first(void *unused) {
  pop();
  pop();
  return unused;
}

static void *second(void *unused) {
  int a = pop();
  pop();
  if (a) {
    push(a);
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  next[1] = 2;
  top = 1;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
