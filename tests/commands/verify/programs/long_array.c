/* A pass over pairs in a long array of a known size, whose elements stay small.
   expect: safe
*/
typedef struct { short cell[256]; } Row;

static short halved(short x)
__CPROVER_requires(-4000 < x && x < 4000)
__CPROVER_ensures(-2000 < __CPROVER_return_value && __CPROVER_return_value < 2000)
__CPROVER_assigns()
{ return (short)(x / 2); }

void mix(Row *r, unsigned start, unsigned count)
__CPROVER_requires(__CPROVER_is_fresh(r, 512))
__CPROVER_requires(count <= 128 && start + 2 * count <= 256 && start < 256)
__CPROVER_requires(__CPROVER_forall { unsigned k; (k < 256) ==> (-2000 < r->cell[k] && r->cell[k] < 2000) })
__CPROVER_assigns(__CPROVER_object_upto(r, 512))
__CPROVER_ensures(__CPROVER_forall { unsigned k; (k < 256) ==> (-2000 < r->cell[k] && r->cell[k] < 2000) })
{
    for (unsigned j = start; j < start + count; j++)
    __CPROVER_loop_invariant(start <= j && j <= start + count)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (k < 256) ==> (-2000 < r->cell[k] && r->cell[k] < 2000) })
    __CPROVER_decreases(start + count - j)
    {
        short a = r->cell[j], b = r->cell[j + count];
        r->cell[j] = halved((short)(a + b));
        r->cell[j + count] = halved((short)(a - b));
    }
}
