/*@ requires n >= 0; assigns \nothing; ensures -1 <= \result <= 0; */
int close_in(int n)
{
    int up = 0, down = n;
    while (up < down) {
        up++;
        down--;
    }
    return down - up;
}
