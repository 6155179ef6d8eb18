/* expect: safe
   options: --check nontermination */
int main(void) {
  int sum = 0;
  for (unsigned short i = 0; i < 300; i++)
    sum ^= i;
  return sum & 1;
}
