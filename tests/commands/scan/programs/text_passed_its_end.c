/* A backslash takes the next character with it, even if that is the end.
   scan: certain out-of-bounds 5 */
unsigned long length(const char *text) {
  unsigned long n = 0;
  while (text[n] != 0) {
    n += text[n] == '\\' ? 2 : 1;
  }
  return n;
}
