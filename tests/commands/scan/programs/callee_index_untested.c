/* The callers know as little of the index as the callee.
   scan: conditional out-of-bounds 6 */
static const int weights[4] = {1, 3, 9, 27};

static int weight(int kind) {
  return weights[kind];
}

int weight_of(int kind) {
  return weight(kind);
}

int weight_of_four(int kind) {
  if (kind < 0 || kind > 3) return 0;
  return weight(kind);
}
