/* All calls are alike but for what lies in memory.
   expect: safe */
static int left = 500;

static void f(void) {
  if (left-- > 0)
    f();
}

int main(void) {
  f();
  return left != -1;
}
