/* gcd of Scheurer16 (Listing 4): what Euclid's algorithm returns for two integers is their greatest common divisor. The paper
   proves it with a loop invariant; here numbers are bounded, so that the loop ends.

   expect: safe
   options: --merge marked --join ite
   paths: 4
   native: asan
*/
#include "unfork.h"

#ifndef MOST
#define MOST 3
#endif

static int gcd_help(int big, int small)
{
    while (small != 0) {
        int rest = big % small;
        big = small;
        small = rest;
    }
    return big;
}

static int gcd(int a, int b)
{
    int a0 = a, b0 = b, big, small, result;
    unfork_merge_begin();
    if (a < 0)
        a = -a;
    unfork_merge_end();
    unfork_merge_begin();
    if (b < 0)
        b = -b;
    unfork_merge_end();
    if (a > b) {
        big = a;
        small = b;
    } else {
        big = b;
        small = a;
    }
    result = gcd_help(big, small);
    unfork_check((a0 % result == 0) & (b0 % result == 0));
    return result;
}

int main(void)
{
    int a, b, divisor, result;
    unfork_symbolic(&a, sizeof a, "a");
    unfork_symbolic(&b, sizeof b, "b");
    unfork_symbolic(&divisor, sizeof divisor, "divisor");
    unfork_assume(a >= -MOST);
    unfork_assume(a <= MOST);
    unfork_assume(a != 0);
    unfork_assume(b >= -MOST);
    unfork_assume(b <= MOST);
    unfork_assume(b != 0);
    unfork_assume(divisor > 0);
    unfork_assume(divisor <= MOST);
    result = gcd(a, b);
    unfork_check((a % divisor != 0) | (b % divisor != 0) | (divisor <= result));
    return 0;
}
