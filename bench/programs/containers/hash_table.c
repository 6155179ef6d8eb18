/* A set of numbers as a hash table with chains, which doubles when it holds more elements than buckets. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include "seen.h"

enum { LEAST_BUCKETS = 2 };

struct entry {
  int key;
  struct entry *next;
};

struct table {
  struct entry **buckets;
  unsigned capacity; /* 0, or a power of two */
  unsigned size;
};

static unsigned bucket_of(const struct table *t, int key) {
  unsigned bits = (unsigned)key;
  return (bits ^ bits >> 4) & (t->capacity - 1);
}

/* The representation invariant: each key in its bucket, none twice, and as many as it says. */
static bool is_valid(const struct table *t) {
  unsigned size = 0;
  if (t->size > t->capacity || (t->capacity & (t->capacity - 1)) != 0)
    return false;
  for (unsigned i = 0; i < t->capacity; i++)
    for (const struct entry *e = t->buckets[i]; e; e = e->next) {
      size++;
      if (bucket_of(t, e->key) != i)
        return false;
      for (const struct entry *other = e->next; other; other = other->next)
        if (other->key == e->key)
          return false;
    }
  return size == t->size;
}

#define PREDICATES_AT(t, e, wanted) \
  (((e) == 0) | ((e) && (e)->next) << 1 | ((e) && (e)->key == (wanted)) << 2 | ((t)->size == (t)->capacity) << 3 | \
   ((t)->size == 0) << 4 | ((t)->capacity > LEAST_BUCKETS) << 5)

/* The link that leads to the key, or the null at the end of its chain. */
static struct entry **link_to(const struct table *t, int key) {
  struct entry **at = &t->buckets[bucket_of(t, key)];
  SEEN(PREDICATES_AT(t, *at, key));
  while (*at && (*at)->key != key) {
    at = &(*at)->next;
    SEEN(PREDICATES_AT(t, *at, key));
  }
  return at;
}

static void grow(struct table *t) {
  struct table old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : LEAST_BUCKETS;
  t->buckets = calloc(t->capacity, sizeof *t->buckets);
  for (unsigned i = 0; i < old.capacity; i++)
    for (struct entry *e = old.buckets[i], *next; e; e = next) {
      SEEN(PREDICATES_AT(t, e, e->key));
      next = e->next;
      struct entry **first = &t->buckets[bucket_of(t, e->key)];
      e->next = *first;
      *first = e;
    }
  free(old.buckets);
}

void table_add(struct table *t, int key) {
  if (t->capacity && *link_to(t, key))
    return;
  if (t->size == t->capacity)
    grow(t);
  struct entry **at = link_to(t, key);
  *at = malloc(sizeof **at);
  **at = (struct entry){.key = key};
  t->size++;
  assert(is_valid(t));
}

bool table_remove(struct table *t, int key) {
  struct entry **at = t->capacity ? link_to(t, key) : 0;
  if (!at || !*at)
    return false;
  struct entry *gone = *at;
  *at = gone->next;
  free(gone);
  t->size--;
  if (t->size == 0) {
    free(t->buckets);
    *t = (struct table){0};
  }
  assert(is_valid(t));
  return true;
}

bool table_contains(const struct table *t, int key) { return t->capacity && *link_to(t, key); }
