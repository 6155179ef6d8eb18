/* No number may be positive.

   report: confirmed
*/
int average_of_positive(const int numbers[static 4])
{
    int sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        if (numbers[i] > 0 && numbers[i] < 1000) {
            sum += numbers[i];
            count++;
        }
    }
    return sum / count;
}
