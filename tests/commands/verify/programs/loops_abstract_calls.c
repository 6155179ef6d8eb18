/* A turn calls functions of which contracts speak: what they require, assert and keep is proved, however loops run.

   expect: unsafe
   options: --loops abstract --max-time 30
   open: requires of positive, assert, invariant kept
*/
/*@ requires x > 0; assigns \nothing; ensures \result > 0; */
int positive(int x) { return x; }

static int large(int x)
{
    //@ assert x > 5;
    return x;
}

static int counted(int x)
{
    int k = 0;
    /*@ loop invariant k <= 3; loop assigns k; */
    while (k < x)
        k++;
    return k;
}

/*@ requires n < 100; assigns \nothing; ensures \result == 0; */
int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= positive(-1) & 0; return s; }

/*@ requires n < 100; assigns \nothing; ensures \result == 0; */
int asserts(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= large(i) & 0; return s; }

/*@ requires n < 100; assigns \nothing; ensures \result == 0; */
int loops(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= counted(5) & 0; return s; }
