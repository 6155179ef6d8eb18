/* One byte is left.
   expect: unsafe
   open: ensures
*/
typedef unsigned long size_t;

void clear(void *data)
__CPROVER_requires(__CPROVER_is_fresh(data, 3))
__CPROVER_assigns(__CPROVER_object_upto(data, 3))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < 3 ==> ((unsigned char *)data)[i] == 0 })
{
    for (size_t i = 0; i < 2; i++)
        ((char *)data)[i] = 0;
}
