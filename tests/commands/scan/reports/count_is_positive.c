/* Without a number the function has left.

   report: not reachable
*/
int mean(const int numbers[static 4])
{
    int sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        if (numbers[i] != 0) {
            sum += numbers[i] % 100;
            count++;
        }
    }
    if (count == 0)
        return 0;
    return sum / count;
}
