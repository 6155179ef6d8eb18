/* What is assumed in the code holds after it, and its assertions may have quantifiers and call functions.
   expect: safe
*/
static int twice(int x) { return 2 * x; }

int f(unsigned x, int *a)
__CPROVER_requires(x > 5 && __CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_whole(a))
{
    for (int i = 0; i < 4; i++)
        a[i] = i + 3;
    __CPROVER_assume(x < 100);
    __CPROVER_cover(x > 1000);
    __CPROVER_assert(x + 1 > 6, "does not wrap");
    __CPROVER_assert(__CPROVER_forall { unsigned k; k < 4 ==> a[k] > 2 }, "all");
    __CPROVER_assert(twice(3) == 6, "calls");
    return 0;
}
