/* One character before the pointer is read without a test that it is not the first.
   expect: unsafe
   options: --function before --sizes pair --lengths measured --merge none
   native: none (a function that is run alone) */
struct scanner { const char *start; const char *current; };

long length(const struct scanner *s) {
  return s ? s->current - s->start : 0;
}

int before(const struct scanner *s) {
  if (!s || !s->start) return 0;
  return s->current[-1] == ' '; /* BUG: out-of-bounds */
}
