/* No call is like an earlier one: the stack runs out.
   expect: unsafe
   native: asan */
static int f(unsigned n) { return n == 0 ? 0 : 1 + f(n + 1); } /* BUG: stack-overflow */

int main(void) { return f(1); }
