/* A task in the manner of SV-COMP: inputs from __VERIFIER_nondet_int, and the question whether reach_error can run. The
   digits of a number from 0 to 999 are added up; only 999 has the sum 27.

     unfork run examples/sv_comp.c        one error (reach-error), exit status 1

   expect: unsafe
   native: none (reach_error has no native meaning)
*/
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int number = __VERIFIER_nondet_int();
  int sum = 0;

  __VERIFIER_assume(number >= 0 && number < 1000);
  for (int rest = number; rest > 0; rest /= 10)
    sum += rest % 10;
  if (sum == 27)
    reach_error(); /* BUG: reach-error */
  return 0;
}
