/* A priority queue of numbers as a Fibonacci heap: trees in heap order, on circular lists, joined when the least is
   taken out. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include "seen.h"

enum { MOST_DEGREES = 48 };

struct node {
  int key, degree;
  bool is_marked; /* has lost a child since it became one itself */
  struct node *parent, *child, *left, *right;
};

struct heap {
  struct node *least; /* a root */
  int size;
};

/* Whether the circle of n holds trees in heap order below the parent; counts the nodes. */
static bool is_circle(const struct node *n, const struct node *parent, int *size) {
  const struct node *at = n;
  int count = 0;
  if (!n)
    return !parent || parent->degree == 0;
  do {
    ++*size;
    count++;
    if (at->right->left != at || at->parent != parent || (parent && at->key < parent->key))
      return false;
    if (!is_circle(at->child, at, size))
      return false;
    at = at->right;
  } while (at != n);
  return !parent || parent->degree == count;
}

/* The representation invariant. */
static bool is_valid(const struct heap *h) {
  int size = 0;
  if (!is_circle(h->least, 0, &size) || size != h->size)
    return false;
  for (const struct node *n = h->least; n && n->right != h->least; n = n->right)
    if (n->right->key < h->least->key)
      return false;
  return true;
}

#define PREDICATES_AT(h, n, wanted) \
  (((n) == 0) | ((n) == (h)->least) << 1 | ((n) && (n)->right == (n)) << 2 | ((n) && (n)->child) << 3 | \
   ((n) && (n)->parent) << 4 | ((n) && (n)->is_marked) << 5 | ((n) && (n)->key < (wanted)) << 6 | \
   ((n) && (n)->key == (wanted)) << 7)

static void link_beside(struct node *n, struct node *at) {
  n->left = at;
  n->right = at->right;
  at->right->left = n;
  at->right = n;
}

static void unlink_node(struct node *n) {
  n->left->right = n->right;
  n->right->left = n->left;
}

static void add_root(struct heap *h, struct node *n) {
  n->parent = 0;
  n->is_marked = false;
  if (!h->least) {
    h->least = n->left = n->right = n;
    return;
  }
  link_beside(n, h->least);
  SEEN(PREDICATES_AT(h, n, h->least->key));
  if (n->key < h->least->key)
    h->least = n;
}

void heap_add(struct heap *h, int key) {
  struct node *n = calloc(1, sizeof *n);
  n->key = key;
  h->size++;
  add_root(h, n);
  assert(is_valid(h));
}

/* `down` is a root no more. */
static void become_child(struct node *down, struct node *up) {
  down->parent = up;
  down->is_marked = false;
  if (up->child)
    link_beside(down, up->child);
  else
    up->child = down->left = down->right = down;
  up->degree++;
}

/* Join roots until no two have one degree, and find the least. */
static void consolidate(struct heap *h, struct node *roots) {
  struct node *of_degree[MOST_DEGREES] = {0};
  int most = 0;
  h->least = 0;
  while (roots) {
    struct node *n = roots, *other;
    roots = n->right == n ? 0 : n->right;
    unlink_node(n);
    while ((other = of_degree[n->degree])) {
      SEEN(PREDICATES_AT(h, n, other->key));
      of_degree[n->degree] = 0;
      struct node *up = other->key < n->key ? other : n;
      become_child(up == n ? other : n, up);
      n = up;
    }
    of_degree[n->degree] = n;
    most = n->degree > most ? n->degree : most;
  }
  for (int degree = 0; degree <= most; degree++)
    if (of_degree[degree])
      add_root(h, of_degree[degree]);
}

/* The least number, which is taken out; INT_MIN where there is none. */
int heap_remove_min(struct heap *h) {
  struct node *gone = h->least;
  if (!gone)
    return INT_MIN;
  SEEN(PREDICATES_AT(h, gone, gone->key));
  while (gone->child) {
    struct node *c = gone->child;
    gone->child = c->right == c ? 0 : c->right;
    unlink_node(c);
    c->parent = 0;
    link_beside(c, gone);
  }
  struct node *roots = gone->right == gone ? 0 : gone->right;
  unlink_node(gone);
  int key = gone->key;
  free(gone);
  h->size--;
  consolidate(h, roots);
  assert(is_valid(h));
  return key;
}

/* Make n a root, and its ancestors as far as they are marked. */
static void cut(struct heap *h, struct node *n) {
  for (struct node *parent = n->parent; parent; n = parent, parent = n->parent) {
    SEEN(PREDICATES_AT(h, parent, n->key));
    parent->child = n->right == n ? 0 : n->right;
    unlink_node(n);
    parent->degree--;
    add_root(h, n);
    if (!parent->is_marked) {
      parent->is_marked = parent->parent != 0;
      return;
    }
  }
}

static struct node *search(const struct heap *h, struct node *circle, int key) {
  struct node *n = circle;
  if (!n)
    return 0;
  do {
    SEEN(PREDICATES_AT(h, n, key));
    if (n->key == key)
      return n;
    struct node *found = n->key < key ? search(h, n->child, key) : 0;
    if (found)
      return found;
    n = n->right;
  } while (n != circle);
  return 0;
}

/* One occurrence of the number becomes a smaller one. */
bool heap_decrease(struct heap *h, int key, int smaller) {
  struct node *n = search(h, h->least, key);
  if (!n || smaller > key)
    return false;
  SEEN(PREDICATES_AT(h, n, smaller));
  n->key = smaller;
  if (n->parent && smaller < n->parent->key)
    cut(h, n);
  else if (!n->parent && smaller < h->least->key)
    h->least = n;
  assert(is_valid(h));
  return true;
}

/* Takes one occurrence of the number out. */
bool heap_remove(struct heap *h, int key) {
  struct node *n = search(h, h->least, key);
  if (!n)
    return false;
  SEEN(PREDICATES_AT(h, n, key));
  cut(h, n);
  h->least = n;
  heap_remove_min(h);
  return true;
}

bool heap_contains(const struct heap *h, int key) { return search(h, h->least, key) != 0; }
