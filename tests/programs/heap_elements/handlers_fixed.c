/* A table of functions in a variable: an unknown element is null, or the function that it is at first.
   expect: safe
   options: --function call --globals symbolic
   native: none (a function that is run alone) */
static int zero(void) { return 0; }
static int one(void) { return 1; }
static int (*handlers[3])(void) = {zero, one, zero};

int call(unsigned i)
{
    if (i >= 3 || !handlers[i])
        return 0;
    int (*handler)(void) = handlers[i];
    if (handler() == 1 && i != 1)
        *(volatile int *)0 = 1;
    return 0;
}
