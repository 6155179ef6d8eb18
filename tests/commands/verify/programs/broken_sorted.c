/* What is required of eight elements that are in a variable: models that do not meet it are told of it.
   expect: unsafe
   open: ensures */
static int a[9];
/*@ requires \forall integer k; 0 <= k < 8 ==> a[k] < a[k + 1];
    requires \exists integer k; 4 <= k < 8 && a[k] == 77;
    requires \forall integer k; 0 <= k <= 8 ==> 0 <= a[k] <= 100000;
    assigns \nothing; ensures \result == 0; */
int f(void) { return a[8] == 200; }
