/* Three colours in order: 0, 1, 2. */
/*@ requires n >= 0;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 2;
    assigns a[0 .. n-1];
    ensures \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
*/
void dutch_flag(int *a, int n)
{
    int red = 0, white = 0, blue = n;
    /*@ loop invariant 0 <= red <= white <= blue <= n;
        loop invariant \forall integer k; 0 <= k < red ==> a[k] == 0;
        loop invariant \forall integer k; red <= k < white ==> a[k] == 1;
        loop invariant \forall integer k; white <= k < blue ==> 0 <= a[k] <= 2;
        loop invariant \forall integer k; blue <= k < n ==> a[k] == 2;
        loop assigns red, white, blue, a[0 .. n-1];
        loop variant blue - white;
    */
    while (white < blue) {
        int colour = a[white];
        if (colour == 0) {
            a[white] = a[red];
            a[red] = 0;
            red++;
            white++;
        } else if (colour == 1) {
            white++;
        } else {
            blue--;
            a[white] = a[blue];
            a[blue] = 2;
        }
    }
}
