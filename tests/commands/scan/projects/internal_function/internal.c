/* Not static, but no header declares it: it is no entry.

   finds: out-of-bounds at 6: excluded
*/
static const int weights[4] = {1, 2, 3, 4};
int lib_weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
