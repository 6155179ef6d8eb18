/* What counts is in memory.
   expect: safe
   options: --check nontermination */
static int left = 3000;
static int tick(void) { return left-- > 0; }

int main(void) {
  while (tick()) {
  }
  return 0;
}
