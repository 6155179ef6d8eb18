/* The digits of a number begin where its member points: a negative position is in front of them, and only large ones
   are tested.
   scan: likely out-of-bounds 14 */
struct number {
  int size;
  unsigned *digits;
};

int set_digit(struct number *n, int position) {
  if (!n || !n->digits || position >= 4)
    return -1;
  for (int i = 0; i < 4; i++)
    n->digits[i] = 0;
  n->digits[position] = 1;
  return 0;
}
