/* expect: unknown unsupported
   native: none (the result depends on the machine) */
int main(void) {
  unsigned a = 0, b, c = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return a == 0;
}
