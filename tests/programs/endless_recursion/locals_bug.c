/* Callers have locals, which nothing leads to.
   expect: unsafe
   native: asan */
static void set(int *p) { *p = 3; }

static int f(int n) {
  int three;
  set(&three);
  return f(n + three - 3) + three; /* BUG: stack-overflow */
}

int main(void) { return f(7); }
