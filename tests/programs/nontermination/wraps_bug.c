/* The index starts again at 0 before it comes to the bound.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
int main(void) {
  int sum = 0;
  for (unsigned char i = 0; i < 300; i++) /* BUG: nontermination */
    sum ^= i;
  return sum;
}
