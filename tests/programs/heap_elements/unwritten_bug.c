/* An element that was copied from an unwritten variable is read at an unknown place.
   expect: unsafe
   options: --function start --check uninitialised
   native: none (a function that is run alone) */
struct entry {
    struct entry *next;
    long rank;
};

int start(struct entry *table, unsigned i)
{
    struct entry local;
    if (!table || i >= 8)
        return 0;
    table[0] = local;
    if (table[i].rank > 3) /* BUG: uninitialised */
        return 1;
    return 0;
}
