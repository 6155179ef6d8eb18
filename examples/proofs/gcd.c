/* gcd of Scheurer16 (Listing 4), proved as there: Euclid's loop by an invariant, its function by contract. */
#include "unfork.h"
#include <limits.h>

/*@ requires big >= small && small >= 0 && big > 0;
    assigns \nothing;
    ensures \result > 0;
    ensures big % \result == 0 && small % \result == 0;
    ensures \forall int x; x > 0 && big % x == 0 && small % x == 0 ==> \result % x == 0;
*/
int gcd_help(int big, int small)
{
    /*@ loop invariant small >= 0 && big > 0 && big >= small;
        loop invariant \forall int x; x > 0 ==>
            ((\at(big, Pre) % x == 0 && \at(small, Pre) % x == 0) <==> (big % x == 0 && small % x == 0));
        loop assigns big, small;
        loop variant small;
    */
    while (small != 0) {
        int rest = big % small;
        big = small;
        small = rest;
    }
    return big;
}

/*@ requires a > INT_MIN && b > INT_MIN && (a != 0 || b != 0);
    assigns \nothing;
    ensures \result > 0;
    ensures a % \result == 0 && b % \result == 0;
    ensures \forall int x; x > 0 && a % x == 0 && b % x == 0 ==> \result % x == 0;
*/
int gcd(int a, int b)
{
    int a0 = a, b0 = b, big, small;
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
    return gcd_help(big, small);
}
