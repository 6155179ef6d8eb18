/* Two callers hand on an index that their own tests let by; the callee takes it for granted. It is one defect.
   scan: certain out-of-bounds 6 */
static const int weights[4] = {1, 3, 9, 27};

static int weight(int kind) {
  return weights[kind];
}

int weight_of(unsigned char kind) {
  return kind <= 4 ? weight(kind) : 0;
}

int weight_left(int kind) {
  if (kind < 0 || kind > 4) return 0;
  return 40 - weight(kind);
}
