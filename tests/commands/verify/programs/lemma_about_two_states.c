/* expect: safe
   assumes: the lemma wrong
   What a variable holds may differ between two states. */
int g;
/*@ logic integer Twice{L}(integer n) = n <= 0 ? 0 : Twice{L}(n - 1) + g;
    lemma wrong{K, L}: \forall integer n; Twice{K}(n) == Twice{L}(n); */
/*@ assigns g; */
void f(void) { g = 1; }
