/* As many entries follow as the count says, which the loop shows. It may be zero, and then none is the last.
   scan: conditional null-dereference 10
   scan: certain out-of-bounds 10
   scan: conditional null-dereference 15 */
struct table { unsigned count; int entries[]; };

int value(const struct table *t, unsigned i) {
  if (t == 0 || i > t->count - 1)
    return -1;
  return t->entries[i];
}

int total(const struct table *t) {
  int sum = 0;
  for (unsigned i = 0; i < t->count; i++) {
    sum = (sum + t->entries[i]) % 1000;
  }
  return sum;
}
