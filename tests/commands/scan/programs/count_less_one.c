/* The last entry is that of a count which may be zero: the loop shows that it is the number of entries.
   scan: conditional null-dereference 11
   scan: certain out-of-bounds 11
   scan: conditional null-dereference 17 */
struct entry { int tag, value; };
struct table { struct entry *entries; unsigned count; };

int value(const struct table *t, unsigned i) {
  if (t == 0 || i > t->count - 1)
    return -1;
  return t->entries[i].value;
}

int total(const struct table *t) {
  int sum = 0;
  for (unsigned i = 0; i < t->count; i++)
    sum = (sum + t->entries[i].value) % 1000;
  return sum;
}
