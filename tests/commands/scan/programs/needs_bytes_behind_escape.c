/* Nothing says that these characters end with a NUL: nobody looks for one.
   scan: conditional out-of-bounds 6 */
unsigned length(const char *source) {
  unsigned total = 0, at = 0;
  do {
    total += (unsigned char)source[at];
  } while ((unsigned char)source[at++] == 255);
  return total;
}
