/* Nothing says how long the array is: accesses lengthen it, and that is an assumption, no error.
   expect: safe
   options: --function sum
   native: none (a function that is run alone) */
int sum(const int *a, unsigned n) {
  if (a == 0 || n > 3) return 0;
  int total = 0;
  for (unsigned i = 0; i < n; i++) total ^= a[i];
  return total;
}
