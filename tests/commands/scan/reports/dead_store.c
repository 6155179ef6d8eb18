/* Nothing fails: the value is not used.

   report: not reachable
*/
int half(int number)
{
    int rest = 0;
    int result = number / 2;
    rest = number % 2;
    return result;
}
