/* A mode that the switch does not know leaves the result unset.

   scan: certain uninitialised 16
*/
int permissions(char mode)
{
    int bits;
    switch (mode) {
    case 'r':
        bits = 4;
        break;
    case 'w':
        bits = 2;
        break;
    }
    return bits;
}
