/* The array is not what it was.
   expect: unsafe
   open: ensures
*/
void change(short *a, short key)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(short)) && key >= 0 && key < 4)
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { int k; (0 <= k && k < 4) ==> a[k] == (__CPROVER_old(*(short (*)[4])(a)))[k] })
{
    a[key] = 1;
}
