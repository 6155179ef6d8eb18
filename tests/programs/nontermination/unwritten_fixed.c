/* A local that nobody wrote may end the loop in each turn.
   expect: bounded
   options: --check nontermination --max-depth 16 --search dfs
   native: none (it may end or not) */
static int lasts(void) {
  int unwritten;
  return unwritten != 3;
}

int main(void) {
  while (lasts()) {
  }
  return 0;
}
