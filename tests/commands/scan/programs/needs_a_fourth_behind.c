/* There are at least three samples, as many as the count says, and the fourth is read: callers may have more.
   scan: conditional out-of-bounds 8 */
struct samples { unsigned char count; struct { short left, right; } at[]; };

int fourth(const struct samples *s) {
  if (s == 0 || s->count < 3)
    return 0;
  return s->at[3].left;
}

int sum(const struct samples *s) {
  int sum = 0;
  if (s == 0)
    return 0;
  for (unsigned i = 0; i < s->count; i++)
    sum = (sum + s->at[i].right) % 1000;
  return sum;
}
