/* The first byte of a range is read, which may have none: nothing tests that.
   scan: conditional out-of-bounds 4 */
int first(const char *text, const char *end) {
  return end - text > 80 ? -1 : text[0];
}
