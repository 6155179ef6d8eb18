/* What CBMC's assertions say must hold, in C's arithmetic.
   expect: unsafe
   open: assert
*/
int f(unsigned x)
__CPROVER_requires(x > 5)
{
    if (x < 10)
        __CPROVER_assert(x + 1 > 6, "does not wrap here");
    else
        __CPROVER_assert(x + 1 > 6, "wraps");
    return 0;
}
