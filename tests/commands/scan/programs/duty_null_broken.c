/* One call passes what nothing has tested.
   scan: certain null-dereference 9 */
struct pair {
  int left, right;
};

int first(const struct pair *pair) {
  int value;
  value = pair->left;
  if (!pair) return -1;
  return value;
}

int sum(int left, int right) {
  struct pair pair = {left, right};
  return first(&pair) + pair.right;
}

int first_or(const struct pair *pair, int otherwise) { return otherwise + first(pair); }
