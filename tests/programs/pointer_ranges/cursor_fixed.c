/* The cursor lies between the beginning and the end: behind it is something only before the end.
   expect: safe
   options: --function peek --sizes pair 
   native: none (a function that is run alone) */
int peek(const char *begin, const char *cursor, const char *end) {
  if (!begin || end - cursor > 3 || end - begin > 8) return -1;
  int line = 0;
  for (const char *at = begin; at != end; at++) line += *at == '\n';
  return cursor < end ? line + *cursor : line;
}
