/* A loop that changes nothing, without a fork, covers itself.
   expect: safe */
int main(void) {
  volatile int x = 0;
  for (;;)
    x = 1 - x;
}
