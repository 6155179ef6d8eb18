/* Code behind a call of another library fails whatever that gives.

   scan: certain out-of-bounds 11
*/
extern int zip_count(void);
static const int weights[4] = {1, 2, 3, 4};
int weight_beyond(int kind)
{
    if (kind < 0 || kind > 4 || zip_count() > 7)
        return 0;
    return weights[kind];
}
