/* Bytes behind pointers to void.
   expect: safe
*/
typedef unsigned long size_t;

void clear(void *data, const void *from, size_t n)
__CPROVER_requires(n <= 1000 && __CPROVER_is_fresh(data, n) && __CPROVER_is_fresh(from, 4) && __CPROVER_r_ok(from, 4))
__CPROVER_assigns(__CPROVER_object_upto(data, n))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < n ==> ((unsigned char *)data)[i] == 0 })
{
    for (size_t i = 0; i < n; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(data, n))
    __CPROVER_loop_invariant(i <= n && __CPROVER_forall { size_t k; k < i ==> ((unsigned char *)data)[k] == 0 })
    __CPROVER_decreases(n - i)
        ((unsigned char *)data)[i] = ((const unsigned char *)from)[3] * 0;
}
