/* The table is a local of the function, but as with any table, callers know which levels there are.
   scan: conditional out-of-bounds 5 */
int weight(unsigned level) {
  int weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  return weights[level];
}
