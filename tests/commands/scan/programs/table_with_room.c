/* The slot is tested before it is taken.
   scan: nothing */
static int slots[4];
static unsigned used;

int add(int value) {
  if (used >= sizeof slots / sizeof slots[0]) return -1;
  slots[used++] = value;
  return 0;
}
