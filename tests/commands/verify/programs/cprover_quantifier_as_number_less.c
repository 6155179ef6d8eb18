/* A comparison that leaves the last byte out.
   expect: unsafe
   open: ensures
*/
typedef unsigned long size_t;

int differ(const unsigned char *a, const unsigned char *b)
__CPROVER_requires(__CPROVER_is_fresh(a, 3) && __CPROVER_is_fresh(b, 3))
__CPROVER_ensures((__CPROVER_return_value == 0) == __CPROVER_forall { size_t i; i < 3 ==> a[i] == b[i] })
{
    return a[0] != b[0] || a[1] != b[1];
}
