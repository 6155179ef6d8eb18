/* The inner loop ends each time; the outer one is what does not.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
static int count(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

int main(void) {
  int n = 20;
  while (n) { /* BUG: nontermination */
    for (int i = 0; i < 12; i++)
      n ^= count(i) & 1;
    n = 20;
  }
  return 0;
}
