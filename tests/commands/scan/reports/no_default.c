/* A unit that the switch does not know leaves the factor unset.

   report: confirmed
*/
long seconds_of(int amount, char unit)
{
    long factor;
    switch (unit) {
    case 's':
        factor = 1;
        break;
    case 'm':
        factor = 60;
        break;
    case 'h':
        factor = 3600;
        break;
    }
    return amount > 0 ? amount * factor : 0;
}
