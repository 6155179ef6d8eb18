/* Nothing asks what n is, and only a place in the text makes sense. A number that is asked to be small is a length.
   scan: conditional null-dereference 7
   scan: conditional out-of-bounds 7
   scan: conditional null-dereference 14
   scan: certain out-of-bounds 14 */
int nth(const char *text, int n) {
  int character = text[n];
  return character;
}

int behind(const char *bytes, unsigned len) {
  if (len > 8)
    return 0;
  int character = bytes[len];
  return character;
}
