/* expect: unsafe */
/*@ requires n >= 1; assigns \nothing; ensures \result == 0; */
unsigned f(unsigned n) {
  /*@ loop invariant n <= 4294967295; loop assigns n; loop variant n; */
  while (n != 0) { n -= 2; }
  return n + (n == 0);
}
