/* All callers limit what they pass.

   report: not reachable
*/
static const int steps[5] = {1, 2, 5, 10, 20};
static int step(int level)
{
    return steps[level];
}
int coarse(int level)
{
    return level < 0 || level > 2 ? 0 : step(level + 2);
}
int fine(int level)
{
    return step(level <= 0 ? 0 : level >= 2 ? 2 : level);
}
