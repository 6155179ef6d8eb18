/* A predicate may be a number although a quantifier decides it.
   expect: safe
*/
/*@ predicate zeros(int *a, integer n) = \forall integer i; 0 <= i < n ==> a[i] == 0; */

/*@ requires \valid(a + (0..2)) && zeros(a, 3) + 1 == 2;
    assigns \nothing;
    ensures \result == 0; */
int second(int *a)
{
    return a[1];
}
