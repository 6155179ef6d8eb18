/* What lies in front of the flexible array is the struct: no index below the count goes wrong, nor does the last one.
   scan: conditional null-dereference 9 */
struct pair { short key, value; };
struct table { long used; struct { unsigned count; struct pair pairs[0]; } inner; };

long last(const struct table *t) {
  unsigned i;
  long sum = 0;
  for (i = 0; i < t->inner.count; i++) {
    sum = (sum + t->inner.pairs[i].value) % 1000;
  }
  if (i > 0)
    sum += t->inner.pairs[i - 1].key;
  return sum;
}
