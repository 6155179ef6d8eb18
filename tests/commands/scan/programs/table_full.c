/* Each call takes a slot; nobody asks whether there is one left.
   scan: certain out-of-bounds 7 */
static int slots[4];
static unsigned used;

unsigned add(int value) {
  slots[used++] = value;
  return used;
}
