/* A number is printed and compared.
   property: unreach-call
   answer: false(unreach-call) */
#include <stdio.h>
#include <string.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  char b[32];
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 20) return 0;
  snprintf(b, sizeof b, "%d-%ld", x, 5L);
  if (!strcmp(b, "17-5")) reach_error();
  return 0;
}
