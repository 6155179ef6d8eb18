/* Counters that no turn looks at go on, while all that steers the loop comes back.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
int main(void) {
  unsigned turns = 0, sum = 1;
  unsigned char bit = 1;
  while (bit != 3) { /* BUG: nontermination */
    turns++;
    sum = sum * 5 + turns;
    bit = bit == 64 ? 1 : bit << 1;
  }
  return (turns + sum) & 1;
}
