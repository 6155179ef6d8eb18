#include <stddef.h>
struct pair {
  int left, right;
};
/* The first of a pair, or -1 if that is NULL. */
int first(const struct pair *pair);
int sum(int left, int right);
int first_or(const struct pair *pair, int otherwise);
