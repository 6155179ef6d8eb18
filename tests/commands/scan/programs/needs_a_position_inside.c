/* pos < len is an invariant of the structure that no function tests.
   scan: conditional out-of-bounds 6 */
struct cursor { const char *text; unsigned long pos, len; };

int current(const struct cursor *c) {
  return c->text[c->pos];
}
