/* Two workers with loops of so many TURNS, one after the other (PLAIN) or as threads: over LOCALS, a block of the HEAP of
   their own, or ATOMIC counters of their own. Nobody shares anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_uint counters[2];

static unsigned work_on(unsigned number) {
#if defined LOCALS
  unsigned hash = number;
  for (unsigned i = 0; i < TURNS; i++) hash = (hash ^ i) * 16777619u + (hash >> 13);
  return hash;
#elif defined HEAP
  unsigned *words = calloc(64, sizeof *words);
  if (!words) return 0;
  for (unsigned i = 0; i < TURNS; i++) words[i & 63] += words[i * 7 & 63] + i;
  unsigned sum = words[number];
  free(words);
  return sum;
#else
  for (unsigned i = 0; i < TURNS; i++) atomic_fetch_add(&counters[number], i);
  return counters[number];
#endif
}

static void *work(void *number) { return (void *)(unsigned long)work_on((unsigned long)number); }

int main(void) {
#ifdef PLAIN
  work((void *)0ul);
  work((void *)1ul);
#else
  pthread_t one, two;
  pthread_create(&one, 0, work, (void *)0ul);
  pthread_create(&two, 0, work, (void *)1ul);
  pthread_join(one, 0);
  pthread_join(two, 0);
#endif
  return 0;
}
