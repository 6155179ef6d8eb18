/* How long the text is does not matter: its first character is the index of a table, and may be negative.
   scan: certain out-of-bounds 12 */
int sums(const char *text, int count, int *out)
{
    static const int table[128] = {1, 2, 3};
    int i, made = 0;

    if (!text || !out)
        return -1;
    for (i = 0; i < count; i++) {
        if (text[i] != '_')
            out[made++] = table[(int)text[i]];
    }
    return made;
}
