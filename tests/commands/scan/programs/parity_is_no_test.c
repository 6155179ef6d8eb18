/* A test of the lowest bit says nothing of how large the number may be.

   scan: conditional div-by-zero 7
*/
int alignment(int bits)
{
    return bits & 1 ? 32 : 32 / bits;
}
