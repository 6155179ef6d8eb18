/* A byte of a buffer is the same wherever the code reads it from: at known offsets, at unknown ones, and in copies.

   scan: nothing
*/
#include <stddef.h>
#include <string.h>

int twice(const unsigned char *data, size_t size, size_t at)
{
    if (size < 2 || at >= size)
        return 0;
    int last = data[size - 1], there = data[at];
    return at == size - 1 && last != there ? 1 / (int)(at - size + 1) : last;
}
int known_before(const unsigned char *data, size_t size)
{
    if (size < 8)
        return 0;
    int seventh = data[7], last = data[size - 1];
    return size == 8 && last != seventh ? 1 / (int)(size - 8) : last;
}
int known_after(const unsigned char *data, size_t size)
{
    if (size < 8)
        return 0;
    int last = data[size - 1], seventh = data[7];
    return size == 8 && last != seventh ? 1 / (int)(size - 8) : last;
}
int copied(const unsigned char *data, size_t size)
{
    unsigned char head[80];
    if (size < 80)
        return 0;
    int last = data[size - 1];
    memcpy(head, data, 80);
    return size == 80 && last != head[79] ? 1 / (int)(size - 80) : last;
}
int written(unsigned char *data, size_t size)
{
    if (size < 8 || size > 300)
        return 0;
    int last = data[size - 1];
    data[1] = 5;
    data[size - 2] = 7;
    return data[size - 1] != last ? 1 / (last - last) : data[size - 2] != 7 ? 2 / (last - last) : last;
}
int by_words(const unsigned char *data, size_t size)
{
    unsigned short word;
    if (size < 4)
        return 0;
    memcpy(&word, data + size - 2, 2);
    return (word >> 8) != data[size - 1] ? 1 / (word - word) : (word & 255) != data[size - 2] ? 2 / (word - word) : 0;
}
