/* expect: safe */
/*@ requires n < 100000000000000000000000;
    assigns \nothing;
    ensures n * n < 340282366920938463463374607431768211456; */
void f(unsigned long n) {}
