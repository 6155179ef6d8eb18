/* The error names the file it is in.
   expect: unsafe
   sources: second_part.c
   native: asan */
extern int divide(int a, int b);

int main(void) {
  volatile int zero = 0;
  return divide(1, zero);
}
