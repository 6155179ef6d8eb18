/* Months are counted from one, the table from zero.

   report: confirmed
*/
static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int days_before(int month)
{
    int sum = 0;
    if (month < 1 || month > 12)
        return -1;
    for (int i = 1; i <= month; i++)
        sum += days[i];
    return sum;
}
