/* A member is compared with the size of the table, and that is one too far.
   scan: certain out-of-bounds 11 */
struct reader {
  unsigned wanted;
};
static const unsigned masks[5] = {0, 1, 3, 7, 15};

unsigned mask(const struct reader *reader) {
  if (reader->wanted > 5)
    return 0;
  return masks[reader->wanted];
}
