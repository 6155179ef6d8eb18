/* Source and target of a copy are compared, too, and yet are no range: both are accessed.
   expect: safe
   options: --function moved --sizes pair 
   native: none (a function that is run alone) */
void moved(unsigned char *to, const unsigned char *from, unsigned char count) {
  if (count > 3 || !to || !from) return;
  if (to < from)
    for (int i = 0; i < count; i++) to[i] = from[i];
  else
    while (count--) to[count] = from[count];
}
