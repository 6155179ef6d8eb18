/*@ requires n >= 0 && most >= 0; assigns \nothing; ensures 0 <= \result <= most; */
int saturate(int n, int most)
{
    int level = 0;
    for (int i = 0; i < n; i++)
        if (level < most)
            level++;
    return level;
}
