/* A loop counts the bits of a size; the test before it lets sizes by that have too many.
   scan: certain out-of-bounds 10 */
static const int masks[8] = {0, 1, 3, 7, 15, 31, 63, 127};
static const unsigned sizes[3] = {20, 70, 100};

static int mask(unsigned size) {
  int bits = 0;
  if (size > 255) return -1;
  for (; size != 0; size >>= 1) bits++;
  return masks[bits];
}

int mask_of(unsigned char size) { return size < 3 ? mask(sizes[size]) : mask(size); }
