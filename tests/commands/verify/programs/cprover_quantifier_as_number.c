/* Quantifiers as truth values: compared, negated, chosen by, counted with, nested.
   expect: safe
*/
typedef unsigned long size_t;

int differ(const unsigned char *a, const unsigned char *b)
__CPROVER_requires(__CPROVER_is_fresh(a, 3) && __CPROVER_is_fresh(b, 3))
__CPROVER_ensures((__CPROVER_return_value == 0) == __CPROVER_forall { size_t i; i < 3 ==> a[i] == b[i] })
__CPROVER_ensures(!__CPROVER_forall { size_t i; i < 3 ==> a[i] == b[i] } == __CPROVER_return_value)
__CPROVER_ensures(__CPROVER_exists { size_t i; i < 3 && a[i] != b[i] } ? __CPROVER_return_value : !__CPROVER_return_value)
__CPROVER_ensures((__CPROVER_exists { size_t i; i < 3 && a[i] != b[i] }) + 1 == __CPROVER_return_value + 1)
__CPROVER_ensures(__CPROVER_return_value != __CPROVER_forall { size_t i; i < 3 ==>
                  __CPROVER_exists { size_t k; k < 3 && k == i && a[k] == b[i] } })
{
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}
