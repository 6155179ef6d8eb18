/* Counters that the loop does not look at, but whoever is outside of it; and one that steers it once it wraps.
   expect: safe
   options: --check nontermination */
static unsigned later(unsigned sum) {
  for (int i = 0; i < 40; i++)
    sum += 3;
  return sum;
}

static unsigned slot;

int main(void) {
  unsigned sum = 0;
  while (sum < 3000)
    sum = later(sum);

  unsigned turns = 0;
  do { /* what the inner loop does not look at ends the outer one */
    for (unsigned char j = 5; j != 4; j++)
      turns++;
  } while (turns < 5000);

  unsigned stored = 0;
  while (slot != 700) {
    stored++;
    slot = stored;
  }

  unsigned called = 0;
  for (;;) {
    called++;
    if (later(called) == 1000)
      break;
  }

  static const int table[100] = {[99] = 1};
  unsigned index = 0;
  while (table[index] == 0)
    index++;
  return sum + turns + index == 0;
}
