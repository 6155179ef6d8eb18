/* Statements with nothing in them. */
#include "unfork.h"

#define LOG(text)
#define NOTE(text) ((void)0)
#define WHEN(x)                                                                                                        \
  if (x) {                                                                                                             \
  }

static int calls;

static int called(int x) {
  calls++;
  return x;
}

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_assume(b < 8);
  if (a > 3)
    LOG("large");
  if (b > 3) {
    NOTE("large");
  }
  if (called(a))
    ;
  WHEN(a > 5 && b > 5)
  if (a) {
  } else
    b++;
  if (b)
    a++;
  else
    ;
  for (int i = 0; i < 3; i++) {
    if (a == i)
      continue;
  }
  while (called(a) && b-- > 2)
    ;
  a == 7 ? called(1) : called(2);
  b == 7 ? (void)called(3) : (void)0;
  switch (a) {
  }
  ;
  return calls > 3;
}
