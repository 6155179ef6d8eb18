/* Memory changes at each turn, and is as before after four.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
static int two, four;

static void advance(void) { four = (four + 1) % 4; }

int main(void) {
  do {
    two = !two; /* BUG: nontermination */
    advance();
  } while (two || four != 1);
  return 0;
}
