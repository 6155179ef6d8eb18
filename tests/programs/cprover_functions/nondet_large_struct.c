/* expect: unknown unsupported
   native: none (no compiler knows what CBMC does) */
struct large {
  long a[9];
};
struct large nondet_large(void);

int main(void) {
  struct large one = nondet_large();
  return one.a[0] == 3;
}
