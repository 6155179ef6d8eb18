#include <stddef.h>
struct pair {
  int left, right;
};
int first(const struct pair *pair);
int sum(int left, int right);
int first_or(const struct pair *pair, int otherwise);
