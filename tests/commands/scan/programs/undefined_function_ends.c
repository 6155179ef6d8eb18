/* Another library's function returns nothing, and may not return: nothing is known behind its call.

   scan: nothing
*/
extern void app_die(const char *why);
static const int weights[4] = {1, 2, 3, 4};
int weight_of(int kind)
{
    if (kind < 0 || kind > 4)
        return 0;
    if (kind == 4)
        app_die("no such kind");
    return weights[kind];
}
