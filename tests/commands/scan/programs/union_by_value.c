/* Structs with unions are arguments, in memory and in registers.

   scan: certain out-of-bounds 20
   scan: certain out-of-bounds 27
*/
struct item {
    int kind;
    union {
        const char *text;
        long number;
        struct { int count; struct item *items; } list;
    } is;
};
struct word { int kind; union { const char *text; long number; } is; };
static const int sizes[4] = {1, 2, 3, 4};
int size_of(struct item item)
{
    if (item.kind == 1)
        return item.is.text ? item.is.text[0] : 0;
    return item.is.list.count >= 0 && item.is.list.count <= 4 ? sizes[item.is.list.count] : 0;
}
int weight_of(struct word word)
{
    int least = 2;
    if (word.kind == 1)
        return word.is.text ? word.is.text[0] : 0;
    return word.is.number >= 0 && word.is.number <= 4 ? sizes[word.is.number] : least;
}
