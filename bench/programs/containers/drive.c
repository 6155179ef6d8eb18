/* Concrete tests of a container, beside a count of what it should hold.

   cc -DTREE drive.c && ./a.out random CALLS KEYS | ./a.out all CALLS KEYS

   "random": sequences of up to 64 random calls, some mostly of additions, with CALLS calls in all. "all": every sequence of CALLS
   calls. Numbers are below KEYS. With PREDICATES, prints each combination of predicates that occurred.
   With NO_MAIN, others do the calling. */
#if defined LIST
#include "list_set.c"
#elif defined TREE
#include "tree_map.c"
#elif defined HASH
#include "hash_table.c"
#elif defined BINOMIAL
#include "binomial_heap.c"
#elif defined FIBONACCI
#include "fibonacci_heap.c"
#endif

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 64 };
static int held[MOST_KEYS];

static void must(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

#if defined LIST
static struct list container;
#define OPERATIONS 3
#define ADD list_add(&container, key)
#define REMOVE list_remove(&container, key)
#define CONTAINS list_contains(&container, key)
#elif defined TREE
static struct tree container;
#define OPERATIONS 3
#define ADD tree_put(&container, key, key)
#define REMOVE tree_remove(&container, key)
#define CONTAINS (tree_get(&container, key) == key)
#elif defined HASH
static struct table container;
#define OPERATIONS 3
#define ADD table_add(&container, key)
#define REMOVE table_remove(&container, key)
#define CONTAINS table_contains(&container, key)
#else
static struct heap container;
#define IS_QUEUE
#define ADD heap_add(&container, key)
#define REMOVE heap_remove(&container, key)
#define CONTAINS heap_contains(&container, key)
#ifdef FIBONACCI
#define OPERATIONS 5
#else
#define OPERATIONS 4
#endif
#endif

#ifdef IS_QUEUE
static int least(void) {
  for (int key = 0; key < MOST_KEYS; key++)
    if (held[key])
      return key;
  return -1;
}
#endif

static void call(int operation, int key) {
  switch (operation) {
  case 0:
    ADD;
#ifdef IS_QUEUE
    held[key]++;
#else
    held[key] = 1;
#endif
    break;
  case 1:
    REMOVE;
    held[key] -= held[key] > 0;
    break;
  case 2:
    must(CONTAINS == (held[key] > 0), "contains: wrong");
    break;
#ifdef IS_QUEUE
  case 3: {
    int expected = least(), found = heap_remove_min(&container);
    must(expected < 0 ? found == INT_MIN : found == expected, "remove_min: wrong");
    if (expected >= 0)
      held[expected]--;
    break;
  }
#endif
#ifdef FIBONACCI
  case 4: {
    int smaller = key * 7 % (key + 1);
    must(heap_decrease(&container, key, smaller) == (held[key] > 0), "decrease: wrong");
    if (held[key]) {
      held[key]--;
      held[smaller]++;
    }
    break;
  }
#endif
  }
}

static void clear(void) {
  for (int key = 0; key < MOST_KEYS; key++)
    while (held[key])
      call(1, key);
  must(container.size == 0, "size: wrong");
}

#ifdef PREDICATES
static uint64_t seen[4096];

void unfork_cover(int id) { seen[id / 64] |= (uint64_t)1 << id % 64; }

static void tell(void) {
  for (int id = 0; id < 4096 * 64; id++)
    if (seen[id / 64] >> id % 64 & 1)
      printf("%d\n", id);
}
#else
static void tell(void) {}
#endif

static unsigned random_below(unsigned limit) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 33) % limit;
}

#ifndef NO_MAIN
int main(int argc, char **argv) {
  must(argc == 4, "usage: random CALLS KEYS | all CALLS KEYS");
  int keys = atoi(argv[3]), choices = OPERATIONS * keys;
  long calls = atol(argv[2]);
  must(keys > 0 && keys <= MOST_KEYS, "too many keys");
  if (!strcmp(argv[1], "random")) {
    while (calls > 0) {
      unsigned bias = random_below(4);
      for (long left = random_below(64); left > 0 && calls > 0; left--, calls--)
        call(random_below(4) < bias ? 0 : (int)random_below(OPERATIONS), (int)random_below((unsigned)keys));
      clear();
    }
  } else {
    long sequences = 1;
    for (long i = 0; i < calls; i++)
      sequences *= choices;
    for (long number = 0; number < sequences; number++) {
      long rest = number;
      for (long i = 0; i < calls; i++, rest /= choices)
        call((int)(rest % choices % OPERATIONS), (int)(rest % choices / OPERATIONS));
      clear();
    }
  }
  tell();
  return 0;
}
#endif
