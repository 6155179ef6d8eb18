/* The test lets the width of the type pass.

   report: confirmed
*/
unsigned low_bits(unsigned value, unsigned count)
{
    if (count > 32)
        return 0;
    return value & ((1u << count) - 1u);
}
