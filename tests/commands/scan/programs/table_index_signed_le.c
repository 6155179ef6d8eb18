/* The table has four weights, and four is let through: nobody who asks has to think of negative kinds for that.
   scan: certain out-of-bounds 8 */
int weight(int kind)
{
    static const int weights[4] = {1, 3, 9, 27};
    if (kind > 4)
        return 0;
    return weights[kind];
}
