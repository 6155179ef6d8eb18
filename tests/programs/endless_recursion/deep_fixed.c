/* Ten thousand calls fit on a stack.
   expect: safe */
static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }

int main(void) { return f(10000) != 10000; }
