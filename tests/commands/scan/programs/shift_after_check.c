/* An earlier shift is checked by the compiler: that is no test of the code's.

   scan: conditional shift 12
   scan: conditional shift 13
*/
struct geometry {
    unsigned char page_bits, block_bits;
};

int capacity(const struct geometry *geometry, int blocks)
{
    int pages = 1 << (geometry->block_bits - 1);
    int reserve = 3 << geometry->block_bits;
    return pages > blocks ? reserve : pages;
}
