/* What an array held before: as a whole by a cast, as a member, and element by element.
   expect: safe
*/
typedef short int16;
struct box { int16 cells[4]; int count; };

void change(int16 *a, struct box *b, int16 key)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(int16)) && __CPROVER_is_fresh(b, sizeof(struct box)))
__CPROVER_requires(key >= 0 && key < 4)
__CPROVER_assigns(__CPROVER_object_whole(a), b->cells[1])
__CPROVER_ensures(__CPROVER_forall { int k; (0 <= k && k < 4 && k != key)
                  ==> a[k] == (__CPROVER_old(*(int16 (*)[2 + 2])(a)))[k] })
__CPROVER_ensures(__CPROVER_old(b->cells)[1] == 9 ==> b->cells[1] == 10)
__CPROVER_ensures(__CPROVER_old(*b).cells[1] == 9 ==> b->cells[1] != __CPROVER_old(b->cells[1]))
{
    a[key] = 1;
    if (b->cells[1] == 9)
        b->cells[1] = 10;
}
