/* Deep, but the argument comes to the bound.
   expect: safe */
static int sum(int n) { return n < -2 ? 0 : n + sum(n - 1); }

int main(void) { return sum(400) == 80197 ? 0 : 1; }
