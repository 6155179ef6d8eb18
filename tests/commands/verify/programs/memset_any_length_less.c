/* One byte is left as it was.
   expect: unsafe
   open: ensures
*/
typedef unsigned long size_t;
void *memset(void *to, int byte, size_t count);

void clear(char *to, size_t count)
__CPROVER_requires(count > 0 && count < 100000 && __CPROVER_is_fresh(to, count))
__CPROVER_assigns(__CPROVER_object_upto(to, count))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> to[i] == 0 })
{
    memset(to, 0, count - 1);
}
