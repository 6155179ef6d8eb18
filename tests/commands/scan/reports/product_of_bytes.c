/* Products of three bytes fit an int.

   report: not reachable
*/
int volume(unsigned char width, unsigned char height, unsigned char depth)
{
    return width * height * depth;
}
