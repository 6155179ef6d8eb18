/* As long_array_rows.c, but one row too few is filled.
   expect: unknown
   open: ensures
   options: --max-time 10
*/
typedef struct { int cell[100]; } Row;
typedef struct { Row row[3]; } Matrix;

void fill(Row *r, int value)
__CPROVER_requires(__CPROVER_is_fresh(r, 400))
__CPROVER_assigns(__CPROVER_object_upto(r, 400))
__CPROVER_ensures(__CPROVER_forall { unsigned k; (k < 100) ==> r->cell[k] == value })
{
    for (unsigned i = 0; i < 100; i++)
    __CPROVER_loop_invariant(i <= 100)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (k < i) ==> r->cell[k] == value })
    { r->cell[i] = value; }
}

void fill_all(Matrix *m)
__CPROVER_requires(__CPROVER_is_fresh(m, 1200))
__CPROVER_assigns(__CPROVER_object_upto(m, 1200))
__CPROVER_ensures(__CPROVER_forall { unsigned j; (j < 3) ==>
    __CPROVER_forall { unsigned k; (k < 100) ==> m->row[j].cell[k] == 7 } })
{
    for (unsigned i = 0; i < 2; i++)
    __CPROVER_loop_invariant(i <= 3)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned j; (j < i) ==>
        __CPROVER_forall { unsigned k; (k < 100) ==> m->row[j].cell[k] == 7 } })
    { fill(&m->row[i], 7); }
}

int read_one(unsigned j, unsigned k)
__CPROVER_requires(j < 3 && k < 100)
__CPROVER_ensures(__CPROVER_return_value == 7)
__CPROVER_assigns()
{
    Matrix m;
    fill_all(&m);
    return m.row[j].cell[k];
}
