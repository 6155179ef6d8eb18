/* One byte more is copied than may be assigned.
   expect: unsafe
   open: assigns
*/
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t count);

void copy(char *to, const char *from, size_t count)
__CPROVER_requires(0 < count && count < 100000)
__CPROVER_requires(__CPROVER_is_fresh(to, count + 1) && __CPROVER_is_fresh(from, count + 1))
__CPROVER_assigns(__CPROVER_object_upto(to, count))
{
    memcpy(to, from, count + 1);
}
