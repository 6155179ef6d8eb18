/* A loop that changes nothing, without a fork, covers itself.
   expect: safe
   native: none (it never ends) */
int main(void) {
  volatile int x = 0;
  for (;;)
    x = 1 - x;
}
