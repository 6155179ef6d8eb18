/* A local that a function never writes is no input: the loop goes this way whatever it holds.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
static int given(int yes) {
  int unused;
  if (yes)
    return yes;
  return unused;
}

int main(void) {
  while (given(1)) { /* BUG: nontermination */
  }
  return 0;
}
