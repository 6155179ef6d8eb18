/* How many bits are wanted is compared with how many there are: whoever sets both knows that there are at most 4.
   scan: conditional out-of-bounds 12 */
struct reader {
  unsigned wanted;
  unsigned available;
};
static const unsigned masks[5] = {0, 1, 3, 7, 15};

unsigned mask(const struct reader *reader) {
  if (reader->wanted > reader->available)
    return 0;
  return masks[reader->wanted];
}
