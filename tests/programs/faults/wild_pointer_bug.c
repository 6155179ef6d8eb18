/* An integer becomes a pointer to nowhere.
   expect: unsafe
   native: asan */
int main(void) {
  int *volatile p = (int *)0x123456789abcd000;
  return *p; /* BUG: out-of-bounds */
}
