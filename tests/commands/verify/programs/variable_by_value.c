/* A pointer may lead to a variable that no code names: the first value of another one leads there.
   expect: unsafe
   open: ensures
*/
static int hidden;
static int *const way = &hidden;

/*@ requires \valid(p);
    ensures *p == 1; */
void f(int *p)
{
    *p = 1;
    *way = 2;
}
