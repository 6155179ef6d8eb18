/* Two objects are not one, and one has its own size.
   expect: unsafe
   open: ensures
*/
void two(int *a, int *b)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(int)) && __CPROVER_is_fresh(b, 4 * sizeof(int)))
__CPROVER_ensures(__CPROVER_same_object(a, b) || __CPROVER_OBJECT_SIZE(b) != 16)
{
}
