/* An assertion within a loop is looked at in each turn, however loops run.

   expect: unsafe
   options: --loops abstract --max-time 10
   open: assert
*/
/*@ requires 0 <= n <= 3; assigns \nothing; ensures \true; */
int count(int n)
{
    int i = 0;
    while (i < n) {
        //@ assert i < 2;
        i++;
    }
    return i;
}
