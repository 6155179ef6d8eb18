/* Every call finds what the one before it found.
   expect: unsafe
   native: asan */
int f(int x) { return f(x) + 1; } /* BUG: stack-overflow */

int main(void) { return f(3); }
