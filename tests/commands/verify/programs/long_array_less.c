/* A long array of a known size is filled, but for the element that the loop leaves out.
   expect: unsafe
*/
void fill(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 400))
__CPROVER_assigns(__CPROVER_object_upto(a, 400))
__CPROVER_ensures(__CPROVER_forall { unsigned k; (k < 100) ==> a[k] == 7 })
{
    for (unsigned i = 1; i < 100; i++)
    __CPROVER_loop_invariant(1 <= i && i <= 100)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (1 <= k && k < i) ==> a[k] == 7 })
    { a[i] = 7; }
}
