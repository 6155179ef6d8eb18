/* Bit-fields beside each other are one memory location.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static struct {
  unsigned a : 3;
  unsigned b : 3;
} bits;

static void *first(void *unused) {
  bits.a = 1; /* BUG: data-race */
  return unused;
}

static void *second(void *unused) {
  bits.b = 2; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
