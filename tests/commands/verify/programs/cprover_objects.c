/* What objects pointers lead into, where in them, and how large these are.
   expect: safe
*/
typedef unsigned long size_t;

void last(int *a, int *b, size_t n)
__CPROVER_requires(n > 2 && n < 100 && __CPROVER_is_fresh(a, n * sizeof(int)) && __CPROVER_is_fresh(b, 4 * sizeof(int)))
__CPROVER_requires(__CPROVER_OBJECT_SIZE(a) == n * sizeof(int) && __CPROVER_POINTER_OFFSET(a + 1) == 4)
__CPROVER_requires(__CPROVER_same_object(a, a + 2) && !__CPROVER_same_object(a, b))
__CPROVER_assigns(__CPROVER_object_from(a + 1), __CPROVER_object_from(b + 3))
__CPROVER_ensures(a[0] == __CPROVER_old(a[0]) && b[2] == __CPROVER_old(b[2]))
__CPROVER_ensures(__CPROVER_pointer_in_range_dfcc(a, a + 2, a + 3) && !__CPROVER_pointer_in_range_dfcc(a + 1, a, a + 2))
{
    a[n - 1] = 1;
    b[3] = 1;
}
