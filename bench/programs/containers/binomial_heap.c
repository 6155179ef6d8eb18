/* A priority queue of numbers as a binomial heap: trees of 2^degree nodes, at most one of each degree. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include "seen.h"

struct node {
  int key, degree;
  struct node *parent, *child, *sibling;
};

struct heap {
  struct node *roots; /* by ascending degree */
  int size;
};

/* Whether n is a binomial tree of its degree in heap order; counts its nodes. */
static bool is_tree(const struct node *n, int *size) {
  int degree = n->degree;
  ++*size;
  for (const struct node *c = n->child; c; c = c->sibling)
    if (c->degree != --degree || c->parent != n || c->key < n->key || !is_tree(c, size))
      return false;
  return degree == 0;
}

/* The representation invariant. */
static bool is_valid(const struct heap *h) {
  int size = 0;
  for (const struct node *n = h->roots; n; n = n->sibling)
    if (n->parent || (n->sibling && n->degree >= n->sibling->degree) || !is_tree(n, &size))
      return false;
  return size == h->size;
}

#define PREDICATES_AT(n, wanted) \
  (((n) == 0) | ((n) && (n)->sibling) << 1 | ((n) && (n)->child) << 2 | ((n) && (n)->parent) << 3 | \
   ((n) && (n)->sibling && (n)->degree == (n)->sibling->degree) << 4 | \
   ((n) && (n)->sibling && (n)->key <= (n)->sibling->key) << 5 | ((n) && (n)->key == (wanted)) << 6)

/* Two lists of roots as one, by degree. */
static struct node *merged(struct node *one, struct node *other) {
  struct node *first = 0, **end = &first;
  while (one && other) {
    struct node **less = one->degree <= other->degree ? &one : &other;
    *end = *less;
    *less = (*less)->sibling;
    end = &(*end)->sibling;
  }
  *end = one ? one : other;
  return first;
}

/* Add trees with other roots. */
static void unite(struct heap *h, struct node *other) {
  h->roots = merged(h->roots, other);
  struct node **at = &h->roots;
  while (*at && (*at)->sibling) {
    struct node *n = *at, *next = n->sibling;
    SEEN(PREDICATES_AT(n, n->key));
    if (n->degree != next->degree || (next->sibling && next->sibling->degree == n->degree)) {
      at = &n->sibling;
      continue;
    }
    struct node *rest = next->sibling;
    struct node *up = n->key <= next->key ? n : next, *down = up == n ? next : n;
    down->parent = up;
    down->sibling = up->child;
    up->child = down;
    up->degree++;
    up->sibling = rest;
    *at = up;
  }
}

void heap_add(struct heap *h, int key) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){.key = key};
  h->size++;
  unite(h, n);
  assert(is_valid(h));
}

/* Take a root out of the heap. Its children become roots. */
static void take(struct heap *h, struct node *root) {
  struct node **at = &h->roots, *children = 0;
  while (*at != root)
    at = &(*at)->sibling;
  *at = root->sibling;
  for (struct node *c = root->child, *next; c; c = next) {
    next = c->sibling;
    c->parent = 0;
    c->sibling = children;
    children = c;
  }
  SEEN(PREDICATES_AT(root, root->key));
  free(root);
  h->size--;
  unite(h, children);
}

/* The least number, which is taken out; INT_MIN where there is none. */
int heap_remove_min(struct heap *h) {
  struct node *least = h->roots;
  if (!least)
    return INT_MIN;
  for (struct node *n = least->sibling; n; n = n->sibling) {
    SEEN(PREDICATES_AT(n, least->key));
    if (n->key < least->key)
      least = n;
  }
  int key = least->key;
  take(h, least);
  assert(is_valid(h));
  return key;
}

static struct node *search(struct node *n, int key) {
  for (; n; n = n->sibling) {
    SEEN(PREDICATES_AT(n, key));
    if (n->key == key)
      return n;
    struct node *found = n->key < key ? search(n->child, key) : 0;
    if (found)
      return found;
  }
  return 0;
}

/* Takes one occurrence of the number out. */
bool heap_remove(struct heap *h, int key) {
  struct node *n = search(h->roots, key);
  SEEN(PREDICATES_AT(n, key));
  if (!n)
    return false;
  for (; n->parent; n = n->parent) {
    n->key = n->parent->key;
    SEEN(PREDICATES_AT(n, key));
  }
  take(h, n);
  assert(is_valid(h));
  return true;
}

bool heap_contains(const struct heap *h, int key) { return search(h->roots, key) != 0; }
