/* What is assumed comes too late, and a quantified assertion is wrong.
   expect: unsafe
   open: assert
*/
int f(unsigned x, int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_whole(a))
{
    for (int i = 0; i < 4; i++)
        a[i] = i;
    if (x == 7)
        __CPROVER_assert(__CPROVER_exists { unsigned k; k < 4 && a[k] > 3 }, "none");
    __CPROVER_assume(x < 7);
    return 0;
}
