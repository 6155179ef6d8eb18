#include <stddef.h>
struct pair {
  int left, right;
};
int first(const struct pair *pair);
