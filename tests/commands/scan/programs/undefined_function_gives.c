/* What another library's function gives is between bounds that its documentation says.

   scan: conditional out-of-bounds 12
*/
extern int zip_count(void);
static const int weights[4] = {1, 2, 3, 4};
int weight_of_all(void)
{
    int count = zip_count();
    if (count < 0 || count > 4)
        return 0;
    return weights[count];
}
