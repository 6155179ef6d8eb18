/* A precondition that is false in more than one way leaves what none of them excludes.
   expect: unsafe
   options: --function shrink --requires between
   native: none (a function that is run alone) */
int between(int value) { return 0 <= value && value <= 4; }

int shrink(int value) {
  return 12 / (value - 3); /* BUG: div-by-zero */
}
