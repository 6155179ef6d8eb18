/* The second file of a program of two. */
int divide(int a, int b) {
  return a / b; /* BUG: div-by-zero */
}
