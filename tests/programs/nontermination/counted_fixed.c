/* Long, but it ends.
   expect: safe
   options: --check nontermination */
int main(void) {
  unsigned n = 0;
  while (n < 20000)
    n++;
  return n != 20000;
}
