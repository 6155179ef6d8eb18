/* Memory changes with each call and changes back.
   expect: unsafe
   native: asan */
static int turn;

void f(void) {
  turn = (turn + 1) % 3;
  f(); /* BUG: stack-overflow */
  turn = 0;
}

int main(void) {
  f();
  return 0;
}
