/* What lies in front of the pointer is not listed.
   expect: unsafe
   open: assigns
*/
void first(int *b)
__CPROVER_requires(__CPROVER_is_fresh(b, 4 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_from(b + 1))
{
    b[0] = 1;
}
