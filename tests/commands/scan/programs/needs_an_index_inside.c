/* The index must fit the array of the caller.
   scan: conditional out-of-bounds 4 */
void set(int *numbers, unsigned i, int value) {
  numbers[i] = value;
}
