/* A library that is all header is scanned where a test uses it, also if another test does not compile.

   finds: out-of-bounds at 7: certain by weight_of
*/
static inline int weight_of(unsigned kind) {
    static const int weights[4] = {1, 2, 3, 4};
    return kind <= 4 ? weights[kind] : 0;
}
