/* A loop counts the bits of a size. Its only caller takes sizes from a table, in which all have few.
   scan: nothing */
static const int masks[8] = {0, 1, 3, 7, 15, 31, 63, 127};
static const unsigned sizes[3] = {20, 70, 100};

static int mask(unsigned size) {
  int bits = 0;
  for (; size != 0; size >>= 1) bits++;
  return masks[bits];
}

int mask_of(unsigned char kind) { return kind < 3 ? mask(sizes[kind]) : 0; }
