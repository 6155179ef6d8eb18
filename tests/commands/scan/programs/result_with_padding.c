/* The padding of a result is never written, and its caller never reads it.

   scan: nothing
*/
struct sized {
    char kind;
    int size;
};
struct sized sized(char kind, int size)
{
    struct sized made;
    made.kind = kind;
    made.size = size;
    return made;
}
