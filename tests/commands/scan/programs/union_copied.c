/* A struct with a union is copied: the copy holds what the code then reads it as.

   scan: certain out-of-bounds 21
   scan: certain null-dereference 19
*/
struct item {
    int kind;
    union {
        const char *text;
        long number;
        struct { int count; struct item *items; } list;
    } is;
};
static const int sizes[4] = {1, 2, 3, 4};
int size_of(const struct item *item)
{
    struct item copy = *item;
    if (copy.kind == 1)
        return copy.is.text ? copy.is.text[0] : copy.is.text[1];
    if (copy.kind == 2)
        return copy.is.list.count >= 0 && copy.is.list.count <= 4 ? sizes[copy.is.list.count] : 0;
    return copy.is.number > 0;
}
