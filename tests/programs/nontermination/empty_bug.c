/* A loop that does nothing at all.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
int main(void) {
  while (1) /* BUG: nontermination */
    ;
}
