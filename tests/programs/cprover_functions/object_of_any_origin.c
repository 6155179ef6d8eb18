/* expect: unknown unsupported
   native: none (no compiler knows what CBMC does) */
void *nondet_voidp(void);

int main(void) {
  static int a[4];
  return __CPROVER_same_object(a, nondet_voidp());
}
