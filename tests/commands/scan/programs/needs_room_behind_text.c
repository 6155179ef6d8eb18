/* The text has room for a mark behind its end: where it ends does not say how large its buffer is.
   scan: conditional out-of-bounds 8 */
void mark(char *text) {
  unsigned long n = 0;
  while (text[n] != 0)
    n++;
  text[n] = '!';
  text[n + 1] = 0;
}
