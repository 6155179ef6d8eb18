/* A map from numbers to numbers as a red-black tree with parent pointers. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include "seen.h"

enum { LEFT, RIGHT };

struct node {
  int key, value;
  bool is_red;
  struct node *parent, *child[2];
};

struct tree {
  struct node *root;
  int size;
};

static bool is_red(const struct node *n) { return n && n->is_red; }

static int side_for(int key, const struct node *n) {
  if (key < n->key)
    return LEFT;
  return RIGHT;
}

static int side_of(const struct node *n) { return n == n->parent->child[RIGHT]; }

/* The number of black nodes on each way down from n, or -1 where n is not a red-black tree with keys in (low, high). */
static int black_height(const struct node *n, const int *low, const int *high, int *size) {
  if (!n)
    return 0;
  ++*size;
  if ((low && n->key <= *low) || (high && n->key >= *high))
    return -1;
  for (int side = LEFT; side <= RIGHT; side++)
    if (n->child[side] && (n->child[side]->parent != n || (n->is_red && n->child[side]->is_red)))
      return -1;
  int left = black_height(n->child[LEFT], low, &n->key, size);
  int right = black_height(n->child[RIGHT], &n->key, high, size);
  return left < 0 || left != right ? -1 : left + !n->is_red;
}

/* The representation invariant. */
static bool is_valid(const struct tree *t) {
  int size = 0;
  if (is_red(t->root) || (t->root && t->root->parent))
    return false;
  return black_height(t->root, 0, 0, &size) >= 0 && size == t->size;
}

#define PREDICATES_AT(t, n) \
  (((n) == 0) | ((n) == (t)->root) << 1 | is_red(n) << 2 | ((n) && (n)->child[LEFT]) << 3 | \
   ((n) && (n)->child[RIGHT]) << 4 | ((n) && is_red((n)->child[LEFT])) << 5 | ((n) && is_red((n)->child[RIGHT])) << 6 | \
   ((n) && is_red((n)->parent)) << 7)

static struct node *search(const struct tree *t, int key) {
  struct node *n = t->root;
  while (n && n->key != key) {
    SEEN(PREDICATES_AT(t, n));
    n = n->child[side_for(key, n)];
  }
  SEEN(PREDICATES_AT(t, n));
  return n;
}

/* Put `other` (or nothing) where n is. */
static void replace(struct tree *t, struct node *n, struct node *other) {
  if (!n->parent)
    t->root = other;
  else
    n->parent->child[side_of(n)] = other;
  if (other)
    other->parent = n->parent;
}

/* n goes down to the given side, and its child of the other side comes up. */
static void rotate(struct tree *t, struct node *n, int side) {
  struct node *up = n->child[!side];
  replace(t, n, up);
  n->child[!side] = up->child[side];
  if (up->child[side])
    up->child[side]->parent = n;
  up->child[side] = n;
  n->parent = up;
}

static void fix_after_put(struct tree *t, struct node *n) {
  while (is_red(n->parent)) {
    struct node *above = n->parent->parent;
    int side = side_of(n->parent);
    struct node *uncle = above->child[!side];
    SEEN(PREDICATES_AT(t, n->parent));
    if (is_red(uncle)) {
      n->parent->is_red = uncle->is_red = false;
      above->is_red = true;
      n = above;
      continue;
    }
    if (side_of(n) != side) {
      n = n->parent;
      rotate(t, n, side);
    }
    n->parent->is_red = false;
    above->is_red = true;
    rotate(t, above, !side);
  }
  t->root->is_red = false;
}

void tree_put(struct tree *t, int key, int value) {
  struct node *parent = 0, *n = t->root;
  while (n && n->key != key) {
    SEEN(PREDICATES_AT(t, n));
    parent = n;
    n = n->child[side_for(key, n)];
  }
  if (n) {
    n->value = value;
    return;
  }
  n = calloc(1, sizeof *n);
  *n = (struct node){.key = key, .value = value, .is_red = true, .parent = parent};
  if (parent)
    parent->child[side_for(key, parent)] = n;
  else
    t->root = n;
  t->size++;
  SEEN(PREDICATES_AT(t, n));
  fix_after_put(t, n);
  assert(is_valid(t));
}

/* The place of n (or of nothing) under the parent lacks a black node. */
static void fix_after_remove(struct tree *t, struct node *n, struct node *parent) {
  while (parent && !is_red(n)) {
    int side = n == parent->child[RIGHT];
    struct node *sibling = parent->child[!side];
    SEEN(PREDICATES_AT(t, sibling));
    if (sibling->is_red) {
      sibling->is_red = false;
      parent->is_red = true;
      rotate(t, parent, side);
      sibling = parent->child[!side];
    }
    if (!is_red(sibling->child[LEFT]) && !is_red(sibling->child[RIGHT])) {
      sibling->is_red = true;
      n = parent;
      parent = n->parent;
      continue;
    }
    if (!is_red(sibling->child[!side])) {
      sibling->child[side]->is_red = false;
      sibling->is_red = true;
      rotate(t, sibling, !side);
      sibling = parent->child[!side];
    }
    sibling->is_red = parent->is_red;
    parent->is_red = sibling->child[!side]->is_red = false;
    rotate(t, parent, side);
    return;
  }
  if (n)
    n->is_red = false;
}

bool tree_remove(struct tree *t, int key) {
  struct node *n = search(t, key);
  if (!n)
    return false;
  SEEN(PREDICATES_AT(t, n));
  if (n->child[LEFT] && n->child[RIGHT]) {
    struct node *next = n->child[RIGHT];
    while (next->child[LEFT])
      next = next->child[LEFT];
    n->key = next->key;
    n->value = next->value;
    n = next;
  }
  SEEN(PREDICATES_AT(t, n));
  struct node *child = n->child[n->child[LEFT] == 0];
  replace(t, n, child);
  if (!n->is_red)
    fix_after_remove(t, child, n->parent);
  free(n);
  t->size--;
  assert(is_valid(t));
  return true;
}

int tree_get(const struct tree *t, int key) {
  const struct node *n = search(t, key);
  return n ? n->value : -1;
}
