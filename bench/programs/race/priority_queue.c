/* A priority queue as a heap: K numbers go in and must come out in order. On the way down, the right child is overlooked
   where it is the last element.

   expect: unsafe
   native: asan
   input: numbers=1,4,3,2,5
*/
#include <assert.h>

#include "unfork.h"

#ifndef K
#define K 5
#endif

static int heap[K], size;

static void swap(int i, int j) {
  int kept = heap[i];

  heap[i] = heap[j];
  heap[j] = kept;
}

static void push(int number) {
  int i = size++;

  heap[i] = number;
  for (; i > 0 && heap[i] < heap[(i - 1) / 2]; i = (i - 1) / 2)
    swap(i, (i - 1) / 2);
}

static int pop(void) {
  int least = heap[0], i = 0, child;

  heap[0] = heap[--size];
  while ((child = 2 * i + 1) < size) {
    if (child + 1 < size - 1 && heap[child + 1] < heap[child])
      ++child;
    if (heap[i] <= heap[child])
      break;
    swap(i, child);
    i = child;
  }
  return least;
}

int main(void) {
  int numbers[K], before;

  unfork_symbolic(numbers, sizeof numbers, "numbers");
  for (int i = 0; i < K; ++i)
    push(numbers[i]);
  before = pop();
  while (size > 0) {
    int number = pop();
    assert(before <= number); /* BUG: assert */
    before = number;
  }
  return 0;
}
