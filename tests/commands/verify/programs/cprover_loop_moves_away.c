/* Each turn lists its own element, but CBMC's loops list that of the first.
   expect: unsafe
   open: assigns
*/
void fill(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_whole(a))
{
    int i = 0;
    while (i < 4)
    __CPROVER_assigns(i, a[i])
    __CPROVER_loop_invariant(0 <= i && i <= 4)
    __CPROVER_decreases(4 - i)
    {
        a[i] = 1;
        i++;
    }
}
