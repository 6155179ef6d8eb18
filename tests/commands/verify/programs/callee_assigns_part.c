/* A call that assigns bytes in the middle of two elements changes both.
   expect: unsafe
   open: ensures
*/
typedef unsigned long size_t;

void change(char *p)
__CPROVER_requires(__CPROVER_w_ok(p, 4))
__CPROVER_assigns(__CPROVER_object_upto(p, 4))
{
    p[0] = 1;
}

void caller(int *a, size_t n)
__CPROVER_requires(n > 1 && n < 1000 && __CPROVER_is_fresh(a, n * sizeof(int)) && a[0] == 0)
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(a[0] == 0)
{
    change((char *)a + 2);
}
